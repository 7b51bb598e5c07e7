"""The wheel and the source archive hold what the lab needs, and the installed wheel works away from the checkout."""

import json
import os
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

from pe_desktop import __version__

ROOT = Path(__file__).resolve().parents[2]
RESOURCES = {
    path.relative_to(ROOT).as_posix()
    for path in (ROOT / "pe_desktop" / "resources").rglob("*")
    if path.is_file() and "__pycache__" not in path.parts
}
WINDOWS = os.name == "nt"


def _run(command, folder):
    variables = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def archives(tmp_path_factory):
    """Build wheel and source archive with the backend that is installed, so without the network."""
    folder = tmp_path_factory.mktemp("dist")
    _run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-t", "sdist", "-d", str(folder)], ROOT)
    return next(folder.glob("*.whl")), next(folder.glob("*.tar.gz"))


@pytest.fixture(scope="module")
def installed(archives, tmp_path_factory):
    """Install the wheel alone into an environment that borrows numpy and Qt from this one."""
    folder = tmp_path_factory.mktemp("installed") / "env"
    venv.create(folder, symlinks=not WINDOWS)
    python = folder / ("Scripts/python.exe" if WINDOWS else "bin/python")
    options = ["--no-deps", "--no-index", "--disable-pip-version-check", "--quiet"]
    _run([sys.executable, "-m", "pip", "--python", str(python), "install", *options, str(archives[0])], folder)
    # Path lines of a .pth file are appended without reading the .pth files in them, so an editable pe-desktop of this
    # environment stays invisible.
    packages = Path(_run([str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], folder).strip())
    (packages / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return python


def test_resources_exist():
    assert RESOURCES


def test_wheel_holds_the_package_and_its_resources_only(archives):
    names = {name for name in zipfile.ZipFile(archives[0]).namelist() if not name.endswith("/")}
    assert names >= RESOURCES
    assert {name.split("/")[0] for name in names} == {"pe_desktop", f"pe_desktop-{__version__}.dist-info"}
    assert f"pe_desktop-{__version__}.dist-info/licenses/LICENSE" in names


def test_source_archive_can_be_tested_and_bundled(archives):
    with tarfile.open(archives[1]) as archive:
        names = {name.split("/", 1)[1] for name in archive.getnames() if "/" in name}
    assert names >= RESOURCES
    assert names >= {"LICENSE", "README.md", "pyproject.toml", "packaging/dev.py", "packaging/pe_desktop.spec"}
    assert "tests/packaging/test_wheel.py" in names
    assert not {name.split("/")[0] for name in names} & {".venv", "build", "dist"}


def test_installed_command_computes(installed, tmp_path):
    command = installed.with_name("pe-desktop.exe" if WINDOWS else "pe-desktop")
    state = ["--scheme", "sinusoidal", "--dimension", "4", "--positions", "0,1"]
    values = json.loads(_run([str(command), "values", *state, "--what", "encoding", "--json"], tmp_path))["values"]
    assert values[0] == [0.0, 1.0, 0.0, 1.0]
    assert values[1] == pytest.approx([0.8414709848, 0.5403023059, 0.0099998333, 0.9999500004], abs=1e-9)


def test_installed_resources_are_readable_outside_the_checkout(installed, tmp_path):
    code = """
import json, pathlib, sys
from importlib import resources
import pe_desktop

def sizes(place, prefix):
    for entry in place.iterdir():
        if entry.is_dir():
            yield from sizes(entry, f"{prefix}/{entry.name}")
        else:
            yield f"{prefix}/{entry.name}", len(entry.read_bytes())

found = dict(sizes(resources.files("pe_desktop") / "resources", "pe_desktop/resources"))
print(json.dumps([pe_desktop.__file__, found]))
"""
    place, sizes = json.loads(_run([str(installed), "-c", code], tmp_path))
    assert Path(place).is_relative_to(installed.parent.parent)
    assert {name: size for name, size in sizes.items() if "__pycache__" not in name} == {
        name: (ROOT / name).stat().st_size for name in RESOURCES
    }
