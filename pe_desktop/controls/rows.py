"""Rows of the dock: a label at the left, its control at the right, a refusal below."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtGui import QMouseEvent, QPaintEvent, QPalette, QWheelEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QGridLayout,
    QLabel,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QWidget,
)

from pe_desktop.controls.error_line import ErrorLine
from pe_desktop.controls.look import GRID, HALF, Look, tint
from pe_desktop.core.errors import FieldError

FIELD_COLUMN, NUMBER_COLUMN = 1, 2
# How the names of a group's widgets start, where that is not the group's own name.
_PREFIXES = {"params": "param"}


class RowLabel(QLabel):
    """The words of a row; a double-click asks for the default."""

    reset_asked = Signal()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.reset_asked.emit()


class QuietComboBox(QComboBox):
    """A combo box that leaves the wheel to the dock's scrolling and may be narrower than its texts."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(4)

    def minimumSizeHint(self) -> QSize:
        # Qt's own is computed once and stays as large as the largest type there was.
        return self.sizeHint()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def showPopup(self) -> None:
        view = self.view()
        view.setMinimumWidth(view.sizeHintForColumn(0) + view.verticalScrollBar().sizeHint().width())
        super().showPopup()

    def paintEvent(self, event: QPaintEvent) -> None:
        # As QComboBox does, but a text too long ends in "…" instead of half a letter.
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        field = QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, field, self).width() - HALF
        option.currentText = self.fontMetrics().elidedText(option.currentText, Qt.TextElideMode.ElideRight, room)
        painter = QStylePainter(self)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)


class FieldRow(QWidget):
    """Base of all rows: one field of the state, or one entry of a field that maps names to values.

    Parameters
    ----------
    field, label : str
        Name of the field or entry, and the words a person reads.
    group : str
        The field of the state that maps names to values, such as ``params``; empty for a field of its own.

    Signals
    -------
    asked : mapping
        The change a person wants, as the lab's request takes it.
    fix_chosen : Fix
        A remedy below a refusal was clicked.
    """

    asked = Signal(object)
    fix_chosen = Signal(object)
    error_row = 1  # of the grid

    def __init__(self, field: str, label: str, *, group: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = field
        self.name = f"{_PREFIXES.get(group, group)}_{field}" if group else field
        self._group = group
        self._words = label
        self._label = RowLabel(label, self)
        self._error: ErrorLine | None = None
        self._look: Look | None = None
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(GRID)
        self._grid.setVerticalSpacing(0)
        self._grid.setColumnStretch(FIELD_COLUMN, 1)
        self._grid.addWidget(self._label, 0, 0)

    def set_value(self, value: Any, resolved: Any = None) -> None:
        """Show the model's value; where that is None, `resolved` is what is used instead, if anything is."""
        raise NotImplementedError

    def ask(self, value: Any) -> None:
        """Ask for a value of this field."""
        self.asked.emit(self.changes(value))

    def changes(self, value: Any) -> Mapping[str, Any]:
        """The request that sets this field."""
        return {self._group: {self.field: value}} if self._group else {self.field: value}

    def show_error(self, error: FieldError) -> None:
        """Show why a value was refused."""
        if self._error is None:
            self._error = ErrorLine(self.name, self)
            self._error.fix_chosen.connect(self.fix_chosen)
            self._grid.addWidget(self._error, self.error_row, 0, 1, -1)
            if self._look is not None:
                self._error.set_look(self._look)
        self._error.show_error(error)
        # Widgets made later come last of all for Tab.
        for before, after in itertools.pairwise([*self.focus_widgets()[-1:], *self._error.buttons()]):
            QWidget.setTabOrder(before, after)

    def clear_error(self) -> None:
        """Take the refusal away."""
        if self._error is not None:
            self._error.clear()

    def error_text(self) -> str:
        """The refusal shown, empty if none."""
        return self._error.text() if self._error is not None else ""

    def focus_widgets(self) -> list[QWidget]:
        """What Tab stops at, in order."""
        return []

    def set_look(self, look: Look) -> None:
        """Restyle; the label's column is the same in every row."""
        self._look = look
        tint(self, QPalette.ColorRole.Window, look.outline)
        self._label.setFixedWidth(look.label_width)
        # Only where needed: a wrapping label makes its layout slower and less predictable.
        self._label.setWordWrap(self._label.fontMetrics().horizontalAdvance(self._words) > look.label_width)
        if self._error is not None:
            self._error.set_look(look)


class ChoiceRow(FieldRow):
    """One of a few named values."""

    def __init__(self, field: str, label: str, *, group: str = "", parent: QWidget | None = None) -> None:
        super().__init__(field, label, group=group, parent=parent)
        self.setObjectName(f"{self.name}_row")
        self.combo = QuietComboBox(self)
        self.combo.setObjectName(self.name)
        self.combo.setAccessibleName(label)
        self._label.setBuddy(self.combo)
        self._grid.addWidget(self.combo, 0, FIELD_COLUMN, 1, -1)
        self.combo.currentIndexChanged.connect(self._on_combo_index_changed)

    def add_choice(self, value: str, words: str, tooltip: str = "") -> None:
        """Append a value."""
        with QSignalBlocker(self.combo):
            self.combo.addItem(words, value)
            self.combo.setItemData(self.combo.count() - 1, tooltip, Qt.ItemDataRole.ToolTipRole)

    def add_separator(self) -> None:
        """Append a line between groups of values."""
        self.combo.insertSeparator(self.combo.count())

    def set_value(self, value: str, resolved: object = None) -> None:
        """Show the model's value."""
        if self.combo.currentData() != value:
            with QSignalBlocker(self.combo):
                self.combo.setCurrentIndex(self.combo.findData(value))

    def focus_widgets(self) -> list[QWidget]:
        return [self.combo]

    @Slot(int)
    def _on_combo_index_changed(self, index: int) -> None:
        if index >= 0:
            self.ask(self.combo.itemData(index))


class CheckRow(FieldRow):
    """On or off; the words stand at the box."""

    def __init__(self, field: str, label: str, *, group: str = "", parent: QWidget | None = None) -> None:
        super().__init__(field, label, group=group, parent=parent)
        self.setObjectName(f"{self.name}_row")
        self._label.hide()
        self.box = QCheckBox(label, self)
        self.box.setObjectName(self.name)
        self._grid.addWidget(self.box, 0, 0, 1, -1)
        self.box.toggled.connect(self._on_box_toggled)

    def set_value(self, value: bool, resolved: object = None) -> None:
        """Show the model's value."""
        if self.box.isChecked() != value:
            with QSignalBlocker(self.box):
                self.box.setChecked(value)

    def focus_widgets(self) -> list[QWidget]:
        return [self.box]

    @Slot(bool)
    def _on_box_toggled(self, checked: bool) -> None:
        self.ask(checked)
