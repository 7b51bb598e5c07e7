"""System libraries and tools: found out, installed as root on a Debian-like system, otherwise told.

Standard library only; used by ``dev.py``. What is needed is known by ``pe_desktop/system.py``.
"""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path

from environment import TroubleError, last_lines, run_shown, say

from pe_desktop import system

_LISTS = Path("/var/lib/apt/lists")


def provide(plugin: str, pyside: Path) -> None:
    """Make sure that Qt's platform `plugin` can load.

    Parameters
    ----------
    plugin : str
        Platform plugin, for example ``"xcb"``.
    pyside : Path
        Folder of the PySide6 package in the environment.

    Raises
    ------
    TroubleError
        When libraries are missing and cannot be installed here; it tells the command that does. A missing font is
        only reported, since the window opens without.
    """
    found = system.survey(plugin, pyside)
    if not found.libraries and found.fonts != ():
        return
    if found.packages and system.has_apt() and system.is_root():
        install(found.packages)
        found = system.survey(plugin, pyside)
    if found.libraries:
        raise TroubleError(f'Qt\'s "{plugin}" platform {lack(found)}')
    if found.fonts == ():
        say("No font is installed, so texts will be empty boxes. " + remedy([system.FONT_PACKAGE]))


def lack(found: system.Survey) -> str:
    """Return what is missing and what to do, as the end of a sentence."""
    libraries = f"lacks system libraries: {', '.join(found.libraries)}."
    unknown = f" No Debian package is known here for {', '.join(found.unknown)}." if found.unknown else ""
    return f"{libraries}{unknown} {remedy(found.packages)}".rstrip()


def remedy(packages: Iterable[str]) -> str:
    """Return the sentence that says how to get `packages`; empty for none."""
    names = tuple(packages)
    if not names:
        return ""
    if system.has_apt():
        return f"This command installs what is missing:\n  {system.install_command(names)}"
    return f"On Debian they are in these packages, other systems name them alike: {', '.join(names)}."


def provide_bundler() -> None:
    """Make sure that PyInstaller finds what it takes from the system: objdump and Python's shared library.

    Raises
    ------
    TroubleError
        When something is missing and cannot be installed here.
    """
    packages = _bundler_packages()
    if packages and system.has_apt() and system.is_root():
        install(packages)
        packages = _bundler_packages()
    if packages:
        raise TroubleError(f"Building the standalone app needs objdump and Python's shared library. {remedy(packages)}")


def _bundler_packages() -> list[str]:
    packages = [] if shutil.which("objdump") else ["binutils"]
    # Debian's python3 does not need its shared library, and so comes without.
    name, folder = (str(sysconfig.get_config_var(key)) for key in ("INSTSONAME", "LIBDIR"))
    places = (Path(folder), Path(folder, str(sysconfig.get_config_var("MULTIARCH"))))
    if not any((place / name).exists() for place in places):
        packages.append(f"libpython{sys.version_info[0]}.{sys.version_info[1]}")
    return packages


def install(packages: Iterable[str]) -> None:
    """Install Debian packages as root, fetching the package lists first where there are none.

    Raises
    ------
    TroubleError
        With apt's last lines when it fails.
    """
    names = list(packages)
    say(f"Installing system packages: {' '.join(names)} …")
    variables = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    command = ["apt-get", "install", "-y", "-q", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=120", *names]
    update = ["apt-get", "update", "-q"]
    fetched = not any(_LISTS.glob("*_Packages*"))
    if fetched:
        run_shown(update, variables)
    code, output = run_shown(command, variables)
    if code and not fetched:
        # Old lists name versions that the mirror no longer has.
        run_shown(update, variables)
        code, output = run_shown(command, variables)
    if code:
        raise TroubleError(f"The system packages could not be installed. apt-get's last lines:\n{last_lines(output)}")
