"""The look as one table of tokens; views and controls read it, the shell turns it into a palette."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass


@dataclass(frozen=True)
class Theme:
    """Colours as #RRGGBB, type sizes in points, pen widths in pixels."""

    name: str
    window: str
    panel: str
    text: str
    muted: str
    line: str
    accent: str
    neutral: str  # centre of the diverging map
    dark: bool
    body: float = 10.0
    small: float = 9.0
    title: float = 11.0
    pen: float = 1.0
    # Data colours (Okabe-Ito): one meaning each, everywhere.
    query: str = "#0072B2"
    key: str = "#D55E00"
    other: str = "#009E73"
    trained: str = "#CC79A7"
    # The axes of a token with several coordinates: time, row, column.
    axes: tuple[str, str, str] = ("#E69F00", "#56B4E9", "#8A63D2")


LIGHT = Theme("light", "#F6F7F9", "#FFFFFF", "#1B1F24", "#5B6570", "#D9DEE5", "#2F6FDE", "#F7F7F7", False)
DARK = Theme("dark", "#16191D", "#1E2228", "#E6E9ED", "#9AA5B1", "#2E343C", "#6EA8FE", "#23272E", True)
PROJECTOR = Theme(
    "projector",
    "#FFFFFF",
    "#FFFFFF",
    "#000000",
    "#3A424B",
    "#B8C0CA",
    "#1F5FCE",
    "#FFFFFF",
    False,
    body=15.0,
    small=13.5,
    title=16.5,
    pen=2.0,
)
THEMES = {theme.name: theme for theme in (LIGHT, DARK, PROJECTOR)}
BLANK = "#000000"  # a screen on which nothing is to be seen
# While presenting: the projector's type and pens, in its own colours or in dark ones.
PRESENTED = (
    PROJECTOR,
    dataclasses.replace(DARK, body=PROJECTOR.body, small=PROJECTOR.small, title=PROJECTOR.title, pen=PROJECTOR.pen),
)


def spoken(theme: Theme) -> Theme:
    """A theme for what a class reads from the last row: the text of a lesson."""
    return dataclasses.replace(theme, name=f"{theme.name}, spoken", body=20.0, small=20.0, title=22.0)
