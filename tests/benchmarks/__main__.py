"""``python -m tests.benchmarks [NAME …]``: one table, and build/bench.json.

Each benchmark runs in a process of its own, so that none sees what another left behind.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from importlib import import_module
from pathlib import Path

NAMES = ("startup", "batch", "frames", "extensions", "session", "windows", "soak")


def main(arguments: list[str]) -> int:
    """Run the named benchmarks (all without a name) and report; 0 if everything asked for is reached."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the command line does before numpy is there
    options = _parser().parse_args(arguments)
    if options.alone:
        return _alone(options)
    from tests.benchmarks import report

    found = report.machine()
    print("\n".join(report.machine_lines(found)), flush=True)
    sections = []
    with tempfile.TemporaryDirectory() as folder:
        for name in options.names or NAMES:
            print(f"measuring {name} …", file=sys.stderr, flush=True)
            target = Path(folder) / f"{name}.json"
            command = [sys.executable, "-m", "tests.benchmarks", name, "--alone", "--out", str(target)]
            subprocess.run([*command, "--seconds", str(options.seconds)], check=True)
            sections += [report.from_json(plain) for plain in json.loads(target.read_text(encoding="utf-8"))]
    report.print_table(sections)
    report.write_json(Path(options.out), found, sections)
    return 0 if all(check.reached for section in sections for check in section.checks) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="dev.py bench", description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*NAMES, []], help="which benchmarks (default: all)")
    parser.add_argument("--out", default="build/bench.json", help="where the JSON goes")
    parser.add_argument("--seconds", type=float, default=120.0, help="roughly how long the session lasts")
    parser.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)
    return parser


def _alone(options: argparse.Namespace) -> int:
    from tests.benchmarks.figures import Options
    from tests.benchmarks.report import to_json

    with tempfile.TemporaryDirectory() as folder:
        module = import_module(f"tests.benchmarks.{options.names[0]}")
        sections = module.measure(Options(Path(folder), options.seconds))
    Path(options.out).write_text(json.dumps([to_json(section) for section in sections]), encoding="utf-8")
    sys.stdout.flush()
    # Leave without tearing Qt down: what was measured is written.
    os._exit(0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
