"""Theme tokens as a Qt palette and style; icons tinted to match."""

from __future__ import annotations

import math
from importlib.resources import files

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QGuiApplication, QIcon, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication

from pe_desktop.theme import DARK, LIGHT, THEMES, Theme

SYSTEM = "system"
ICON_SIZE = 20


def theme_named(name: str) -> Theme:
    """The theme of a name; ``system`` follows the desktop where it says what it is."""
    if name in THEMES:
        return THEMES[name]
    scheme = QGuiApplication.styleHints().colorScheme()
    return DARK if scheme == Qt.ColorScheme.Dark else LIGHT


def palette_of(theme: Theme) -> QPalette:
    """A Qt palette made of the tokens."""
    palette = QPalette()
    role = QPalette.ColorRole
    colours = {
        role.Window: theme.window,
        role.WindowText: theme.text,
        role.Base: theme.panel,
        role.AlternateBase: theme.window,
        role.Text: theme.text,
        role.Button: theme.panel,
        role.ButtonText: theme.text,
        role.ToolTipBase: theme.panel,
        role.ToolTipText: theme.text,
        role.PlaceholderText: theme.muted,
        role.Highlight: theme.accent,
        role.HighlightedText: theme.window if theme.dark else "#FFFFFF",
        role.Link: theme.accent,
        role.Light: theme.panel,
        role.Midlight: theme.line,
        role.Mid: theme.line,
        role.Dark: theme.muted,
        role.Shadow: theme.line,
        role.Accent: theme.accent,
    }
    for which, colour in colours.items():
        palette.setColor(which, QColor(colour))
    for which in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, which, QColor(theme.muted))
    return palette


def apply_theme(app: QApplication, theme: Theme) -> None:
    """Style the whole program."""
    if app.style().name() != "fusion":
        app.setStyle("Fusion")
    app.setPalette(palette_of(theme))
    font = QFont(app.font())
    if font.pointSizeF() != theme.body:
        font.setPointSizeF(theme.body)
        app.setFont(font)


def icon(name: str, theme: Theme) -> QIcon:
    """One of our own icons in the theme's text colour, muted when disabled."""
    made = QIcon()
    icons = files("pe_desktop.resources").joinpath("icons")
    _paint_icon(made, icons.joinpath(f"{name}.svg").read_text(encoding="utf-8"), theme, QIcon.State.Off)
    pressed = icons.joinpath(f"{name}_on.svg")  # of a switch whose sign says what it does next
    if pressed.is_file():
        _paint_icon(made, pressed.read_text(encoding="utf-8"), theme, QIcon.State.On)
    return made


def _paint_icon(made: QIcon, source: str, theme: Theme, state: QIcon.State) -> None:
    for mode, colour in ((QIcon.Mode.Normal, theme.text), (QIcon.Mode.Disabled, theme.line)):
        renderer = QSvgRenderer(QByteArray(source.replace("currentColor", colour).encode()))
        for scale in sorted({1, math.ceil(QGuiApplication.primaryScreen().devicePixelRatio())}):
            pixmap = QPixmap(ICON_SIZE * scale, ICON_SIZE * scale)
            pixmap.fill(Qt.GlobalColor.transparent)
            painter = QPainter(pixmap)
            renderer.render(painter, QRectF(0, 0, ICON_SIZE * scale, ICON_SIZE * scale))
            painter.end()
            pixmap.setDevicePixelRatio(scale)
            made.addPixmap(pixmap, mode, state)
