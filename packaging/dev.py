#!/usr/bin/env python3
"""Set up, run and check PE Desktop from a checkout, with nothing but Python 3.11.

The first use makes an environment in .venv and installs what is needed there; later ones start without the network.
"""

import argparse
import io
import os
import sys

# Up to here every Python 3 can read this file; the imports below need the one that the lab needs.
if sys.hexversion < 0x030B0000:
    sys.exit(f"dev.py: error: PE Desktop needs Python 3.11 or later, and this is {sys.version.split()[0]}.")

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from association import associate  # noqa: E402
from environment import Environment, TroubleError, say  # noqa: E402
from provision import provide, provide_bundler  # noqa: E402

from pe_desktop import system  # noqa: E402

PICTURE = "pe-desktop-window.png"
# Each process has a core of its own; numpy's threads would only wait for each other.
ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
YARN = ("--scheme", "rope", "--dimension", "128", "--set", "extension=yarn", "--set", "factor=8")
PICTURES = (
    ("sinusoidal-light.png", "light", "1440x900", ("--scheme", "sinusoidal", "--swap")),
    ("sinusoidal-dark.png", "dark", "1440x900", ("--scheme", "sinusoidal")),
    ("rope-dark.png", "dark", "1440x900", ("--scheme", "rope", "--swap")),
    ("alibi-light-small.png", "light", "1024x768", ("--scheme", "alibi")),
    ("lesson-light.png", "light", "1440x900", ("--lesson", "similarity-with-ripples", "--step", "2")),
    ("presenting.png", "light", "1024x768", ("--lesson", "shift-both", "--step", "2", "--present")),
    ("spectrum-light.png", "light", "800x520", (*YARN, "--view", "spectrum", "--length", "8192")),
)


@dataclass(frozen=True)
class Command:
    """One sub-command: what it does, how it is written, and the function, which returns an exit code."""

    usage: str
    summary: str
    function: Callable[[Environment, list[str]], int]


def run(environment: Environment, arguments: list[str]) -> int:
    """Open the window, or do what the lab's own verb in `arguments` says."""
    environment.ensure()
    variables = environment.variables()
    pyside = environment.packages / "PySide6"
    # The lab starts in the folder that the user is in, so that file names on the command line mean what they say.
    here = Path.cwd()
    if _needs_no_window(arguments):
        if arguments[0] == "render":
            provide("offscreen", pyside)
        return environment.run(["-m", "pe_desktop", *arguments], variables, here)
    chosen = system.choose_platform(variables)
    provide(chosen.plugin, pyside)
    if chosen.plugin == "offscreen" and "QT_QPA_PLATFORM" not in variables:
        return _run_without_display(environment, arguments, here)
    return environment.run(["-m", "pe_desktop", *arguments], variables, here)


def _needs_no_window(arguments: list[str]) -> bool:
    # The lab's first word is a file to open, with an extension, or one of its verbs, of which none needs a screen.
    return bool({"-h", "--help", "--version"} & set(arguments)) or (bool(arguments) and arguments[0].isalpha())


def _run_without_display(environment: Environment, arguments: list[str], here: Path) -> int:
    target = here / PICTURE
    say("There is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set), so the window is drawn to a file.")
    command = ["-m", "pe_desktop", "render", "--view", "window", "--out", str(target), *arguments]
    code = environment.run(command, environment.variables(QT_QPA_PLATFORM="offscreen"), here)
    if code:
        return code
    say(f"The window is in {target}")
    say("To use it from another machine, start it with Qt's built-in VNC server and connect a viewer to port 5900:")
    say("  QT_QPA_PLATFORM=vnc python3 packaging/dev.py run")
    return 0


def _offscreen(environment: Environment) -> dict[str, str]:
    """Return variables under which every machine draws the same: no display, no Qt settings, one locale."""
    provide("offscreen", environment.packages / "PySide6")
    variables = environment.variables(QT_QPA_PLATFORM="offscreen", LC_ALL="C.UTF-8")
    return {name: value for name, value in variables.items() if not name.startswith("QT_") or name == "QT_QPA_PLATFORM"}


def test(environment: Environment, arguments: list[str]) -> int:
    """Run the test suite offscreen, in one process for each core."""
    environment.ensure("dev")
    variables = {**_offscreen(environment), **ONE_THREAD}
    return environment.run(["-m", "pytest", "-n", "logical", "--dist", "loadfile", *arguments], variables)


def lint(environment: Environment, arguments: list[str]) -> int:
    """Run every check of the source, also when an earlier one found something."""
    environment.ensure("dev")
    checks = (["ruff", "check", "."], ["ruff", "format", "--check", "."], ["mypy"])
    failed = []
    for check in checks:
        say("$ " + " ".join(check))
        if environment.run(["-m", *check, *arguments]):
            failed.append(" ".join(check))
    say(f"lint: {', '.join(failed)} failed" if failed else "lint: all clean")
    return 1 if failed else 0


def bench(environment: Environment, arguments: list[str]) -> int:
    """Measure, each number next to its baseline."""
    environment.ensure("dev", "bench")
    return environment.run(["-m", "tests.benchmarks", *arguments], _offscreen(environment))


def golden(environment: Environment, arguments: list[str]) -> int:
    """Compare with the libraries' numbers and note how near ours come, for the window to tell."""
    environment.ensure("dev")
    modules = [str(path) for path in sorted((ROOT / "tests" / "core").glob("test_golden_*.py"))]
    target = ROOT / "pe_desktop" / "resources" / "golden.json"
    variables = {**_offscreen(environment), "PE_DESKTOP_GOLDEN": str(target)}
    return environment.run(["-m", "pytest", "-q", *modules, *arguments], variables)


def bundle(environment: Environment, arguments: list[str]) -> int:
    """Build the standalone app and try it."""
    environment.ensure("bundle")
    if sys.platform.startswith("linux"):
        provide_bundler()
        # The app carries the libraries of every plugin in it, so the machine that builds it needs them all.
        for plugin in ("offscreen", "xcb", "wayland"):
            provide(plugin, environment.packages / "PySide6")
    dist, build = ROOT / "dist", ROOT / "build"
    say("Building the standalone app in dist/pe-desktop …")
    options = ["--noconfirm", "--log-level", "WARN", "--distpath", str(dist), "--workpath", str(build)]
    code = environment.run(["-m", "PyInstaller", *options, *arguments, str(ROOT / "packaging/pe_desktop.spec")])
    if code:
        raise TroubleError("The standalone app could not be built; PyInstaller's lines above say why.")
    warnings = build / "pe_desktop" / "warn-pe_desktop.txt"
    return environment.run([str(ROOT / "packaging/smoke.py"), str(dist / "pe-desktop"), str(warnings)])


def pictures(environment: Environment, arguments: list[str]) -> int:
    """Draw the README's pictures with the lab itself."""
    environment.ensure()
    variables = _offscreen(environment)
    folder = ROOT / "docs" / "pictures"
    folder.mkdir(parents=True, exist_ok=True)
    for name, theme, size, state in PICTURES:
        options = [
            "--out",
            str(folder / name),
            "--view",
            "window",
            "--theme",
            theme,
            "--size",
            size,
            *state,
            *arguments,
        ]
        code = environment.run(["-m", "pe_desktop", "render", *options], variables)
        if code:
            raise TroubleError(f"The picture {name} could not be drawn; the line above says why.")
        say(f"docs/pictures/{name}")
    return 0


def open_with(environment: Environment, arguments: list[str]) -> int:
    """Make sessions and lessons open by double-click."""
    environment.ensure()
    for path in associate(environment.python.with_name("pe-desktop"), os.environ):
        say(f"Wrote {path}")
    say("Sessions (.pelab) and lessons (.pelesson) now open in PE Desktop by double-click.")
    return 0


COMMANDS = {
    "run": Command(
        "run [FILE] [state options]",
        "open the window, or draw it to a PNG file where there is no display",
        run,
    ),
    "test": Command("test [pytest options]", "run the test suite offscreen", test),
    "lint": Command("lint", "ruff check, ruff format --check and mypy", lint),
    "bench": Command("bench [NAME ...] [options]", "measure drawing, waiting and start, next to baselines", bench),
    "golden": Command("golden", "compare with other libraries' numbers; writes resources/golden.json", golden),
    "bundle": Command("bundle", "build the standalone app into dist/ with PyInstaller and try it", bundle),
    "associate": Command("associate", "make sessions and lessons open by double-click (Linux desktops)", open_with),
    "pictures": Command("pictures", "draw the README's pictures into docs/pictures", pictures),
}


def _parser() -> argparse.ArgumentParser:
    width = max(len(command.usage) for command in COMMANDS.values())
    table = "\n".join(f"  {command.usage:<{width}}  {command.summary}" for command in COMMANDS.values())
    parser = argparse.ArgumentParser(
        prog="dev.py",
        usage="python3 packaging/dev.py COMMAND [arguments]",
        description=__doc__,
        epilog=f"commands:\n{table}\n\nWhat follows a command goes on as it is: run --scheme rope, test -k rope.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("command", choices=COMMANDS, metavar="COMMAND", help="one of the commands below")
    return parser


def main(arguments: list[str]) -> int:
    """Run one sub-command; everything after its name belongs to what it starts."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # pip's own lines must not fail in a console without Unicode
    parser = _parser()
    command = COMMANDS[parser.parse_args(arguments[:1]).command]
    try:
        return command.function(Environment(ROOT), arguments[1:])
    except TroubleError as trouble:
        print(f"dev.py: error: {trouble}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        place = f": {os.fspath(error.filename)}" if error.filename else ""
        print(f"dev.py: error: {error.strerror or error}{place}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
