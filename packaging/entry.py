"""Where the standalone app starts."""

import sys

from pe_desktop.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
