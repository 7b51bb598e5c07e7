"""Five lights: what holds for the encoding on screen, each with its number and evidence."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFocusEvent, QFontMetrics, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QLabel, QStyle, QStyleOptionFocusRect, QToolTip, QWidget

from pe_desktop.controls import covering
from pe_desktop.controls.look import HALF, Look, tint
from pe_desktop.controls.readouts_panel import COMPUTING
from pe_desktop.controls.section import Section
from pe_desktop.controls.texts import tooltip
from pe_desktop.controls.value_line import ValueLine
from pe_desktop.core.called_off import NOT_COMPUTED, WAITING
from pe_desktop.core.parts import Light

STATES = {True: "holds", False: "does not hold", None: "not applicable"}
# Of lights that are not known yet, by what stands in the place of their number.
UNKNOWN = {WAITING: "being computed", NOT_COMPUTED: NOT_COMPUTED, covering.MARK: covering.WORDS}
_TAB = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)


class LightMark(QWidget):
    """● holds, ○ does not, – not applicable, … not known yet: told by shape as well as by colour."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._holds: bool | None = None
        self._known = True
        self._look: Look | None = None

    def set_holds(self, holds: bool | None, *, known: bool = True) -> None:
        """Show another state."""
        if (holds, known) != (self._holds, self._known):
            self._holds, self._known = holds, known
            self.update()

    def set_look(self, look: Look) -> None:
        """Restyle."""
        self._look = look
        size = QFontMetrics(look.body).height()
        self.setFixedSize(size, size)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._look is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme, radius = self._look.theme, self.width() * 0.32
        centre = QPointF(self.width() / 2, self.height() / 2)
        colour = QColor(theme.accent if self._holds else theme.muted)
        painter.setPen(QPen(colour, self.width() / 9))
        if not self._known:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            for place in (-radius, 0.0, radius):
                painter.drawEllipse(centre + QPointF(place, 0), self.width() / 12, self.width() / 12)
            return
        if self._holds is None:
            painter.drawLine(centre - QPointF(radius, 0), centre + QPointF(radius, 0))
            return
        if self._holds:
            painter.setBrush(colour)
        painter.drawEllipse(centre, radius, radius)


class LightRow(ValueLine):
    """One property; hovering or focusing it shows its evidence."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(f"light_{name}_number", parent)
        self.setObjectName(f"light_{name}")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._shown: Light | None = None
        self._mark = LightMark(self)

    @property
    def holds(self) -> bool | None:
        """Whether the property holds; None: not applicable (or not known yet)."""
        return self._shown.holds if self._shown is not None else None

    def show_light(self, light: Light) -> None:
        """Show a property; only what differs is touched."""
        old, self._shown = self._shown, light
        if old == light:
            return
        self._mark.set_holds(light.holds, known=light.number not in UNKNOWN)
        if old is None or old.label != light.label:
            self.label.setText(light.label)
            self.place()
        if old is None or old.number != light.number:
            self.number.setText(light.number)
        words = UNKNOWN.get(light.number) or f"{STATES[light.holds]} {light.number}".strip()
        self.setAccessibleName(f"{light.label}: {words}")
        if old is None or old.evidence != light.evidence:
            self.setAccessibleDescription(light.evidence)
            self.tip = light.evidence

    def set_look(self, look: Look) -> None:
        self._mark.set_look(look)
        self._mark.move(0, HALF // 2)
        self.inset = self._mark.width() + HALF
        super().set_look(look)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._show_frame(True)
        # The mouse brings the tooltip by itself.
        if event.reason() in _TAB:
            QToolTip.showText(self.mapToGlobal(self.rect().bottomLeft()), tooltip(self.tip), self)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._show_frame(False)
        QToolTip.hideText()

    def _show_frame(self, shown: bool) -> None:
        # The frame lies below the labels.
        for label in (self.label, self.number):
            label.setAutoFillBackground(not shown)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.hasFocus():
            option = QStyleOptionFocusRect()
            option.initFrom(self)
            self.style().drawPrimitive(QStyle.PrimitiveElement.PE_FrameFocusRect, option, QPainter(self), self)


class PropertiesPanel(Section):
    """The section of the lights."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("properties", "Properties", parent)
        self._lights: dict[str, LightRow] = {}
        self._shown: tuple[Light, ...] = ()
        self._look: Look | None = None
        self._waiting = QLabel(COMPUTING, self.body)
        self.rows.addWidget(self._waiting)
        self.rows.setSpacing(0)

    def lines(self) -> Mapping[str, LightRow]:
        """The line of each property."""
        return self._lights

    def show_properties(self, lights: tuple[Light, ...]) -> bool:
        """Show the lights of a snapshot; True if the rows are others than before."""
        if lights is self._shown:
            return False
        self._shown = lights
        names = [light.name for light in lights]
        rebuilt = names != list(self._lights)
        if rebuilt:
            self._rebuild(names)
        for light in lights:
            self._lights[light.name].show_light(light)
        return rebuilt

    def focus_widgets(self) -> list[QWidget]:
        return [*super().focus_widgets(), *self._lights.values()]

    def set_look(self, look: Look) -> None:
        super().set_look(look)
        self._look = look
        tint(self._waiting, QPalette.ColorRole.WindowText, look.theme.muted)
        for row in self._lights.values():
            row.set_look(look)

    def _rebuild(self, names: list[str]) -> None:
        for row in self._lights.values():
            self.rows.removeWidget(row)
            row.hide()
            row.deleteLater()
        self._lights = {name: LightRow(name, self.body) for name in names}
        for row in self._lights.values():
            self.rows.addWidget(row)
            if self._look is not None:
                row.set_look(self._look)
            row.show()  # at once: see ReadoutsPanel
        self._waiting.setVisible(not names)
