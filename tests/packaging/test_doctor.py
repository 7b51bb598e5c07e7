"""The doctor answers on healthy, incomplete and broken installations."""

import importlib
import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from pe_desktop import __version__, doctor, golden, system

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def healthy(monkeypatch):
    """Let the system lack nothing, whatever it is."""
    found = system.Survey("offscreen", True, (), ("DejaVu Sans",))
    monkeypatch.setattr(system, "survey", lambda plugin: found)


@pytest.mark.usefixtures("healthy")
def test_a_healthy_installation_has_versions_and_no_problem():
    report = doctor.report()
    assert report["ok"]
    assert report["problems"] == []
    assert report["versions"]["pe-desktop"] == __version__
    assert report["versions"]["Qt"].startswith("6.10.")
    assert set(report["versions"]) == {"pe-desktop", "python", "numpy", "PySide6", "pyqtgraph", "Qt"}
    assert all(report["versions"].values())
    assert json.loads(json.dumps(report)) == report


@pytest.mark.usefixtures("healthy")
def test_it_tells_how_near_the_numbers_come_to_other_libraries(monkeypatch):
    report = doctor.report()
    assert len(report["golden"]) >= 10
    assert all(0 <= each["share"] <= 1 and each["numbers"] > 0 and each["libraries"] for each in report["golden"])
    numbers = sum(each["numbers"] for each in report["golden"])
    assert f"{numbers:,} numbers in {len(report['golden'])} quantities" in doctor.text(report)
    monkeypatch.setattr(golden, "findings", tuple)
    report = doctor.report()
    assert report["golden"] == []
    assert any("golden.json" in problem for problem in report["problems"])
    assert "compared    unknown" in doctor.text(report)


@pytest.mark.parametrize(
    "content", [None, "", "[]", '{"quantities": [{"quantity": "x"}]}', '{"quantities": 3}', "[" * 9]
)
def test_a_damaged_comparison_is_no_failure(monkeypatch, tmp_path, content):
    if content is not None:
        (tmp_path / "golden.json").write_text(content)
    monkeypatch.setattr(golden.resources, "files", lambda package: tmp_path)
    assert golden.findings() == ()


@pytest.mark.usefixtures("healthy")
def test_text_says_everything_the_report_knows():
    report = doctor.report()
    shown = doctor.text(report)
    assert "Nothing is missing." in shown
    for known in (__version__, report["versions"]["numpy"], report["platform"]["reason"], "DejaVu Sans"):
        assert known in shown


def test_missing_libraries_and_fonts_are_named_with_the_command(monkeypatch):
    lacking = system.Survey("xcb", True, ("libxcb-cursor.so.0", "libnovel.so.3"), ())
    monkeypatch.setattr(system, "survey", lambda plugin: lacking)
    monkeypatch.setattr(system, "is_root", lambda: False)
    monkeypatch.setenv("QT_QPA_PLATFORM", "xcb")
    report = doctor.report()
    assert not report["ok"]
    assert report["libraries"]["missing"] == {"libxcb-cursor.so.0": "libxcb-cursor0", "libnovel.so.3": None}
    assert report["libraries"]["command"] == (
        "sudo apt-get install -y --no-install-recommends fonts-dejavu-core libxcb-cursor0"
    )
    shown = doctor.text(report)
    assert report["libraries"]["command"] in shown
    assert "libnovel.so.3 (package unknown)" in shown
    assert "No font is installed" in shown


@pytest.mark.usefixtures("healthy")
@pytest.mark.parametrize(
    "error", [ImportError("libEGL.so.1: cannot open shared object file"), RuntimeError(""), SystemError("odd")]
)
def test_qt_that_does_not_load_is_a_problem_not_a_failure(monkeypatch, error):
    def refuse(name):
        raise error

    monkeypatch.setattr(importlib, "import_module", refuse)
    report = doctor.report()
    assert report["versions"]["Qt"] is None
    assert [str(error) in problem for problem in report["problems"]] == [True]
    assert "Qt          not found" in doctor.text(report)


def test_answers_where_nothing_is_installed():
    code = (
        "import sys, json; sys.path.insert(0, sys.argv[1]); from pe_desktop import doctor; found = doctor.report(); "
        "doctor.text(found); print(json.dumps(found))"
    )
    command = [sys.executable, "-I", "-S", "-c", code, str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    report = json.loads(done.stdout)
    assert done.stderr == ""
    assert {name for name, version in report["versions"].items() if version is None} == {
        "numpy",
        "PySide6",
        "pyqtgraph",
        "Qt",
    }
    assert "numpy is not installed." in report["problems"]


def test_command_answers_when_qt_cannot_be_imported():
    code = (
        "import sys; sys.path.insert(0, sys.argv.pop(1)); sys.modules['PySide6'] = None; "
        "from pe_desktop.__main__ import main; sys.exit(main())"
    )
    command = [sys.executable, "-c", code, str(ROOT), "doctor", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    report = json.loads(done.stdout)
    assert report["versions"]["Qt"] is None
    assert any(problem.startswith("Qt does not load") for problem in report["problems"])


def test_qt_window_modules_stay_unimported():
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); from pe_desktop import doctor; doctor.report(); "
        "print([name for name in sys.modules if name in ('PySide6.QtGui', 'PySide6.QtWidgets', 'pyqtgraph', 'numpy')])"
    )
    done = subprocess.run([sys.executable, "-c", code, str(ROOT)], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def _requirements():
    with (ROOT / "pyproject.toml").open("rb") as file:
        listed = map(Requirement, tomllib.load(file)["project"]["dependencies"])
    return {requirement.name: requirement.specifier for requirement in listed}


@pytest.mark.parametrize(
    ("shown", "version", "bad"),
    [
        ("PySide6", "6.10.3", False),
        ("PySide6", "6.10.2", False),
        ("PySide6", "6.10.1", True),
        ("PySide6", "6.9.2", True),
        ("PySide6", "5.15.2", True),
        ("PySide6", "6.11.0", True),
        ("PySide6", "6.12.0", True),
        ("pyqtgraph", "0.14.0", False),
        ("pyqtgraph", "0.13.7", True),
        ("numpy", "1.26.4", True),
        ("numpy", "2.4.6", False),
    ],
)
def test_known_bad_releases_are_warned_about_and_not_installed(shown, version, bad):
    problems = doctor.version_problems({shown: version})
    assert bool(problems) is bad
    assert all(version in problem for problem in problems)
    distribution = "PySide6-Essentials" if shown == "PySide6" else shown
    assert _requirements()[distribution].contains(version) is not bad
