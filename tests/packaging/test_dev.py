"""What each sub-command of packaging/dev.py starts; nothing is installed here."""

import ast
import subprocess
import sys
from pathlib import Path

import dev
import pytest
from environment import TroubleError

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "packaging" / "dev.py"


class FakeEnvironment:
    """Notes what it is asked for, and answers with the next of `codes`."""

    def __init__(self, codes=()):
        self.packages = Path("/env/site-packages")
        self.codes = list(codes)
        self.ensured = []
        self.started = []
        self.base = {"PATH": "/bin", "QT_SCALE_FACTOR": "2"}

    def ensure(self, *extras):
        self.ensured.append(extras)

    def variables(self, **changes):
        return {**self.base, **changes}

    def run(self, arguments, variables=None, folder=None):
        self.started.append((list(arguments), variables, folder))
        return self.codes.pop(0) if self.codes else 0


@pytest.fixture
def provided(monkeypatch):
    """Return the platform plugins whose libraries were asked for."""
    plugins = []
    monkeypatch.setattr(dev, "provide", lambda plugin, pyside: plugins.append(plugin))
    monkeypatch.setattr(dev.system.sys, "platform", "linux")
    return plugins


def test_every_python_3_gets_the_plain_sentence():
    ast.parse(SCRIPT.read_text(encoding="utf-8"), feature_version=(3, 7))
    code = (
        "import runpy, sys; sys.hexversion = 0x030A00F0; sys.version = '3.10.0 (old)'; "
        "runpy.run_path(sys.argv[1], run_name='__main__')"
    )
    done = subprocess.run([sys.executable, "-c", code, str(SCRIPT)], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == "dev.py: error: PE Desktop needs Python 3.11 or later, and this is 3.10.0.\n"


def test_help_names_every_command(capsys):
    with pytest.raises(SystemExit) as ended:
        dev.main(["--help"])
    assert ended.value.code == 0
    shown = capsys.readouterr().out
    assert all(command.usage in shown and command.summary in shown for command in dev.COMMANDS.values())


@pytest.mark.parametrize("arguments", [[], ["fly"]])
def test_wrong_command_is_a_usage_error(arguments, capsys):
    with pytest.raises(SystemExit) as ended:
        dev.main(arguments)
    assert ended.value.code == 2
    assert "usage:" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "shown", "code"),
    [
        (TroubleError("No luck."), "dev.py: error: No luck.\n", 1),
        (PermissionError(13, "Permission denied", "/env/x"), "dev.py: error: Permission denied: /env/x\n", 1),
        (KeyboardInterrupt(), "", 130),
    ],
)
def test_trouble_is_one_sentence(monkeypatch, capsys, error, shown, code):
    def fail(environment, arguments):
        raise error

    monkeypatch.setitem(dev.COMMANDS, "run", dev.Command("run", "", fail))
    assert dev.main(["run"]) == code
    assert capsys.readouterr().err == shown


def test_run_without_display_draws_the_window(provided, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    environment = FakeEnvironment()
    assert dev.run(environment, ["--scheme", "rope"]) == 0
    picture = str(tmp_path / "pe-desktop-window.png")
    ((arguments, variables, folder),) = environment.started
    assert arguments == [
        *("-m", "pe_desktop", "render", "--view", "window", "--out", picture),
        *("--scheme", "rope"),
    ]
    assert variables["QT_QPA_PLATFORM"] == "offscreen"
    assert folder == tmp_path
    assert provided == ["offscreen"]
    shown = capsys.readouterr().out
    assert "no display" in shown
    assert picture in shown
    assert "QT_QPA_PLATFORM=vnc" in shown
    assert "5900" in shown


def test_run_without_display_passes_a_failure_on(provided, capsys):
    assert dev.run(FakeEnvironment(codes=[2]), ["--scheme", "nonsense"]) == 2
    assert "The window is in" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("variables", "plugin"),
    [
        ({"DISPLAY": ":0"}, "xcb"),
        ({"WAYLAND_DISPLAY": "w"}, "wayland"),
        ({"QT_QPA_PLATFORM": "vnc"}, "vnc"),
        ({"QT_QPA_PLATFORM": "offscreen"}, "offscreen"),
    ],
)
def test_run_opens_the_window_where_there_is_a_place_for_it(provided, variables, plugin):
    environment = FakeEnvironment()
    environment.base |= variables
    assert dev.run(environment, ["table.npy"]) == 0
    assert provided == [plugin]
    assert environment.started == [(["-m", "pe_desktop", "table.npy"], environment.base, Path.cwd())]


@pytest.mark.parametrize(
    ("arguments", "plugins"),
    [(["values", "--json"], []), (["doctor"], []), (["--help"], []), (["render", "--out", "x.png"], ["offscreen"])],
)
def test_run_passes_the_labs_own_verbs_on(provided, arguments, plugins):
    environment = FakeEnvironment(codes=[3])
    assert dev.run(environment, arguments) == 3
    assert environment.started[0][0] == ["-m", "pe_desktop", *arguments]
    assert provided == plugins


def test_test_runs_pytest_the_same_everywhere(provided):
    environment = FakeEnvironment(codes=[5])
    assert dev.test(environment, ["-k", "rope"]) == 5
    assert environment.ensured == [("dev",)]
    assert provided == ["offscreen"]
    ((arguments, variables, folder),) = environment.started
    assert arguments == ["-m", "pytest", "-n", "logical", "--dist", "loadfile", "-k", "rope"]
    assert {name: variables.pop(name) for name in dev.ONE_THREAD} == dev.ONE_THREAD
    assert variables == {"PATH": "/bin", "QT_QPA_PLATFORM": "offscreen", "LC_ALL": "C.UTF-8"}
    assert folder is None


@pytest.mark.parametrize(
    ("codes", "result", "last"),
    [([0, 0, 0], 0, "lint: all clean"), ([1, 0, 0], 1, "ruff check . failed"), ([0, 1, 2], 1, "mypy failed")],
)
def test_lint_runs_every_check(codes, result, last, capsys):
    environment = FakeEnvironment(codes)
    assert dev.lint(environment, []) == result
    assert [arguments[1] for arguments, _, _ in environment.started] == ["ruff", "ruff", "mypy"]
    assert last in capsys.readouterr().out.splitlines()[-1]


def test_bench_and_pictures_start_the_lab(provided, monkeypatch, tmp_path, capsys):
    environment = FakeEnvironment()
    assert dev.bench(environment, ["--quick"]) == 0
    assert environment.ensured == [("dev", "bench")]
    assert environment.started.pop()[0] == ["-m", "tests.benchmarks", "--quick"]

    monkeypatch.setattr(dev, "ROOT", tmp_path)
    assert dev.pictures(environment, []) == 0
    assert len(environment.started) == len(dev.PICTURES)
    assert all("render" in arguments and "window" in arguments for arguments, _, _ in environment.started)
    assert (tmp_path / "docs" / "pictures").is_dir()
    with pytest.raises(TroubleError, match=dev.PICTURES[0][0]):
        dev.pictures(FakeEnvironment(codes=[2]), [])


def test_golden_runs_every_golden_test_and_names_the_file(provided):
    environment = FakeEnvironment()
    assert dev.golden(environment, []) == 0
    ((arguments, variables, _),) = environment.started
    assert arguments[:3] == ["-m", "pytest", "-q"]
    modules = {path.name for path in (ROOT / "tests" / "core").glob("test_golden_*.py")}
    assert {Path(argument).name for argument in arguments[3:]} == modules
    assert len(modules) >= 5
    assert Path(variables["PE_DESKTOP_GOLDEN"]) == ROOT / "pe_desktop" / "resources" / "golden.json"


def test_bundle_builds_then_tries_the_app(provided, monkeypatch, capsys):
    monkeypatch.setattr(dev, "provide_bundler", lambda: None)
    environment = FakeEnvironment(codes=[0, 7])
    assert dev.bundle(environment, []) == 7
    assert environment.ensured == [("bundle",)]
    build, smoke = (arguments for arguments, _, _ in environment.started)
    assert build[:2] == ["-m", "PyInstaller"]
    assert build[-1].endswith("pe_desktop.spec")
    assert smoke[0].endswith("smoke.py")
    assert provided == ["offscreen", "xcb", "wayland"]
    with pytest.raises(TroubleError, match="could not be built"):
        dev.bundle(FakeEnvironment(codes=[1]), [])
