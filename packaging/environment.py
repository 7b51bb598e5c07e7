"""The project's own Python environment: made once, then started without touching the network.

Standard library only; used by ``dev.py``.
"""

from __future__ import annotations

import collections
import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path

STAMP = "pe-desktop-stamp.json"
_KEPT = 1000
_TAIL = 12
_SHOWN = ("Collecting ", "Downloading ", "Installing collected ", "Building ")
_OFFLINE = re.compile(
    r"NewConnectionError|NameResolutionError|Temporary failure in name resolution|getaddrinfo failed"
    r"|nodename nor servname|Network is unreachable|Connection refused|No route to host|ConnectTimeoutError"
)
# These would lead pip or the lab to packages of another environment.
_FOREIGN = ("PYTHONHOME", "PYTHONPATH", "PIP_USER", "PIP_TARGET", "PIP_PREFIX", "VIRTUAL_ENV", "__PYVENV_LAUNCHER__")


class TroubleError(Exception):
    """A failure that is told to the user in one sentence."""


class Environment:
    """The virtual environment in ``.venv`` of a project.

    Parameters
    ----------
    root : Path
        Folder with ``pyproject.toml``.
    windows : bool
        Whether paths are those of Windows.
    """

    def __init__(self, root: Path, windows: bool = os.name == "nt") -> None:
        self.root = root
        self.folder = root / ".venv"
        scripts = "Scripts/python.exe" if windows else "bin/python"
        library = "Lib" if windows else f"lib/python{sys.version_info[0]}.{sys.version_info[1]}"
        self.python = self.folder / scripts
        self.packages = self.folder / library / "site-packages"

    def ensure(self, *extras: str) -> None:
        """Make the environment hold the project with `extras`; do nothing when it already does.

        Parameters
        ----------
        *extras : str
            Names under ``[project.optional-dependencies]``. Extras installed before are kept.

        Raises
        ------
        TroubleError
            When the environment cannot be made, with the reason.
        """
        stamp = self._stamp()
        key = self.key()
        there = set(stamp.get("extras", []))
        if stamp.get("key") == key and there >= set(extras) and self._is_whole(stamp):
            return
        wanted = sorted(there | set(extras))
        if not self._works():
            self._create()
        # Without the stamp, an installation that is interrupted is done again next time.
        (self.folder / STAMP).unlink(missing_ok=True)
        self._install(wanted)
        distributions = sorted(path.name for path in self.packages.glob("*.dist-info"))
        content = {"key": key, "extras": wanted, "distributions": distributions}
        (self.folder / STAMP).write_text(json.dumps(content, indent=1), encoding="utf-8")

    def key(self) -> str:
        """Return a digest of everything that decides what must be installed."""
        with (self.root / "pyproject.toml").open("rb") as file:
            project = tomllib.load(file)
        # The file also holds texts and the linters' settings, which must not cause a new installation.
        decisive = ("requires-python", "dependencies", "optional-dependencies", "scripts")
        parts = [project["project"].get(name) for name in decisive]
        parts += [project.get("build-system"), sys.version, str(self.root)]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()

    def variables(self, **changes: str) -> dict[str, str]:
        """Return the environment variables for a child process: this process's, cleaned, with `changes`."""
        return {**{name: value for name, value in os.environ.items() if name not in _FOREIGN}, **changes}

    def run(
        self, arguments: Iterable[str], variables: Mapping[str, str] | None = None, folder: Path | None = None
    ) -> int:
        """Run the environment's Python in `folder` (the project by default) and return its exit code."""
        command = [str(self.python), *arguments]
        process = subprocess.Popen(command, env=dict(variables or self.variables()), cwd=folder or self.root)
        while True:
            try:
                return process.wait()
            except KeyboardInterrupt:
                # The child got the same Ctrl+C; its own way of ending, and pytest's report, are waited for.
                continue

    def _stamp(self) -> dict[str, list[str]]:
        try:
            stamp = json.loads((self.folder / STAMP).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return stamp if isinstance(stamp, dict) and {"key", "extras", "distributions"} <= set(stamp) else {}

    def _is_whole(self, stamp: dict[str, list[str]]) -> bool:
        return self._works("sys") and all((self.packages / name).is_dir() for name in stamp["distributions"])

    def _works(self, module: str = "pip") -> bool:
        command = [str(self.python), "-c", f"import sys, {module}; print(sys.version)"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, env=self.variables(), check=False)
        except OSError:
            return False
        return done.returncode == 0 and done.stdout.strip() == sys.version.strip()

    def _create(self) -> None:
        if importlib.util.find_spec("venv") is None or importlib.util.find_spec("ensurepip") is None:
            raise TroubleError(explain_missing_venv())
        say(
            "Making the environment in .venv"
            + (" anew, since the one there cannot be used …" if self.folder.exists() else " …")
        )
        if self.folder.is_symlink() or self.folder.is_file():
            self.folder.unlink()
        shutil.rmtree(self.folder, ignore_errors=True)
        command = [sys.executable, "-m", "venv", str(self.folder)]
        code, output = run_shown(command, self.variables())
        if code:
            raise TroubleError(
                f"The environment in .venv could not be made. Python's last lines:\n{last_lines(output)}"
            )

    def _install(self, extras: list[str]) -> None:
        target = f"{self.root}[{','.join(extras)}]" if extras else str(self.root)
        say("Installing PySide6, pyqtgraph, numpy" + (f" and the {', '.join(extras)} tools" if extras else "") + " …")
        command = [str(self.python), "-m", "pip", "install", "--disable-pip-version-check", "--no-input"]
        command += ["--progress-bar", "off", "--editable", target]
        code, output = run_shown(command, self.variables(PIP_USER="0"), _SHOWN)
        if code:
            raise TroubleError(explain_pip(output))


def explain_missing_venv() -> str:
    """Return the sentence for a Python whose venv module was left out, as Debian does."""
    package = f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"
    return (
        f"This Python ({sys.executable}) comes without the venv module; on Debian and Ubuntu it is in the package "
        f"{package} (apt-get install {package})."
    )


def explain_pip(output: str) -> str:
    """Return the sentence for a failed installation, from pip's output."""
    if _OFFLINE.search(output):
        return (
            "The packages could not be downloaded because the package index cannot be reached; the first start needs "
            "a network connection, later ones do not."
        )
    if "No space left on device" in output:
        return "The disk is full; the environment needs about 600 MB."
    return f"The packages could not be installed. pip's last lines:\n{last_lines(output)}"


def last_lines(output: str) -> str:
    """Return the end of a program's output, indented."""
    return "\n".join("  " + line for line in output.splitlines()[-_TAIL:])


def run_shown(command: list[str], variables: Mapping[str, str], shown: tuple[str, ...] = ()) -> tuple[int, str]:
    """Run a command, print its lines that start with one of `shown`, and return its exit code and output."""
    kept: collections.deque[str] = collections.deque(maxlen=_KEPT)
    try:
        process = subprocess.Popen(
            command,
            env=dict(variables),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
        )
    except OSError as error:
        return 1, f"{command[0]}: {error.strerror or error}"
    with process:
        for line in process.stdout or ():
            kept.append(line.rstrip())
            if line.strip().startswith(shown):
                say("  " + line.strip()[:100])
    return process.returncode, "\n".join(kept)


def say(message: str) -> None:
    """Print one line of progress at once, also into a pipe."""
    print(message, flush=True)
