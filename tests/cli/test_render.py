"""pe-desktop render: a picture without a screen."""

from __future__ import annotations

import os

import pytest
from PySide6.QtGui import QImage

from tests.cli.helpers import process, refused, run


def colours(path):
    """Size, and the number of different colours on a grid of points."""
    image = QImage(str(path))
    assert not image.isNull()
    spots = [(x, y) for x in range(0, image.width(), 7) for y in range(0, image.height(), 7)]
    return (image.width(), image.height()), len({image.pixel(*spot) for spot in spots})


def files_in(folder):
    """Names of the files in a test's folder; a settings file would mean that drawing changed a person's window."""
    return sorted(os.listdir(folder))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_window(capsys, qapp, tmp_path, theme):
    path = tmp_path / "window.png"
    out = run(capsys, "render", "--out", str(path), "--size", "1024x768", "--theme", theme)
    assert out == f"{path}\n"
    size, count = colours(path)
    assert size == (1024, 768)
    assert count > 50
    assert files_in(tmp_path) == ["window.png"]


@pytest.mark.parametrize("more", [(), ("--present",)])
def test_a_lesson(capsys, qapp, tmp_path, more):
    path = tmp_path / "lesson.png"
    run(capsys, "render", "--out", str(path), "--size", "1024x768", "--lesson", "the-swap", "--step", "2", *more)
    size, count = colours(path)
    assert size == (1024, 768)
    assert count > 20
    assert files_in(tmp_path) == ["lesson.png"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ("--lesson", "the-swap", "--view", "matrix"),
            "--lesson plays no part in a picture of the matrix; leave it out.",
        ),
        (("--lesson", "the-swap", "--scheme", "rope"), "--scheme plays no part in a lesson; leave it out."),
        (("--step", "2"), "--step plays no part in a start without a lesson; leave it out."),
    ],
)
def test_a_lesson_that_cannot_be_drawn(capsys, tmp_path, arguments, sentence):
    assert refused(capsys, "render", "--out", str(tmp_path / "x.png"), *arguments) == sentence


def test_a_view(capsys, qapp, tmp_path):
    path = tmp_path / "matrix.png"
    run(capsys, "render", "--out", str(path), "--view", "matrix", "--size", "500x400", "--scheme", "rope")
    size, count = colours(path)
    assert size == (500, 400)
    assert count > 20


def test_a_view_that_waits_behind_another(capsys, qapp, tmp_path):
    path = tmp_path / "scores.png"
    run(capsys, "render", "--out", str(path), "--view", "scores", "--size", "500x400", "--causal")
    size, count = colours(path)
    assert size == (500, 400)
    assert count > 20


def test_themes_differ(capsys, qapp, tmp_path):
    found = []
    for theme in ("light", "dark"):
        path = tmp_path / f"{theme}.png"
        run(capsys, "render", "--out", str(path), "--theme", theme, "--view", "similarity", "--size", "400x300")
        found.append(QImage(str(path)).pixelColor(5, 5).lightness())
    assert found[0] > 200
    assert found[1] < 80


@pytest.mark.parametrize(("ending", "start"), [("svg", b"<?xml"), ("pdf", b"%PDF-")])
def test_other_formats(capsys, qapp, tmp_path, ending, start):
    path = tmp_path / f"view.{ending}"
    run(capsys, "render", "--out", str(path), "--view", "rotation", "--size", "400x300")
    content = path.read_bytes()
    assert content.startswith(start)
    assert len(content) > 2000


def test_what_cannot_be_written(capsys, qapp, tmp_path):
    missing = tmp_path / "missing" / "window.png"
    assert "cannot be written" in refused(capsys, "render", "--out", str(missing))
    assert files_in(tmp_path) == []


def test_as_a_process_without_any_display(tmp_path):
    path = tmp_path / "window.png"
    empty = {"HOME": str(tmp_path / "home"), "DISPLAY": "", "WAYLAND_DISPLAY": "", "QT_QPA_PLATFORM": ""}
    code, out, err = process("render", "--out", str(path), "--size", "1440x900", "--swap", **empty)
    assert (code, out, err) == (0, f"{path}\n", "")
    size, count = colours(path)
    assert size == (1440, 900)
    assert count > 50
