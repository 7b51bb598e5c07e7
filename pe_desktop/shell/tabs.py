"""Several views in one place, one of them visible."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QRect, QSize, Qt, Slot
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QShortcut,
)
from PySide6.QtWidgets import QStackedWidget, QTabBar, QVBoxLayout, QWidget

from pe_desktop.theme import LIGHT, Theme
from pe_desktop.views.panel import Panel

GRID = 8
LINE = 2  # pixels of the line under the chosen name
# Share of the small type and room beside a name, in pixels: the first at which all names fit.
FITS = ((1.0, 12), (1.0, 8), (0.9, 7), (0.8, 6), (0.75, 4), (0.7, 4))


class TabBar(QTabBar):
    """Names in a row, flat: the chosen one in the accent colour over a line, the others muted.

    Qt's own bar draws boxes, and where names do not fit it cuts them; here they are set closer and in smaller type
    first. Only where even that is too wide do Qt's buttons to move the row appear.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setElideMode(Qt.TextElideMode.ElideNone)
        self.setUsesScrollButtons(True)
        self.setMouseTracking(True)
        # Page keys work after a click on a name, too.
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._theme = LIGHT
        self._pad = FITS[0][1]
        self._hovered = -1
        self._ringed = False

    def set_theme(self, theme: Theme) -> None:
        """Take colours and type size."""
        self._theme = theme
        self.fit()
        self.update()

    def fit(self) -> None:
        """Choose type and room by the width there is."""
        face = QFont(self.font())
        names = [self.tabText(index) for index in range(self.count())]
        for share, pad in FITS:
            face.setPointSizeF(share * self._theme.small)
            metrics = QFontMetricsF(face)
            if sum(_width(metrics, name, pad) for name in names) <= self.width():
                break
        if (self._pad, self.font().pointSizeF()) != (pad, face.pointSizeF()):
            self._pad = pad
            self.setFont(face)
            # Qt lays the names out anew only for another font; the room beside them alone may have changed.
            QCoreApplication.sendEvent(self, QEvent(QEvent.Type.FontChange))

    def minimumTabSizeHint(self, index: int) -> QSize:
        return self.tabSizeHint(index)

    def tabSizeHint(self, index: int) -> QSize:
        # The height follows the theme, not the type that fits, so that no view below moves with the width.
        face = QFont(self.font())
        metrics = QFontMetricsF(face)
        face.setPointSizeF(self._theme.small)
        line = QFontMetricsF(face).height()
        height = -(-(line + GRID) // GRID) * GRID
        return QSize(_width(metrics, self.tabText(index), self._pad), int(height))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self._hover(self.tabAt(event.position().toPoint()))

    def leaveEvent(self, event: object) -> None:
        self._hover(-1)

    def _hover(self, index: int) -> None:
        if index != self._hovered:
            self._hovered = index
            self.update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        # A ring only for those who come by keyboard: windows give the focus to their first widget.
        self._ringed = event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        super().focusInEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self._ringed = True
        super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(theme.panel))
        painter.fillRect(0, self.height() - 1, self.width(), 1, QColor(theme.line))
        for index in range(self.count()):
            chosen = index == self.currentIndex()
            place = self.tabRect(index)
            painter.setPen(QColor(theme.accent if chosen else theme.text if index == self._hovered else theme.muted))
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextHideMnemonic, self.tabText(index))
            if chosen:
                painter.fillRect(_under(place, self._pad), QColor(theme.accent))
                if self._ringed and self.hasFocus():
                    painter.setPen(QPen(QColor(theme.accent), theme.pen))
                    painter.drawRect(place.adjusted(1, 1, -2, -LINE - 3))
        painter.end()


def _width(metrics: QFontMetricsF, name: str, pad: int) -> int:
    return round(metrics.horizontalAdvance(name) + 0.5) + 2 * pad


def _under(place: QRect, pad: int) -> QRect:
    return QRect(QPoint(place.left() + pad, place.bottom() - LINE + 1), QPoint(place.right() - pad, place.bottom()))


class Tabs(QWidget):
    """A bar of names and the view that is chosen; hidden views are not computed.

    Ctrl+Page Up and Ctrl+Page Down go through the views while the keyboard is in one of them or in the bar.
    """

    def __init__(self, name: str, panels: Sequence[tuple[str, Panel]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(f"tabs_{name}")
        # A click in a view that does nothing with keys brings the keyboard here, for the page keys.
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.bar, self._stack = TabBar(self), QStackedWidget(self)
        self.bar.setObjectName(f"tab_bar_{name}")
        self.bar.setAccessibleName(f"Views: {', '.join(title for title, _ in panels)}")
        self._panels = tuple(panel for _, panel in panels)
        for title, panel in panels:
            self.bar.addTab(title)
            self._stack.addWidget(panel)
        self.bar.setVisible(len(panels) > 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.bar)
        layout.addWidget(self._stack, 1)
        self.bar.currentChanged.connect(self._on_bar_current_changed)
        for keys, slot in (("Ctrl+PgDown", self._on_next_activated), ("Ctrl+PgUp", self._on_previous_activated)):
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(slot)

    def show_panel(self, panel: Panel) -> None:
        """Bring a view to the front."""
        if panel in self._panels:
            self.bar.setCurrentIndex(self._panels.index(panel))

    @property
    def current(self) -> Panel:
        """The view in front."""
        return self._panels[self._stack.currentIndex()]

    def set_theme(self, theme: Theme) -> None:
        """Take colours and type size."""
        self.bar.set_theme(theme)

    @Slot(int)
    def _on_bar_current_changed(self, index: int) -> None:
        self._stack.setCurrentIndex(index)

    @Slot()
    def _on_next_activated(self) -> None:
        self.bar.setCurrentIndex((self.bar.currentIndex() + 1) % self.bar.count())

    @Slot()
    def _on_previous_activated(self) -> None:
        self.bar.setCurrentIndex((self.bar.currentIndex() - 1) % self.bar.count())
