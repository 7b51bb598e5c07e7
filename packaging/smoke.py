"""Try the standalone app as a stranger's machine would: copied elsewhere, empty HOME, no checkout, no display.

Usage: ``python3 packaging/smoke.py dist/pe-desktop [PyInstaller's warn file]``. Standard library only.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Iterator
from pathlib import Path

SIZE = (1440, 900)
_LEAST_COLOURS = 200
_BAD_LINE = re.compile(
    r"Traceback|ModuleNotFoundError|ImportError|No module named|cannot open shared object|[Pp]latform plugin"
    r"|Cannot load library|Could not (find|load)|plugin.*(missing|not found)|FileNotFoundError|Cannot open file"
)
_MISSING = re.compile(r"^missing module named '?([\w.]+)'? - imported by (.*)$", flags=re.MULTILINE)
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_CHANNELS = {2: 3, 6: 4}


class SmokeError(Exception):
    """What is wrong with the app, in one sentence."""


def smoke(app: Path, warnings: Path | None) -> list[str]:
    """Try the app in folder `app` and return the lines of the report.

    Raises
    ------
    SmokeError
        At the first thing that is wrong.
    """
    missing = missing_modules(warnings.read_text(encoding="utf-8", errors="replace")) if warnings else []
    if missing:
        raise SmokeError(f"PyInstaller left out what the lab needs: {', '.join(missing)}.")
    with tempfile.TemporaryDirectory(prefix="pe-desktop-smoke-") as folder:
        place = Path(folder)
        copied = shutil.copytree(app, place / "app", symlinks=True)
        for name in ("home", "work"):
            (place / name).mkdir()
        return [f"size on disk: {size_on_disk(app) / 1e6:.0f} MB", *_try(copied, place)]


def _try(app: Path, place: Path) -> list[str]:
    seconds = []
    for _ in range(2):  # the first start reads everything from disk
        started = time.perf_counter()
        _start(app, place, "render", "--view", "window", "--size", f"{SIZE[0]}x{SIZE[1]}", "--out", "window.png")
        seconds.append(time.perf_counter() - started)
    colours = check_picture((place / "work" / "window.png").read_bytes(), SIZE)
    encoding = ["--scheme", "sinusoidal", "--dimension", "4", "--positions", "0,1", "--what", "encoding", "--json"]
    values = json.loads(_start(app, place, "values", *encoding))["values"]
    if [round(value, 6) for value in values[0]] != [0.0, 1.0, 0.0, 1.0] or round(values[1][0], 6) != 0.841471:
        raise SmokeError(f"The sinusoidal encoding of positions 0 and 1 came out as {values}.")
    if "largest_value" not in json.loads(_start(app, place, "readouts", "--json"))["readouts"]:
        raise SmokeError("readouts says nothing about the largest value.")
    for plugin in ("offscreen", *(("xcb", "wayland", "vnc") if sys.platform.startswith("linux") else ())):
        doctor = json.loads(_start(app, place, "doctor", "--json", plugin=plugin))
        if not doctor["frozen"] or doctor["problems"]:
            raise SmokeError(f"doctor says about {plugin}: {doctor['problems'] or 'this is not a standalone app'}.")
    return [
        f"first picture: {seconds[0]:.2f} s, second start {seconds[1]:.2f} s ({colours} colours)",
        f"doctor: {', '.join(f'{name} {version}' for name, version in doctor['versions'].items())}",
        "values, readouts, render and doctor work; no module or plugin is missing",
    ]


def _start(app: Path, place: Path, *arguments: str, plugin: str = "offscreen") -> str:
    """Run the app with nothing of this machine's environment, and return its standard output."""
    program = app / ("pe-desktop.exe" if os.name == "nt" else "pe-desktop")
    variables = {"HOME": str(place / "home"), "USERPROFILE": str(place / "home"), "QT_QPA_PLATFORM": plugin}
    variables |= {name: os.environ[name] for name in ("SYSTEMROOT", "TEMP") if name in os.environ}
    variables |= {"PATH": os.defpath, "LC_ALL": "C.UTF-8"}
    shown = f"pe-desktop {arguments[0]}"
    try:
        done = subprocess.run(
            [str(program), *arguments],
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            env=variables,
            cwd=place / "work",
            timeout=120,
            check=False,
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise SmokeError(f"{shown} could not be run: {error}") from error
    bad = [line for line in done.stderr.splitlines() if _BAD_LINE.search(line)]
    if done.returncode or bad:
        raise SmokeError(f"{shown} ended with {done.returncode} and said:\n{done.stderr.strip() or '(nothing)'}")
    return done.stdout


def missing_modules(warnings: str) -> list[str]:
    """Return the modules in PyInstaller's warn file that the lab itself imports, or that belong to it."""
    return [
        name
        for name, importers in _MISSING.findall(warnings)
        if name.split(".")[0] == "pe_desktop" or re.search(r"\bpe_desktop[\w.]* \(top-level\)", importers)
    ]


def size_on_disk(folder: Path) -> int:
    """Return the bytes of all files below `folder`, counting linked files once."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def check_picture(data: bytes, size: tuple[int, int]) -> int:
    """Check that `data` is a PNG of `size` pixels with something on it.

    Returns
    -------
    int
        Number of different colours, at least 200.

    Raises
    ------
    SmokeError
        When it is another size, or blank.
    """
    if data[:8] != _SIGNATURE:
        raise SmokeError("The rendered window is not a PNG file.")
    chunks = list(_chunks(data))
    width, height, depth, kind = struct.unpack(">IIBB", chunks[0][1][:10])
    if (width, height) != size or depth != 8 or kind not in _CHANNELS:
        raise SmokeError(f"The window is {width} × {height} pixels of kind {kind}/{depth}, not {size[0]} × {size[1]}.")
    pixels = zlib.decompress(b"".join(body for name, body in chunks if name == b"IDAT"))
    colours = len(_colours(pixels, width, height, _CHANNELS[kind]))
    if colours < _LEAST_COLOURS:
        raise SmokeError(f"The rendered window is blank or nearly so: {colours} colours.")
    return colours


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 8
    while at + 8 <= len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        yield data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        at += 12 + length


def _colours(filtered: bytes, width: int, height: int, channels: int) -> set[bytes]:
    """Undo PNG's line filters and collect the colours."""
    stride = width * channels
    above = bytearray(stride)
    colours: set[bytes] = set()
    for row in range(height):
        start = row * (stride + 1)
        line = bytearray(filtered[start + 1 : start + 1 + stride])
        _unfilter(filtered[start], line, above, channels)
        colours.update(bytes(line[at : at + channels]) for at in range(0, stride, channels))
        above = line
    return colours


def _unfilter(kind: int, line: bytearray, above: bytearray, step: int) -> None:
    for at in range(len(line) if kind else 0):
        left = line[at - step] if at >= step else 0
        up = above[at]
        if kind == 1:
            guess = left
        elif kind == 2:
            guess = up
        elif kind == 3:
            guess = (left + up) // 2
        else:
            corner = above[at - step] if at >= step else 0
            far = (abs(up - corner), abs(left - corner), abs(left + up - 2 * corner))
            guess = (left, up, corner)[far.index(min(far))]
        line[at] = (line[at] + guess) & 0xFF


def main(arguments: list[str]) -> int:
    """Try the app and print what was found."""
    if not 1 <= len(arguments) <= 2:
        print(__doc__, file=sys.stderr)
        return 2
    app, *rest = map(Path, arguments)
    if not app.is_dir():
        print(f"smoke: error: there is no app in {app}", file=sys.stderr)
        return 2
    try:
        print("\n".join(f"smoke: {line}" for line in smoke(app, rest[0] if rest else None)))
    except SmokeError as error:
        print(f"smoke: error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
