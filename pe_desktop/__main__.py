"""``python -m pe_desktop`` and the ``pe-desktop`` command."""

from __future__ import annotations

import sys

from pe_desktop.cli import main

if __name__ == "__main__":
    sys.exit(main())
