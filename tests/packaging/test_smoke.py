"""The smoke test itself: it must notice blank pictures, missing modules and an app that complains."""

import sys

import numpy as np
import pytest
import smoke
from PySide6.QtCore import QBuffer
from PySide6.QtGui import QImage

WARNINGS = """\
missing module named _winapi - imported by encodings (delayed, optional), asyncio.windows_events (top-level)
missing module named 'matplotlib.figure' - imported by pyqtgraph.widgets.MatplotlibWidget (top-level)
missing module named safetensors - imported by pe_desktop.files.tensors (delayed)
missing module named ml_dtypes - imported by numpy (optional), pe_desktop.files.tensors (top-level)
missing module named pe_desktop.shell.lost - imported by pe_desktop.app (delayed)
"""


def png(pixels, kind=QImage.Format.Format_RGB888):
    """Encode `pixels`, shape (height, width, channels), dtype uint8, as Qt does."""
    height, width, channels = pixels.shape
    buffer = QBuffer()
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    QImage(pixels.tobytes(), width, height, width * channels, kind).save(buffer, "PNG")
    return bytes(buffer.data().data())


def test_colours_are_counted_through_every_line_filter():
    ramp = np.add.outer(np.arange(48), np.arange(64)).astype(np.uint8)
    pixels = np.stack([ramp, ramp[::-1], np.random.default_rng(1).integers(0, 9, ramp.shape)], -1).astype(np.uint8)
    expected = len(np.unique(pixels.reshape(-1, 3), axis=0))
    assert smoke.check_picture(png(pixels), (64, 48)) == expected
    alpha = np.concatenate([pixels, np.full((48, 64, 1), 128, np.uint8)], -1)
    assert smoke.check_picture(png(alpha, QImage.Format.Format_RGBA8888), (64, 48)) == expected


def test_blank_wrong_and_damaged_pictures_are_noticed():
    with pytest.raises(smoke.SmokeError, match="blank"):
        smoke.check_picture(png(np.full((48, 64, 3), 240, np.uint8)), (64, 48))
    with pytest.raises(smoke.SmokeError, match="64 × 48"):
        smoke.check_picture(png(np.zeros((48, 64, 3), np.uint8)), (1440, 900))
    with pytest.raises(smoke.SmokeError, match="not a PNG"):
        smoke.check_picture(b"GIF89a", (64, 48))


def test_only_modules_that_the_lab_needs_count_as_missing():
    assert smoke.missing_modules(WARNINGS) == ["ml_dtypes", "pe_desktop.shell.lost"]
    assert smoke.missing_modules("") == []


def test_missing_module_ends_the_smoke_test(tmp_path, capsys):
    (tmp_path / "warn.txt").write_text(WARNINGS)
    (tmp_path / "app").mkdir()
    assert smoke.main([str(tmp_path / "app"), str(tmp_path / "warn.txt")]) == 1
    assert "ml_dtypes" in capsys.readouterr().err
    assert smoke.main([str(tmp_path / "none")]) == 2
    assert smoke.main([]) == 2


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in app is a shell script")
@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("echo 'qt.qpa.plugin: Could not find the Qt platform plugin' >&2", "platform plugin"),
        ("echo ModuleNotFoundError: numpy >&2", "ModuleNotFoundError"),
        ("exit 9", "ended with 9"),
    ],
)
def test_app_that_complains_is_noticed(tmp_path, script, said):
    (tmp_path / "app").mkdir()
    program = tmp_path / "app" / "pe-desktop"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    with pytest.raises(smoke.SmokeError, match=said):
        smoke.smoke(tmp_path / "app", None)
