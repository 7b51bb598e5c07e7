"""``python -m tests.benchmarks [startup] [batch] [frames] [soak]``: one table, and build/bench.json."""

from __future__ import annotations

import argparse
import os
import platform
import sys
import tempfile
from importlib import import_module
from pathlib import Path

NAMES = ("startup", "batch", "frames", "soak")


def main(arguments: list[str]) -> int:
    """Run the named benchmarks (all without a name) and report."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from tests.benchmarks.figures import print_table, write_json

    parser = argparse.ArgumentParser(prog="dev.py bench", description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*NAMES, []], help="which benchmarks (default: all)")
    parser.add_argument("--out", default="build/bench.json", help="where the JSON goes")
    options = parser.parse_args(arguments)
    figures, checks = [], []
    with tempfile.TemporaryDirectory() as folder:
        for name in options.names or NAMES:
            found = import_module(f"tests.benchmarks.{name}").measure(Path(folder))
            figures += found[0]
            checks += found[1]
    print(f"{platform.platform()}, {os.cpu_count()} cores, Python {platform.python_version()}\n")
    print_table(figures, checks)
    write_json(Path(options.out), figures, checks)
    sys.stdout.flush()
    # Leave without tearing Qt down: what was measured is written.
    os._exit(0 if all(check.reached for check in checks) else 1)


if __name__ == "__main__":
    main(sys.argv[1:])
