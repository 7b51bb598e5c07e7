"""The hand-out: a PDF file, whole or not at all."""

from __future__ import annotations

import re

import pytest
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import Shiboken

from pe_desktop.core.errors import FieldError
from pe_desktop.core.state import LabState
from pe_desktop.lessons.lesson import Kind, Lesson, Prediction, Step
from pe_desktop.model.lab import Lab
from pe_desktop.shell.handout import print_handout

STATE = LabState()


def lesson(count: int) -> Lesson:
    asked = Prediction(Kind.DRAW, "Draw it.", "With ripples.")
    steps = [Step(f"Step {number}.", STATE, views=("matrix", "attention")) for number in range(count)]
    return Lesson("x", "Waves", "Why?", "Group", (*steps, Step("Guess.", STATE, prediction=asked)))


def pages(data: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", data))


@pytest.fixture(autouse=True)
def application(qapp):
    yield
    QApplication.processEvents()


def test_pages_follow_from_what_is_to_be_shown(tmp_path):
    target = tmp_path / "waves.pdf"
    sizes = []
    for count in (1, 5):
        print_handout(lesson(count), str(target))
        data = target.read_bytes()
        assert data.startswith(b"%PDF")
        # Every step with a matrix holds its picture and that of the colour bar.
        assert data.count(b"/Subtype /Image") >= count
        sizes.append(pages(data))
    assert sizes[0] < sizes[1]
    print_handout(lesson(5), str(target), answers=True)
    assert pages(target.read_bytes()) >= sizes[1]


def test_every_view_can_be_printed(tmp_path):
    from pe_desktop.lessons.names import VIEWS

    steps = tuple(Step("Look.", STATE.change({"scheme": "mrope"}), views=(view,)) for view in VIEWS)
    print_handout(Lesson("x", "All", "?", "G", steps), str(tmp_path / "all.pdf"), "dark")
    assert pages((tmp_path / "all.pdf").read_bytes()) >= 3


def test_nothing_of_it_is_left(tmp_path):
    """Widgets that wait for Python's collector to find them crash when it does."""
    before = {id(each) for each in Shiboken.getAllValidWrappers()}
    print_handout(lesson(2), str(tmp_path / "waves.pdf"))
    left = [each for each in Shiboken.getAllValidWrappers() if id(each) not in before]
    assert [type(each).__name__ for each in left if isinstance(each, QWidget | Lab)] == []


def test_another_suffix_is_refused(tmp_path):
    with pytest.raises(FieldError, match=r"must end in \.pdf"):
        print_handout(lesson(1), str(tmp_path / "waves.doc"))
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_not_there_is_told(tmp_path):
    with pytest.raises(FieldError, match="cannot be written"):
        print_handout(lesson(1), str(tmp_path / "none" / "waves.pdf"))


def test_an_old_file_stays_whole_when_a_step_cannot_be_drawn(tmp_path):
    target = tmp_path / "waves.pdf"
    target.write_bytes(b"old")
    broken = Lesson("x", "Waves", "Why?", "G", (Step("Look.", STATE, views=("nothing",)),))
    with pytest.raises(KeyError):
        print_handout(broken, str(target))
    assert target.read_bytes() == b"old"
    assert [each.name for each in tmp_path.iterdir()] == ["waves.pdf"]
