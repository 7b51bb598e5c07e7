"""Missing system libraries are installed as root on Debian, and otherwise told."""

from pathlib import Path

import provision
import pytest
from environment import TroubleError

from pe_desktop import system

WHOLE = system.Survey("xcb", True, (), ("DejaVu Sans",))
LACKING = system.Survey("xcb", True, ("libxcb-cursor.so.0",), ("DejaVu Sans",))
NO_FONT = system.Survey("xcb", True, (), ())
UNKNOWN = system.Survey("xcb", True, ("libnovel.so.3",), ("DejaVu Sans",))


class Machine:
    """A made-up machine: what each survey finds, and what apt-get was asked."""

    def __init__(self, monkeypatch, tmp_path):
        self.surveys = [WHOLE]
        self.codes = []
        self.commands = []
        self.root = True
        self.apt = True
        self.lists = tmp_path
        monkeypatch.setattr(system, "survey", lambda plugin, pyside: self.surveys.pop(0))
        monkeypatch.setattr(system, "is_root", lambda: self.root)
        monkeypatch.setattr(system, "has_apt", lambda: self.apt)
        monkeypatch.setattr(provision, "_LISTS", tmp_path)
        monkeypatch.setattr(provision, "run_shown", self._run)

    def _run(self, command, variables):
        assert variables["DEBIAN_FRONTEND"] == "noninteractive"
        self.commands.append((command[1], command[-1]))
        return (self.codes.pop(0) if self.codes else 0), "E: Unable to locate package"

    def with_lists(self):
        (self.lists / "mirror_Packages").touch()
        return self


@pytest.fixture
def machine(monkeypatch, tmp_path):
    """Make a machine where nothing is missing, seen by root."""
    return Machine(monkeypatch, tmp_path)


def provide():
    provision.provide("xcb", Path("/env/PySide6"))


def test_nothing_happens_where_nothing_is_missing(machine, capsys):
    provide()
    assert machine.commands == []
    assert capsys.readouterr().out == ""


def test_root_installs_after_fetching_lists_that_are_not_there(machine):
    machine.surveys = [LACKING, WHOLE]
    provide()
    assert machine.commands == [("update", "-q"), ("install", "libxcb-cursor0")]


def test_root_fetches_old_lists_again_only_when_needed(machine):
    machine.with_lists()
    machine.surveys = [LACKING, WHOLE]
    provide()
    assert machine.commands == [("install", "libxcb-cursor0")]

    machine.commands.clear()
    machine.surveys, machine.codes = [LACKING, WHOLE], [100, 0, 0]
    provide()
    assert [command for command, _ in machine.commands] == ["install", "update", "install"]


def test_apt_that_fails_is_told_with_its_last_lines(machine):
    machine.surveys, machine.codes = [LACKING], [0, 100]
    with pytest.raises(TroubleError, match="Unable to locate package"):
        provide()


def test_others_are_told_the_one_command(machine):
    machine.surveys, machine.root = [LACKING], False
    with pytest.raises(TroubleError, match=r"libxcb-cursor\.so\.0.*\n  sudo apt-get install .* libxcb-cursor0$"):
        provide()
    assert machine.commands == []


def test_other_systems_are_told_the_libraries(machine):
    machine.surveys, machine.apt = [LACKING], False
    with pytest.raises(TroubleError, match=r"libxcb-cursor\.so\.0.*On Debian .* libxcb-cursor0\.$"):
        provide()


def test_library_without_a_known_package_is_named(machine):
    machine.surveys = [UNKNOWN]
    with pytest.raises(TroubleError, match=r"No Debian package is known here for libnovel\.so\.3\.$"):
        provide()


def test_missing_font_does_not_keep_the_window_closed(machine, capsys):
    machine.surveys, machine.root = [NO_FONT], False
    provide()
    assert "fonts-dejavu-core" in capsys.readouterr().out

    machine.surveys, machine.root = [NO_FONT, WHOLE], True
    provide()
    assert machine.commands[-1] == ("install", "fonts-dejavu-core")


def test_what_the_bundler_needs_is_installed_or_told(machine, monkeypatch, tmp_path):
    variables = {"INSTSONAME": "libpython3.so.1.0", "LIBDIR": str(tmp_path), "MULTIARCH": "some-linux"}
    monkeypatch.setattr(provision.sysconfig, "get_config_var", variables.get)
    monkeypatch.setattr(provision.shutil, "which", lambda tool: None)
    with pytest.raises(TroubleError, match=r"apt-get install .* binutils libpython3\.\d+$"):
        provision.provide_bundler()
    assert machine.commands[-1][0] == "install"

    machine.commands.clear()
    (tmp_path / "some-linux").mkdir()
    (tmp_path / "some-linux" / "libpython3.so.1.0").touch()
    monkeypatch.setattr(provision.shutil, "which", lambda tool: "/usr/bin/objdump")
    provision.provide_bundler()
    assert machine.commands == []
