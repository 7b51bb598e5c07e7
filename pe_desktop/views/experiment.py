"""The experiment: its plates beside or below each other, and its figures above them."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QPointF, QRectF, Slot
from PySide6.QtGui import QColor, QFontMetricsF, QResizeEvent
from PySide6.QtWidgets import QWidget

from pe_desktop.core.experiment import BarPlate, ExperimentPart, HeatPlate, LinePlate, Plate
from pe_desktop.core.parts import NO_CURSOR, Cursor
from pe_desktop.theme import Theme
from pe_desktop.views.bar_plate import BarPlateItem
from pe_desktop.views.experiment_button import ExperimentButton
from pe_desktop.views.figures import Figures
from pe_desktop.views.guides import Frame
from pe_desktop.views.heat_plate import HeatPlateItem
from pe_desktop.views.line_plate import LinePlateItem
from pe_desktop.views.panel import Panel
from pe_desktop.views.plate import PlateItem, arranged
from pe_desktop.views.plot import Plot
from pe_desktop.views.plotting import font

ITEMS: dict[type[Plate], type[PlateItem]] = {
    HeatPlate: HeatPlateItem,
    LinePlate: LinePlateItem,
    BarPlate: BarPlateItem,
}


LOWEST = 12  # lines of a panel that has height for figures at all
LOW = 24  # lines of a panel that has height to spare for two rows of figures


class ExperimentView(Panel):
    """Draws an :class:`ExperimentPart`, whatever the experiment."""

    part_name = "experiment"
    name = "Experiment"
    is_pane = True

    def __init__(self, lab: Any, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(lab, theme, Plot(), parent)
        self.plates: list[PlateItem] = []
        self._made: dict[type[PlateItem], list[PlateItem]] = {kind: [] for kind in ITEMS.values()}
        self._waiting = False  # for the experiment that the sentence says is being done
        self.cursor_frame = Frame(self.plot.scene(), 20)
        self.plot.set_margins(0, 2, 0, 2)
        self.set_theme(theme)

    def _build(self) -> None:
        super()._build()
        self.figures = Figures(self)
        self.figures.hide()
        self._column.insertWidget(1, self.figures)
        self.choose = ExperimentButton(self)
        self._buttons.addWidget(self.choose)

    def _connect(self) -> None:
        super()._connect()
        self.choose.chosen.connect(self._on_choose_chosen)

    # Drawing ----------------------------------------------------------------------------------------------

    def _restyle(self, theme: Theme) -> None:
        self.figures.set_theme(theme)
        self._fit_figures()
        self.choose.setFont(font(theme.small))
        self.cursor_frame.set_look(QColor("#16191D"), QColor("#FFFFFF"), theme.pen)
        for items in self._made.values():
            for item in items:
                item.set_theme(theme)

    def _take(self, part: ExperimentPart | None) -> None:
        if part is not None:
            self.choose.set_shown(part.id)
        if part is not None and not part.exact and self._drawn and part.id == self._part.id:
            # The last picture stays until the next is there.
            self.sentence.set_text(part.sentence)
            self._waiting = True
            return
        if self._waiting and part is not None and part is self._part:
            self.sentence.set_text(part.sentence)
        self._waiting = False
        super()._take(part)

    def _draw(self, part: ExperimentPart, before: ExperimentPart | None) -> None:
        shown = [figure for figure in part.figures if figure.shown]
        figures = [((figure.label,), (figure.text,)) for figure in shown]
        self.figures.set_figures(figures, [figure.about for figure in shown])
        self._fit_figures()
        self._lay_out(part)

    def _lay_out(self, part: ExperimentPart) -> None:
        area = self.plot.area
        self.plates = [self._item(plate, part.plates[:number]) for number, plate in enumerate(part.plates)]
        shown = set(map(id, self.plates))
        for items in self._made.values():
            for item in items:
                item.setVisible(id(item) in shown)
        if not self.plates:
            return
        slots = arranged(part.plates, area, self.plates[0].line)
        both = list(zip(self.plates, part.plates, slots, strict=True))
        # Pictures beside each other begin at one height.
        high = {slot.top() for item, plate, slot in both if item.needs_two_lines(plate.title, slot)}
        for item, plate, slot in both:
            item.show_plate(plate, slot, 2 if slot.top() in high else 1)

    def _item(self, plate: Plate, before: tuple[Plate, ...]) -> PlateItem:
        """The item for a plate: the n-th of its kind has the n-th item of that kind."""
        items = self._made[ITEMS[type(plate)]]
        number = sum(type(other) is type(plate) for other in before)
        if number == len(items):
            item = ITEMS[type(plate)]()
            item.set_theme(self.theme)
            self.plot.scene().addItem(item)
            items.append(item)
        return items[number]

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_figures()

    def _fit_figures(self) -> None:
        line = QFontMetricsF(font(self.theme.small)).height()
        self.figures.set_flat(self.height() < LOW * line)
        # Where not everything has room the pictures and the sentence say most.
        drawn = self._part is not None and not self.plot.isHidden()
        shown = drawn and self.height() >= LOWEST * line and any(figure.shown for figure in self._part.figures)
        if self.figures.isHidden() == shown:
            self.figures.setVisible(shown)

    def _on_emptied(self, empty: bool) -> None:
        if empty:
            self.figures.hide()
            self.cursor_frame.hide()

    def _lay_out_anew(self) -> None:
        self._lay_out(self._part)

    def _show_cursor(self, cursor: Cursor) -> None:
        place: QRectF | None = None
        if self._drawn and cursor.view == self.part_name and cursor.plate is not None:
            number, row, column = cursor.plate
            place = self.plates[number].mark_of(row, column) if number < len(self.plates) else None
        if place is None:
            self.cursor_frame.hide()
        else:
            self.cursor_frame.place(place)

    # The mouse and the menu -------------------------------------------------------------------------------

    @Slot(QPointF)
    def _on_plot_hovered(self, place: QPointF) -> None:
        if not self._drawn:
            return
        told = ""
        for number, item in enumerate(self.plates):
            if item.boundingRect().contains(place):
                told = item.told_at(place)
                found = item.found_at(place)
                if found is not None:
                    self.lab.set_cursor(Cursor(view=self.part_name, plate=(number, *found)))
                    break
        else:
            if self.lab.cursor.view == self.part_name:
                self.lab.set_cursor(NO_CURSOR)
        if self.plot.viewport().toolTip() != told:
            self.plot.viewport().setToolTip(told)

    @Slot(str)
    def _on_choose_chosen(self, name: str) -> None:
        self.lab.request(experiment=name)
