"""The project's environment: made once, left alone while it is right, repaired when it is not."""

import json
import sys
import venv

import environment as subject
import pytest
from environment import Environment, TroubleError

PROJECT = """
[build-system]
requires = ["hatchling"]
[project]
name = "x"
dependencies = ["numpy"]
[tool.ruff]
line-length = {width}
"""


@pytest.fixture
def project(tmp_path):
    """Make a project with a complete environment that holds one distribution."""
    (tmp_path / "pyproject.toml").write_text(PROJECT.format(width=100))
    project = Environment(tmp_path)
    venv.create(project.folder, symlinks=True)
    (project.packages / "pip").mkdir()
    (project.packages / "pip" / "__init__.py").touch()
    (project.packages / "numpy-2.0.dist-info").mkdir()
    write_stamp(project)
    return project


def write_stamp(project, **changes):
    content = {"key": project.key(), "extras": ["dev"], "distributions": ["numpy-2.0.dist-info"], **changes}
    (project.folder / subject.STAMP).write_text(json.dumps(content))


@pytest.fixture
def commands(monkeypatch):
    """Note the commands that would make environments or install packages, instead of running them."""
    noted = []

    def run_shown(command, variables, shown=()):
        noted.append(command[1:3] + command[-1:])
        if "venv" in command:
            venv.create(command[-1])
        return 0, ""

    monkeypatch.setattr(subject, "run_shown", run_shown)
    return noted


def test_complete_environment_is_left_alone(project, commands):
    project.ensure()
    project.ensure("dev")
    assert commands == []


def test_texts_and_linter_settings_do_not_cause_an_installation(project, commands):
    text = PROJECT.format(width=120).replace('"x"', '"x"\ndescription = "new"')
    (project.root / "pyproject.toml").write_text(text)
    project.ensure("dev")
    assert commands == []


def test_further_extras_are_added_to_those_there(project, commands):
    project.ensure("bundle")
    assert commands == [["-m", "pip", f"{project.root}[bundle,dev]"]]
    assert json.loads((project.folder / subject.STAMP).read_text())["extras"] == ["bundle", "dev"]
    project.ensure("dev", "bundle")
    assert len(commands) == 1


def test_changed_dependencies_are_installed(project, commands):
    path = project.root / "pyproject.toml"
    path.write_text(path.read_text().replace("numpy", "numpy>=2"))
    project.ensure()
    assert commands == [["-m", "pip", f"{project.root}[dev]"]]


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"key": "x"}', None])
def test_unreadable_stamp_means_an_installation(project, commands, content):
    stamp = project.folder / subject.STAMP
    stamp.unlink() if content is None else stamp.write_text(content)
    project.ensure("dev")
    assert commands == [["-m", "pip", f"{project.root}[dev]"]]


def test_removed_distribution_is_installed_again(project, commands):
    (project.packages / "numpy-2.0.dist-info").rmdir()
    project.ensure()
    assert commands == [["-m", "pip", f"{project.root}[dev]"]]


def test_dead_interpreter_means_a_new_environment(project, commands, capsys):
    project.python.unlink()
    project.ensure()
    assert commands[0] == ["-m", "venv", str(project.folder)]
    assert commands[1][:2] == ["-m", "pip"]
    assert "anew" in capsys.readouterr().out


def test_environment_without_pip_is_replaced(project, commands):
    (project.packages / "pip" / "__init__.py").unlink()
    (project.packages / "pip").rmdir()
    (project.folder / subject.STAMP).unlink()
    project.ensure()
    assert [command[1] for command in commands] == ["venv", "pip"]


def test_failed_installation_leaves_no_stamp(project, monkeypatch):
    monkeypatch.setattr(subject, "run_shown", lambda *arguments: (1, "ERROR: something odd"))
    with pytest.raises(TroubleError, match="something odd"):
        project.ensure("bench")
    assert not (project.folder / subject.STAMP).exists()


def test_python_without_venv_names_the_debian_package(tmp_path, monkeypatch):
    (tmp_path / "pyproject.toml").write_text(PROJECT.format(width=100))
    monkeypatch.setattr(subject.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(TroubleError, match=rf"apt-get install python3\.{sys.version_info[1]}-venv"):
        Environment(tmp_path).ensure()


@pytest.mark.parametrize(
    ("output", "said"),
    [
        ("WARNING: Retrying … NewConnectionError('…')\nERROR: No matching distribution", "cannot be reached"),
        ("Temporary failure in name resolution", "cannot be reached"),
        ("ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device", "disk is full"),
        ("\n".join(f"line {number}" for number in range(40)), "line 39"),
    ],
)
def test_pip_failures_are_explained(output, said):
    sentence = subject.explain_pip(output)
    assert said in sentence
    assert "line 20" not in sentence


def test_shown_lines_are_printed_and_all_are_kept(capsys):
    code = "print('Collecting a'); print('noise'); raise SystemExit(3)"
    assert subject.run_shown([sys.executable, "-c", code], {}, ("Collecting ",)) == (3, "Collecting a\nnoise")
    assert capsys.readouterr().out == "  Collecting a\n"
    assert subject.run_shown(["/no/such/program"], {})[0] == 1


def test_child_processes_see_no_foreign_packages(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "/elsewhere")
    monkeypatch.setenv("PE_DESKTOP_TRACE", "1")
    variables = Environment(tmp_path).variables(QT_QPA_PLATFORM="offscreen")
    assert "PYTHONPATH" not in variables
    assert variables["PE_DESKTOP_TRACE"] == "1"
    assert variables["QT_QPA_PLATFORM"] == "offscreen"


def test_run_returns_the_exit_code_from_the_folder_asked_for(project, tmp_path):
    (tmp_path / "sub").mkdir()
    code = "import os, sys; sys.exit(4 if os.getcwd().endswith('sub') else 5)"
    assert project.run(["-c", code], folder=tmp_path / "sub") == 4
    assert project.run(["-c", code]) == 5


def test_windows_paths(tmp_path):
    windows = Environment(tmp_path, windows=True)
    assert windows.python == tmp_path / ".venv" / "Scripts" / "python.exe"
    assert windows.packages == tmp_path / ".venv" / "Lib" / "site-packages"
