"""What a machine must offer before Qt can draw: a display, system libraries, a font.

The one place for this knowledge: the set-up script uses it before anything is installed, ``doctor`` when Qt is broken.
Hence standard library only, and nothing here imports Qt.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

DEBIAN_PACKAGES: dict[str, str] = {
    # needed by QtGui and QtWidgets, hence by every platform plugin
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libGLX.so.0": "libglx0",
    "libOpenGL.so.0": "libopengl0",
    "libX11.so.6": "libx11-6",
    "libbrotlidec.so.1": "libbrotli1",
    "libdbus-1.so.3": "libdbus-1-3",
    "libexpat.so.1": "libexpat1",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgssapi_krb5.so.2": "libgssapi-krb5-2",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libstdc++.so.6": "libstdc++6",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libz.so.1": "zlib1g",
    "libzstd.so.1": "libzstd1",
    # needed by the xcb plugin
    "libICE.so.6": "libice6",
    "libSM.so.6": "libsm6",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-glx.so.0": "libxcb-glx0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xinerama.so.0": "libxcb-xinerama0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxcb.so.1": "libxcb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    # needed by the wayland plugin
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libwayland-egl.so.1": "libwayland-egl1",
    # needed by the plugins for screens without a display server
    "libdrm.so.2": "libdrm2",
    "libgbm.so.1": "libgbm1",
}
FONT_PACKAGE = "fonts-dejavu-core"
_MODULES = ("QtCore", "QtGui", "QtWidgets", "QtSvg", "QtTest")
_FONT_SUFFIXES = frozenset({".ttf", ".otf", ".ttc", ".pfb"})

DISPLAY_SECONDS = 3.0
Run = Callable[[list[str]], str | None]


@dataclass(frozen=True)
class Platform:
    """The Qt platform plugin that a window would use here.

    Attributes
    ----------
    plugin : str
        Its name as in ``QT_QPA_PLATFORM``.
    reason : str
        Why this one, as the end of a sentence.
    display : bool
        Whether a window can be seen.
    """

    plugin: str
    reason: str
    display: bool


@dataclass(frozen=True)
class Survey:
    """What one platform plugin lacks on this machine.

    Attributes
    ----------
    plugin : str
        The platform plugin looked at.
    checked : bool
        False where the libraries could not be looked at; the other fields are then empty.
    libraries : tuple of str
        Missing shared libraries, by soname.
    fonts : tuple of str or None
        Font families found; None where the system always has fonts (Windows, macOS).
    """

    plugin: str
    checked: bool
    libraries: tuple[str, ...]
    fonts: tuple[str, ...] | None

    @property
    def packages(self) -> tuple[str, ...]:
        """Debian packages that would fill every known gap, sorted."""
        known = {DEBIAN_PACKAGES[name] for name in self.libraries if name in DEBIAN_PACKAGES}
        return tuple(sorted(known | ({FONT_PACKAGE} if self.fonts == () else set())))

    @property
    def unknown(self) -> tuple[str, ...]:
        """Missing libraries whose Debian package is not known here."""
        return tuple(name for name in self.libraries if name not in DEBIAN_PACKAGES)


def choose_platform(environ: Mapping[str, str] | None = None, system: str = sys.platform) -> Platform:
    """Say which platform plugin Qt would use.

    Parameters
    ----------
    environ : mapping, optional
        Environment variables; those of this process by default.
    system : str
        A value of ``sys.platform``.
    """
    environ = os.environ if environ is None else environ
    wanted = re.split("[;:]", environ.get("QT_QPA_PLATFORM", ""))[0].strip()
    screen = next((name for name in ("WAYLAND_DISPLAY", "DISPLAY") if environ.get(name)), None)
    desktop = system in ("win32", "darwin")
    if wanted:
        visible = wanted not in ("offscreen", "minimal") and (desktop or screen is not None or wanted == "vnc")
        return Platform(wanted, "QT_QPA_PLATFORM asks for it", visible)
    if desktop:
        return Platform("windows" if system == "win32" else "cocoa", "it is the one of this system", True)
    if screen is None:
        return Platform("offscreen", "neither DISPLAY nor WAYLAND_DISPLAY is set", False)
    return Platform("wayland" if screen == "WAYLAND_DISPLAY" else "xcb", f"{screen} is set", True)


def display_trouble(environ: Mapping[str, str] | None = None) -> str | None:
    """Say in a sentence why the X display that is set does not answer; None if it does or is not looked at.

    Qt ends the process without a chance to explain when it cannot connect, as after a broken ``ssh -X``.
    Only plain names (``:0``, ``host:10.0``) are tried; anything else is left to Qt.
    """
    environ = os.environ if environ is None else environ
    if choose_platform(environ).plugin != "xcb":
        return None
    name = environ.get("DISPLAY", "")
    match = re.fullmatch(r"(?:unix)?(?P<host>[\w.-]*):(?P<number>\d+)(?:\.\d+)?", name)
    if match is None:
        return None
    number = int(match["number"])
    if match["host"]:
        addresses: list[tuple[int, object]] = [(socket.AF_INET, (match["host"], 6000 + number))]
    else:
        path = f"/tmp/.X11-unix/X{number}"
        addresses = [(socket.AF_UNIX, path), (socket.AF_UNIX, "\0" + path)]
    if any(_answers(family, address) for family, address in addresses):
        return None
    return f"The display {name} (DISPLAY) does not answer"


def _answers(family: int, address: object) -> bool:
    try:
        with socket.socket(family, socket.SOCK_STREAM) as connection:
            connection.settimeout(DISPLAY_SECONDS)
            connection.connect(address)  # type: ignore[arg-type]
    except (OSError, OverflowError):
        return False
    return True


def pyside_folder() -> Path | None:
    """Return the folder of the installed PySide6, without importing it; None when it is not installed."""
    try:
        spec = importlib.util.find_spec("PySide6")
    except (ImportError, ValueError):
        return None
    places = list(spec.submodule_search_locations or ()) if spec else []
    return Path(places[0]) if places else None


def qt_files(pyside: Path, plugin: str) -> list[Path]:
    """List the shared objects that must load for `plugin`: the Qt modules used, the plugin, and its helpers."""
    plugins = pyside / "Qt" / "plugins"
    name = re.compile(rf"libq{re.escape(plugin)}(-\w+)?\.so")
    found = [pyside / f"{module}.abi3.so" for module in _MODULES]
    found += sorted(path for path in (plugins / "platforms").glob("*.so") if name.fullmatch(path.name))
    if plugin == "wayland":
        found += sorted((plugins / "wayland-shell-integration").glob("libxdg-shell.so"))
    return [path for path in found if path.is_file()]


def parse_ldd(output: str) -> list[str]:
    """Return the sonames that ``ldd`` reports as not found, each once, in order."""
    return list(dict.fromkeys(re.findall(r"^\s*(\S+) => not found", output, flags=re.MULTILINE)))


def run_quietly(command: list[str]) -> str | None:
    """Run a command and return its standard output, or None when it cannot be started or takes too long."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=60, check=False)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout


def missing_libraries(files: Iterable[Path], run: Run = run_quietly) -> tuple[str, ...] | None:
    """Find the system libraries that `files` need and the loader does not find.

    Returns
    -------
    tuple of str or None
        Sonames, each once; None when there was no file or no ``ldd`` to ask.
    """
    paths = [str(path) for path in files]
    output = run(["ldd", *paths]) if paths else None
    return None if output is None else tuple(parse_ldd(output))


def fonts(environ: Mapping[str, str] | None = None, run: Run = run_quietly) -> tuple[str, ...]:
    """List the font families of a Linux system; file names stand in where fontconfig's tool is not installed."""
    environ = os.environ if environ is None else environ
    if shutil.which("fc-list", path=environ.get("PATH")):
        listed = run(["fc-list", "--format", "%{family[0]}\n"])
        if listed is not None:
            return tuple(sorted({line.strip() for line in listed.splitlines() if line.strip()}))
    return tuple(sorted({path.stem for folder in _font_folders(environ) for path in _font_files(folder)}))


def _font_folders(environ: Mapping[str, str]) -> list[Path]:
    home = Path(environ.get("HOME") or Path("~").expanduser())
    data = [environ.get("XDG_DATA_HOME") or str(home / ".local/share")]
    data += (environ.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share").split(":")
    folders = [Path(place, "fonts") for place in data if place] + [home / ".fonts"]
    # Qt looks for fonts here when it was started with this variable.
    return folders + ([Path(environ["QT_QPA_FONTDIR"])] if environ.get("QT_QPA_FONTDIR") else [])


def _font_files(folder: Path) -> Iterable[Path]:
    for place, _, names in os.walk(folder):
        yield from (Path(place, name) for name in names if Path(name).suffix.lower() in _FONT_SUFFIXES)


def survey(plugin: str, pyside: Path | None = None, system: str = sys.platform, run: Run = run_quietly) -> Survey:
    """Look for everything that `plugin` needs from the system.

    Parameters
    ----------
    plugin : str
        Platform plugin, for example ``"xcb"``.
    pyside : Path, optional
        Folder of the PySide6 package; the one of this interpreter by default.
    system : str
        A value of ``sys.platform``; only Linux is looked at.
    run : callable
        Runs ``ldd`` and ``fc-list``.
    """
    if system in ("win32", "darwin"):
        return Survey(plugin, False, (), None)
    pyside = pyside or pyside_folder()
    missing = missing_libraries(qt_files(pyside, plugin), run) if pyside else None
    return Survey(plugin, missing is not None, missing or (), fonts(run=run))


def install_command(packages: Iterable[str], as_root: bool | None = None) -> str | None:
    """Return the one command that installs Debian packages; None for none.

    Parameters
    ----------
    packages : iterable of str
        Debian package names.
    as_root : bool, optional
        Whether the reader is root and needs no ``sudo``; found out by default.
    """
    names = " ".join(packages)
    if as_root is None:
        as_root = is_root()
    return f"{'' if as_root else 'sudo '}apt-get install -y --no-install-recommends {names}" if names else None


def is_root() -> bool:
    """Return whether this process may install system packages."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def has_apt() -> bool:
    """Return whether this is a Debian-like system."""
    return shutil.which("apt-get") is not None
