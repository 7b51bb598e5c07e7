"""What CONTRIBUTING tells of lessons is what the program takes."""

from __future__ import annotations

import re
from pathlib import Path

from pe_desktop.lessons.check import check
from pe_desktop.lessons.quantities import table
from pe_desktop.lessons.reading import parse_lesson

TEXT = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")


def example() -> str:
    return re.search(r"```toml\n(.*?)```", TEXT, re.DOTALL)[1]


def test_the_example_can_be_read_and_holds(qapp):
    lesson = parse_lesson(example(), "example.pelesson")
    assert lesson.title == "Swap two words"
    assert [each.verdict.says for each in check(lesson).failures] == []


def test_the_table_names_every_quantity():
    assert table() in TEXT
