"""Fonts, colours and column widths that all rows of the dock share."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QColor, QFont, QFontMetrics, QPalette
from PySide6.QtWidgets import QApplication, QWidget

from pe_desktop.theme import Theme

GRID = 8
HALF = GRID // 2
WIDEST_LABEL = 128
LEAST_SLIDER = 7 * GRID
# The theme has no token for refusals; readable (contrast > 6) on its panels.
ERROR_ON_LIGHT = "#B3261E"
ERROR_ON_DARK = "#FF8A80"


@dataclass(frozen=True)
class Look:
    """What a theme means for the controls.

    ``label_width`` and ``number_width`` are the pixels of the left and right column of every row.
    """

    theme: Theme
    body: QFont
    small: QFont
    title: QFont
    label_width: int
    number_width: int

    @property
    def least_width(self) -> int:
        """Pixels of a row in the narrowest dock: label, slider, number and the gaps between them."""
        return self.label_width + LEAST_SLIDER + self.number_width + 2 * GRID

    @property
    def error(self) -> str:
        """Colour of a refusal."""
        return ERROR_ON_DARK if self.theme.dark else ERROR_ON_LIGHT

    @property
    def outline(self) -> str | None:
        """Window colour for controls to derive their outline from.

        Fusion draws outlines darker than the window; on a dark one they, and with them an empty
        check box, cannot be seen.
        """
        return self.theme.muted if self.theme.dark else None


def look_of(theme: Theme) -> Look:
    """Derive fonts and widths from a theme and the system's font."""
    body = _font(theme.body)
    title = _font(theme.title)
    title.setWeight(QFont.Weight.DemiBold)
    metrics = QFontMetrics(body)
    # Large type wraps "Model dimension" instead of taking the slider's room.
    label_width = min(metrics.horizontalAdvance("Model dimension"), WIDEST_LABEL)
    label_width = max(label_width, metrics.horizontalAdvance("dimension")) + HALF
    number_width = metrics.horizontalAdvance("0" * 7) + 2 * GRID
    return Look(theme, body, _font(theme.small), title, label_width, number_width)


def tint(widget: QWidget, role: QPalette.ColorRole, colour: str | None) -> None:
    """Give one palette role of a widget its own colour; None goes back to the inherited one."""
    palette = QPalette()
    if colour is not None:
        palette.setColor(role, QColor(colour))
    widget.setPalette(palette)


def _font(points: float) -> QFont:
    font = QFont(QApplication.font())
    font.setPointSizeF(points)
    # Said explicitly: a painter completes a font with that of its widget, which may be bold.
    font.setWeight(QFont.Weight.Normal)
    # Figures of one width: numbers do not dance while they change.
    font.setFeature(QFont.Tag("tnum"), 1)
    return font
