"""What the machine must offer, found out from made-up machines."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from pe_desktop import system

ROOT = Path(__file__).resolve().parents[2]
LDD = """\
/env/PySide6/QtGui.abi3.so:
\tlinux-vdso.so.1 (0x00007ffd0b5f2000)
\tlibEGL.so.1 => not found
\tlibfontconfig.so.1 => not found
\tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f0000000000)
/env/PySide6/Qt/plugins/platforms/libqxcb.so:
\tlibxcb-cursor.so.0 => not found
\tlibEGL.so.1 => not found
\tlibnovel.so.3 => not found
"""


def test_ldd_output_gives_each_missing_library_once():
    assert system.parse_ldd(LDD) == ["libEGL.so.1", "libfontconfig.so.1", "libxcb-cursor.so.0", "libnovel.so.3"]
    assert system.parse_ldd("\tstatically linked\n") == []


@pytest.mark.parametrize(
    ("environ", "name", "plugin", "display"),
    [
        ({}, "linux", "offscreen", False),
        ({"DISPLAY": ":0"}, "linux", "xcb", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", "wayland", True),
        ({"WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"}, "linux", "wayland", True),
        ({"DISPLAY": ""}, "linux", "offscreen", False),
        ({"QT_QPA_PLATFORM": "vnc:port=5901"}, "linux", "vnc", True),
        ({"QT_QPA_PLATFORM": "xcb;wayland", "DISPLAY": ":0"}, "linux", "xcb", True),
        ({"QT_QPA_PLATFORM": "offscreen", "DISPLAY": ":0"}, "linux", "offscreen", False),
        ({}, "win32", "windows", True),
        ({}, "darwin", "cocoa", True),
    ],
)
def test_platform_follows_the_environment(environ, name, plugin, display):
    chosen = system.choose_platform(environ, name)
    assert (chosen.plugin, chosen.display) == (plugin, display)
    assert chosen.reason


@pytest.fixture
def pyside(tmp_path):
    """Make a PySide6 folder with empty shared objects."""
    plugins = tmp_path / "PySide6" / "Qt" / "plugins"
    for name in ("platforms", "wayland-shell-integration"):
        (plugins / name).mkdir(parents=True)
    names = ("xcb", "minimal", "minimalegl", "wayland", "wayland-generic", "offscreen")
    for path in (
        *(plugins / "platforms" / f"libq{name}.so" for name in names),
        plugins / "wayland-shell-integration" / "libxdg-shell.so",
        plugins / "wayland-shell-integration" / "libivi-shell.so",
        tmp_path / "PySide6" / "QtGui.abi3.so",
        tmp_path / "PySide6" / "QtSql.abi3.so",
    ):
        path.touch()
    return tmp_path / "PySide6"


@pytest.mark.parametrize(
    ("plugin", "names"),
    [
        ("xcb", {"QtGui.abi3.so", "libqxcb.so"}),
        ("minimal", {"QtGui.abi3.so", "libqminimal.so"}),
        ("wayland", {"QtGui.abi3.so", "libqwayland.so", "libqwayland-generic.so", "libxdg-shell.so"}),
        ("no.such", {"QtGui.abi3.so"}),
    ],
)
def test_files_looked_at_are_those_of_the_plugin(pyside, plugin, names):
    assert {path.name for path in system.qt_files(pyside, plugin)} == names


def test_survey_names_packages_and_the_libraries_without_one(pyside):
    asked = []

    def run(command):
        asked.append(command)
        return LDD if command[0] == "ldd" else ""

    found = system.survey("xcb", pyside, "linux", run)
    assert found.checked
    assert found.libraries == ("libEGL.so.1", "libfontconfig.so.1", "libxcb-cursor.so.0", "libnovel.so.3")
    assert set(found.packages) >= {"libegl1", "libfontconfig1", "libxcb-cursor0"}
    assert found.unknown == ("libnovel.so.3",)
    assert asked[0][0] == "ldd"
    assert asked[0][-1].endswith("libqxcb.so")


def test_survey_without_ldd_or_qt_claims_nothing(pyside, tmp_path):
    for folder in (pyside, tmp_path / "nowhere"):
        found = system.survey("xcb", folder, "linux", lambda command: None)
        assert (found.checked, found.libraries, found.unknown) == (False, (), ())


def test_survey_of_other_systems_looks_at_nothing():
    found = system.survey("windows", system="win32", run=lambda command: pytest.fail("nothing to run"))
    assert (found.checked, found.libraries, found.fonts, found.packages) == (False, (), None, ())


def test_no_font_at_all_asks_for_the_font_package():
    assert system.Survey("offscreen", True, (), ()).packages == (system.FONT_PACKAGE,)
    assert system.Survey("offscreen", True, (), ("DejaVu Sans",)).packages == ()


def test_fonts_come_from_fontconfig_or_from_the_folders(tmp_path):
    (tmp_path / "bin").mkdir()
    (tmp_path / "data/fonts/deep").mkdir(parents=True)
    (tmp_path / "data/fonts/deep/Serious.TTF").touch()
    (tmp_path / "data/fonts/README").touch()
    environ = {"HOME": str(tmp_path), "XDG_DATA_DIRS": str(tmp_path / "data"), "PATH": str(tmp_path / "bin")}
    assert system.fonts(environ) == ("Serious",)
    assert system.fonts({**environ, "XDG_DATA_DIRS": str(tmp_path / "none")}) == ()

    tool = tmp_path / "bin" / "fc-list"
    tool.write_text("")
    tool.chmod(0o755)
    assert system.fonts(environ, lambda command: "Beta\nAlpha\nBeta\n\n") == ("Alpha", "Beta")


def test_install_command_is_one_line_and_right_for_the_reader():
    assert system.install_command(["a", "b"], as_root=True) == "apt-get install -y --no-install-recommends a b"
    assert system.install_command(["a"], as_root=False) == "sudo apt-get install -y --no-install-recommends a"
    assert system.install_command([]) is None


def test_a_command_that_cannot_start_gives_nothing(tmp_path):
    assert system.run_quietly([str(tmp_path / "none")]) is None
    assert system.run_quietly([sys.executable, "-c", "print('yes')"]) == "yes\n"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux has system libraries to look at")
def test_this_machine_can_draw_offscreen():
    found = system.survey("offscreen")
    assert found.checked
    assert found.libraries == ()
    assert found.fonts


def test_module_needs_nothing_but_the_standard_library():
    code = "import sys; sys.path.insert(0, sys.argv[1]); import pe_desktop.system; print(pe_desktop.__version__)"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, str(ROOT)],
        capture_output=True,
        text=True,
        check=True,
        env={"PATH": os.defpath},
    )
    assert done.stdout.count(".") == 2


def test_a_display_that_does_not_answer_is_named(tmp_path):
    for name in (":4077", "unix:4077", "localhost:4077.0"):
        assert system.display_trouble({"DISPLAY": name}) == f"The display {name} (DISPLAY) does not answer"


def test_a_display_that_answers_is_no_trouble(monkeypatch):
    server = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    with server:
        server.bind(("127.0.0.1", 0))
        server.listen(1)
        number = server.getsockname()[1] - 6000
        assert system.display_trouble({"DISPLAY": f"127.0.0.1:{number}"}) is None


def test_displays_that_are_left_to_qt():
    assert system.display_trouble({"DISPLAY": "/private/tmp/launch:0"}) is None
    assert system.display_trouble({"DISPLAY": ":4077", "QT_QPA_PLATFORM": "offscreen"}) is None
    assert system.display_trouble({"WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":4077"}) is None
    assert system.display_trouble({}) is None
