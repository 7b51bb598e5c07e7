"""What the numbers on screen say about the claims of a step: quietly, and live."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from pe_desktop.controls.look import GRID, HALF, Look, look_of
from pe_desktop.controls.properties_panel import LightMark
from pe_desktop.core.numerals import significant
from pe_desktop.lessons.expression import Expectation, Verdict
from pe_desktop.lessons.words import Words
from pe_desktop.theme import LIGHT

_SIGNS = ((" == ", " = "), (" != ", " ≠ "), (" <= ", " ≤ "), (" >= ", " ≥ "), (" * ", " · "), (" ** ", "^"))
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w.])")
MOST_DIGITS = 15
TITLE = "What the numbers say"


@dataclass(frozen=True)
class Check:
    """A claim, whether it holds now, and the numbers it was judged by."""

    claim: str
    holds: bool
    now: str = ""

    @classmethod
    def of(cls, expectation: Expectation, verdict: Verdict) -> Check:
        """What a verdict says, in the words of the screen."""
        claim = readable(expectation.text)
        if verdict.missing:
            return cls(claim, False, readable(verdict.says))
        parts = [readable(part.split(", expected", 1)[0]) for part in verdict.says.split("; ")]
        if len(parts) == 1 and " is " in parts[0]:
            name, value = parts[0].split(" is ", 1)
            if claim.startswith(name):
                return cls(claim, verdict.holds, f"now {_shown(value, verdict.holds)}")
        return cls(claim, verdict.holds, "; ".join(_shown(part, verdict.holds) for part in parts))


def _shown(text: str, holds: bool) -> str:
    """Numbers with few digits; where a claim fails all stay that show why."""

    def rewrite(found: re.Match[str]) -> str:
        return significant(float(found[0]), 4 if holds else MOST_DIGITS)

    return _NUMBER.sub(rewrite, text)


def readable(text: str) -> str:
    """An expectation with the signs of print, names without underscores."""
    for written, shown in _SIGNS:
        text = text.replace(written, shown)
    return text.replace("_", " ")


class CheckLine(QWidget):
    """● holds, ○ does not; the claim and the number there is now."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._mark = LightMark(self)
        self._claim = Words("lesson_check_claim", "small")
        self._now = Words("lesson_check_now", "small", muted=True)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(HALF)
        grid.setVerticalSpacing(0)
        grid.addWidget(self._mark, 0, 0)
        grid.addWidget(self._claim, 0, 1)
        grid.addWidget(self._now, 1, 1)
        grid.setColumnStretch(1, 1)

    def show_check(self, check: Check) -> None:
        """Show another claim, or another number."""
        self._mark.set_holds(check.holds)
        self._claim.say(check.claim)
        self._now.say(check.now)
        self.setAccessibleName(f"{check.claim}: {'holds' if check.holds else 'does not hold'}, {check.now}")

    def set_look(self, look: Look) -> None:
        """Restyle."""
        for part in (self._mark, self._claim, self._now):
            part.set_look(look)


class ChecksBox(QWidget):
    """All claims of a step; takes no room without one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("lesson_checks")
        self._title = Words("lesson_checks_title", "small", muted=True)
        self._title.setText(TITLE)
        self._lines: list[CheckLine] = []
        self._shown: tuple[Check, ...] = ()
        self._look = look_of(LIGHT)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, GRID, 0, 0)
        self._column.setSpacing(HALF)
        self._column.addWidget(self._title)
        self.hide()

    @property
    def shown(self) -> tuple[Check, ...]:
        """What is on screen."""
        return self._shown

    def show_checks(self, checks: Sequence[Check]) -> bool:
        """Show the claims as they are now; True if something has changed."""
        if tuple(checks) == self._shown:
            return False
        self._shown = tuple(checks)
        # Lines are kept: PySide never gives back a few references for each widget that is made.
        while len(self._lines) < len(checks):
            line = CheckLine(self)
            line.set_look(self._look)
            self._lines.append(line)
            self._column.addWidget(line)
        for line, check in zip(self._lines, checks, strict=False):
            line.show_check(check)
            line.show()
        for line in self._lines[len(checks) :]:
            line.hide()
        self.setVisible(bool(checks))
        return True

    def set_look(self, look: Look) -> None:
        """Restyle."""
        self._look = look
        self._title.set_look(look)
        for line in self._lines:
            line.set_look(look)
