"""The row of a number: label, slider, typed number."""

from __future__ import annotations

import dataclasses
from typing import Any

from PySide6.QtCore import QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QWidget

from pe_desktop.controls.look import Look
from pe_desktop.controls.number_edit import NumberEdit
from pe_desktop.controls.rows import FIELD_COLUMN, NUMBER_COLUMN
from pe_desktop.controls.scale import Number, Scale
from pe_desktop.controls.slider import ValueSlider
from pe_desktop.controls.texts import number_text
from pe_desktop.controls.typed_row import TypedRow
from pe_desktop.core.numbers import plain_number

AUTO, NONE = "auto", "none"


class SliderRow(TypedRow):
    """A number that is dragged, stepped or typed.

    The row keeps the value itself; the slider only shows where it stands, so its places never
    round a value. :meth:`set_value` shows the model's value and emits nothing.

    Parameters
    ----------
    scale : Scale
        Range and kind of the slider; typed numbers are judged by the model alone.
    default : int, float or None
        What a double-click asks for.
    optional : bool
        Whether None ("auto", derived from something else) is a value.

    Signals
    -------
    changed : int, float or None
        A value asked for by a person, while it moves.
    drag_started, drag_ended
        Around a drag or a key held down.
    """

    changed = Signal(object)
    drag_started = Signal()
    drag_ended = Signal()
    _edit: NumberEdit

    def __init__(
        self,
        field: str,
        label: str,
        scale: Scale,
        default: Number | None,
        *,
        group: str = "",
        optional: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(field, label, group=group, parent=parent)
        self.setObjectName(self.name)
        self._scale = scale
        self._default = default
        self._optional = optional
        self._value: Number | None = scale.low
        self._resolved: Number = scale.low
        self._known = True  # whether a number stands for None
        self._build(label)
        self._connect()
        self._show()

    def _build(self, label: str) -> None:
        self._slider = ValueSlider(self)
        self._slider.setObjectName(f"{self.name}_slider")
        self._slider.setAccessibleName(label)
        self._slider.setRange(0, self._scale.places)
        self._edit = NumberEdit(self)
        self._edit.setObjectName(f"{self.name}_edit")
        self._edit.setAccessibleName(label)
        self._label.setBuddy(self._edit)
        self._grid.addWidget(self._slider, 0, FIELD_COLUMN)
        self._grid.addWidget(self._edit, 0, NUMBER_COLUMN)

    def _connect(self) -> None:
        self._slider.valueChanged.connect(self._on_slider_value_changed)
        self._slider.drag_started.connect(self.drag_started)
        self._slider.drag_ended.connect(self.drag_ended)
        self._slider.sent_to_end.connect(self._on_slider_sent_to_end)
        self._edit.committed.connect(self._on_edit_committed)
        self._edit.cancelled.connect(self._on_edit_cancelled)
        for source in (self._slider, self._edit):
            source.stepped.connect(self._on_stepped)
            source.paged.connect(self._on_paged)
        self._slider.reset_asked.connect(self._on_reset_asked)
        self._label.reset_asked.connect(self._on_reset_asked)

    @property
    def scale(self) -> Scale:
        """Range and kind of the slider."""
        return self._scale

    def set_value(self, value: Number | None, resolved: Number | None = None) -> None:
        """Show the model's value; `resolved` is the number that None stands for, if one does."""
        number = value if value is not None else resolved
        known = number is not None
        if number is None:
            number = self._scale.low
        now = (value, number, known, type(value))
        if now == (self._value, self._resolved, self._known, type(self._value)):
            return
        self._value, self._resolved, self._known = value, number, known
        self._show()

    def set_range(self, low: Number, high: Number) -> None:
        """Change the ends of the slider; the value stays."""
        if (low, high) == (self._scale.low, self._scale.high):
            return
        self._scale = dataclasses.replace(self._scale, low=low, high=high)
        with QSignalBlocker(self._slider):
            self._slider.setRange(0, self._scale.places)
            self._slider.setValue(self._scale.place(self._resolved))

    def focus_widgets(self) -> list[QWidget]:
        return [self._slider, self._edit]

    def set_look(self, look: Look) -> None:
        super().set_look(look)
        self._edit.set_look(look)

    def _show(self) -> None:
        # The handle stays where the mouse holds it while its place means the value.
        if self._scale.value(self._slider.value()) != self._resolved:
            with QSignalBlocker(self._slider):
                self._slider.setValue(self._scale.place(self._resolved))
        self._show_draft()
        if self._optional:
            number = number_text(self._resolved, self.locale())
            short = number_text(float(f"{self._resolved:.4g}"), self.locale())
            self._edit.show_hint(
                *((f"{AUTO} ({number})", f"{AUTO} ({short})", number, short) if self._known else (NONE,))
            )

    def _text(self) -> str:
        return "" if self._value is None else number_text(self._value, self.locale())

    def _want(self, value: Number | None) -> None:
        self._value = value
        if value is not None:
            self._resolved, self._known = value, True
        self._show()
        self.changed.emit(value)
        self.ask(value)

    def _move(self, value: Number) -> None:
        if value != self._value:
            # Stepping away from a half-typed text gives that text up.
            self._edit.revert()
            self._want(value)

    def _read(self, text: str) -> Any:
        if self._optional and text.strip().lower() in ("", AUTO, NONE):
            return None
        return plain_number(text.strip(), self.field, self._words, whole=self._scale.whole)

    @Slot(int)
    def _on_slider_value_changed(self, place: int) -> None:
        self._move(self._scale.value(place))

    @Slot(int)
    def _on_slider_sent_to_end(self, direction: int) -> None:
        self._move(self._scale.high if direction > 0 else self._scale.low)

    @Slot(int)
    def _on_stepped(self, direction: int) -> None:
        self._move(self._scale.step(self._resolved, direction))

    @Slot(int)
    def _on_paged(self, direction: int) -> None:
        self._move(self._scale.page(self._resolved, direction))
