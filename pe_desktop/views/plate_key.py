"""What the lines and bars of a plate are: a look for each role, and the key that names them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen

from pe_desktop.theme import Theme
from pe_desktop.views.plate import PlateItem
from pe_desktop.views.plotting import faded

SWATCH = 22.0
GAP, APART = 5.0, 14.0
MOST_SHARE = 0.34  # of the height, for a key
LEAST_FOR_TWO = 5.5  # lines of a plate whose key may have two rows
# Strokes in pen widths: a role is told by its pattern as well as by its colour.
PATTERNS: dict[str, tuple[float, ...]] = {
    "main": (),
    "other": (6.0, 3.0),
    "query": (9.0, 3.0, 2.0, 3.0),
    "key": (2.0, 2.5),
    "trained": (9.0, 2.5, 2.0, 2.5, 2.0, 2.5),
    "faint": (),
}
HATCHINGS: dict[str, Qt.BrushStyle] = {
    "other": Qt.BrushStyle.BDiagPattern,
    "query": Qt.BrushStyle.HorPattern,
    "key": Qt.BrushStyle.VerPattern,
    "trained": Qt.BrushStyle.FDiagPattern,
}


def role_colour(role: str, theme: Theme) -> QColor:
    """The colour of a role."""
    plain = {"other": theme.other, "query": theme.query, "key": theme.key, "trained": theme.trained}
    return faded(theme.muted, 0.55) if role == "faint" else QColor(plain.get(role, theme.text))


def patterns(roles: Sequence[str]) -> list[tuple[float, ...]]:
    """The strokes of lines of some roles: a role's own, another for its second line; faint lines are all alike."""
    used: list[tuple[float, ...]] = []
    for role in roles:
        own = PATTERNS.get(role, ())
        others = [pattern for pattern in PATTERNS.values() if pattern not in used]
        used.append(own if role == "faint" or own not in used or not others else others[0])
    return used


def pen_of(role: str, pattern: tuple[float, ...], theme: Theme, *, fine: bool = False) -> QPen:
    """The pen of a line; `fine`: as thin as can be, for a line of very many points."""
    width = theme.pen * (1.0 if fine or role == "faint" else 1.7)
    pen = QPen(
        role_colour(role, theme), width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap, Qt.PenJoinStyle.RoundJoin
    )
    if pattern:
        pen.setDashPattern([stroke / 1.3 for stroke in pattern])
    return pen


@dataclass(frozen=True)
class Entry:
    """A name in the key with its pattern; a bar has none."""

    name: str
    role: str
    pattern: tuple[float, ...] | None = None
    dots: bool = False


class Key:
    """Names beside samples of their lines or bars, in as many rows as they need."""

    def __init__(self) -> None:
        self.places: list[tuple[QRectF, Entry]] = []

    def lay_out(self, item: PlateItem, entries: Sequence[Entry], area: QRectF) -> float:
        """Place the names at the top of an area and write them; the height they take, in pixels.

        What has no room is told by a last "… 3 more" or "+3".
        """
        self.places = []
        lines = area.height() / item.line
        most = max(2 if lines >= LEAST_FOR_TWO else 1, int(MOST_SHARE * lines))
        left, row = area.left(), 0
        for index, entry in enumerate(entries):
            width = SWATCH + GAP + item.width_of(entry.name)
            rest = len(entries) - index - 1
            if left > area.left() and left + width + _reserve(rest, area, item, last=row == most - 1) > area.right():
                if row == most - 1:
                    item.write(_more(rest + 1, area, item), left, area.top() + row * item.line, area.right() - left)
                    break
                left, row = area.left(), row + 1
            top = area.top() + row * item.line
            width = min(width, area.right() - left - _reserve(rest, area, item, last=row == most - 1))
            self.places.append((QRectF(left, top, SWATCH, item.line), entry))
            item.write(entry.name, left + SWATCH + GAP, top, width - SWATCH - GAP + 1, colour=item.theme.text)
            left += width + APART
        return (row + 1) * item.line + 2.0

    def clear(self) -> None:
        """Show no names."""
        self.places = []

    def draw(self, painter: QPainter, theme: Theme) -> None:
        """Draw the samples."""
        for place, entry in self.places:
            if entry.pattern is None:
                fill_bar(painter, place.adjusted(0, 3, 0, -3), entry.role, theme)
                continue
            pen = pen_of(entry.role, entry.pattern, theme)
            painter.setPen(pen)
            middle = place.center().y()
            painter.drawLine(QPointF(place.left(), middle), QPointF(place.right(), middle))
            if entry.dots:
                dot(painter, place.center(), pen.color(), theme)


def _more(rest: int, area: QRectF, item: PlateItem) -> str:
    """How many names are left out, in few letters where the key is narrow."""
    words = f"… {rest} more"
    return words if item.width_of(words) <= area.width() / 3 else f"+{rest}"


def _reserve(rest: int, area: QRectF, item: PlateItem, *, last: bool) -> float:
    """Room at the end of the last row for that."""
    return item.width_of(_more(rest, area, item)) + APART if rest and last else 0.0


def dot(painter: QPainter, place: QPointF, colour: QColor, theme: Theme) -> None:
    """A point of a line."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    radius = 1.5 + theme.pen
    painter.drawEllipse(place, radius, radius)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def fill_bar(painter: QPainter, rect: QRectF, role: str, theme: Theme) -> None:
    """A bar in the colour and the hatching of its role."""
    painter.fillRect(rect, role_colour(role, theme))
    if role in HATCHINGS:
        painter.fillRect(rect, QBrush(faded(theme.panel, 0.75), HATCHINGS[role]))
