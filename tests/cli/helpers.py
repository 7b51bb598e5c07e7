"""Running the command line inside the test's process, and as a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from pe_desktop import cli

ROOT = Path(__file__).parents[2]


def run(capsys, *arguments):
    """Standard output of a run that succeeds and says nothing on standard error."""
    code = cli.main(list(arguments))
    out, err = capsys.readouterr()
    assert (code, err) == (0, "")
    return out


def refused(capsys, *arguments):
    """The one line of a run that is refused."""
    code = cli.main(list(arguments))
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert err.startswith("pe-desktop: error: ")
    assert err.endswith(".\n")
    assert err.count("\n") == 1
    return err.removeprefix("pe-desktop: error: ").strip()


def process(*arguments, stdin=b"", **environment):
    """A process of its own: (exit code, standard output, standard error)."""
    done = subprocess.run(
        [sys.executable, "-m", "pe_desktop", *arguments],
        input=stdin,
        capture_output=True,
        cwd=ROOT,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen", **environment},
        check=False,
    )
    return done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8")
