"""A plane of cells as a picture: a window on it that zooms and pans, axes, a colour bar, and lines that follow."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QPointF, QRectF, Qt, Slot
from PySide6.QtGui import QColor, QPen
from PySide6.QtWidgets import QGraphicsScene, QWidget

from pe_desktop.core.parts import NO_CURSOR, Cursor, MatrixPart, Viewport
from pe_desktop.theme import Theme
from pe_desktop.views.axes import ColourBar
from pe_desktop.views.colours import Diverging
from pe_desktop.views.guides import Frame, Guide, Hatch, Tag
from pe_desktop.views.letters import Letters
from pe_desktop.views.panel import Panel
from pe_desktop.views.plot import Range, RangedPlot, held, outlined, span, window, zoomed
from pe_desktop.views.plotting import StepImage, faded, font, spaced_ticks

LEAST_CELLS = 1.0
COVERED = re.compile(r"([\d.,]+) \w+ × ([\d.,]+) \w+$")  # how many cells share one of the picture
NOTCH_FACTOR = 0.8
ZOOM_KEYS: dict[int, float] = {Qt.Key.Key_Plus: NOTCH_FACTOR, Qt.Key.Key_Minus: 1 / NOTCH_FACTOR}


class HeatPlane(Panel):
    """Draws a :class:`MatrixPart`; wheel and drag choose the window the model evaluates exactly.

    A subclass names the fields of the viewport that are its window, and says what is marked, what a click asks for
    and which columns of a cursor are its own.
    """

    row_field, column_field, size_field = "rows", "columns", "matrix"
    colours = Diverging()
    steps: Mapping[int, tuple[str, int]] = {}  # key of the keyboard: field of the state, and by how much

    def __init__(self, lab: Any, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(lab, theme, RangedPlot(downwards=True), parent)
        scene = self.plot.scene()
        self.image = StepImage()
        self.image.setVisible(False)
        self.plot.box.addItem(self.image, ignoreBounds=True)
        self.bar = ColourBar()
        scene.addItem(self.bar)
        self.hatch = Hatch(scene, 10, "no vector")
        self.row_line, self.column_line = Guide(scene, upright=False, z=30), Guide(scene, upright=True, z=30)
        self.row_tag, self.column_tag = Tag(scene, 31), Tag(scene, 31)
        self._letters = Letters()
        self._image_key: Any = None
        self._rect_key: Any = None
        self._axis_key: Any = None
        self._before_click: dict[str, int] = {}
        self._hovered: QPointF | None = None
        self._add_marks(scene)
        self.plot.take_keys((*self.steps, *ZOOM_KEYS, Qt.Key.Key_0))
        self.plot.dragged.connect(self._on_plot_dragged)
        self.plot.wheeled.connect(self._on_plot_wheeled)
        self.plot.double_clicked.connect(self._on_plot_double_clicked)
        self.plot.key_pressed.connect(self._on_plot_key_pressed)
        lab.viewport_changed.connect(self._on_lab_viewport_changed)
        self.set_theme(theme)

    # What a subclass fills in -----------------------------------------------------------------------------

    def _add_marks(self, scene: QGraphicsScene) -> None:
        """Make the items that mark what was chosen."""
        raise NotImplementedError

    def _place_marks(self) -> None:
        """Put hatching and marks where they belong."""
        raise NotImplementedError

    def _asked(self, row: int, column: int) -> dict[str, int]:
        """What a click on a cell asks the lab for."""
        raise NotImplementedError

    def _column_of(self, cursor: Cursor) -> int | None:
        """The column a cursor of any view is on, None where it means something else."""
        return cursor.column

    def _cursor_at(self, row: int, column: int) -> Cursor:
        """The cursor that a cell under the mouse stands for."""
        return Cursor(view=self.part_name, position=row, column=column)

    # Drawing ----------------------------------------------------------------------------------------------

    def _restyle(self, theme: Theme) -> None:
        table = self.colours.table(theme)
        self.image.set_table(table)
        self.bar.set_theme(theme, table)
        panel, small = QColor(theme.panel), font(theme.small)
        self.hatch.set_look(faded(theme.muted, 0.6), panel, QColor(theme.muted), small)
        for line, tag in ((self.row_line, self.row_tag), (self.column_line, self.column_tag)):
            line.set_pen(QPen(faded(theme.text, 0.7), theme.pen))
            tag.set_look(QColor(theme.text), panel, small)
        self._letters.set_font(small)
        self._set_margins()
        self._axis_key = self._image_key = None

    def _set_margins(self) -> None:
        letters = self._letters
        long = self._part is not None and self._part.shape[0] >= 100_000
        numbers = letters.width("1,048,576" if long else "99,999")
        line = letters.metrics.height()
        right = round(ColourBar.WIDTH + letters.width("−0.123") + 14)
        self.plot.set_margins(round(numbers + line + 8), 6, right, round(line + 8))

    def _draw(self, part: MatrixPart, before: MatrixPart | None) -> None:
        self._draw_image(part)
        if before is None or before.scale != part.scale:
            self.bar.set_texts(self.colours.texts(part))
        if before is None or before.shape != part.shape:
            self._set_margins()
        self._refit(part, before)
        self._follow(self.lab.viewport)
        self._draw_axes()
        self._place_marks()

    def _draw_image(self, part: MatrixPart) -> None:
        self.image.setVisible(part.values.size > 0)
        if not part.values.size:
            return
        key = (part.values, part.scale)
        if self._image_key is None or key[0] is not self._image_key[0] or key[1] != self._image_key[1]:
            self._image_key = key
            self.image.set_steps(self.colours.steps(part))
        rect_key = part.rows, part.columns
        if rect_key != self._rect_key:
            self._rect_key = rect_key
            rows, columns = rect_key
            width, height = columns.number * columns.step, rows.number * rows.step
            self.image.setRect(QRectF(columns.start, rows.start, width, height))

    def _draw_axes(self) -> None:
        part, plot = self._part, self.plot
        key = (plot.x_range, plot.y_range, plot.area, part.row_label, part.column_label)
        if key == self._axis_key:
            return
        self._axis_key = key
        line, area = self._letters.metrics.height(), plot.area
        self.bar.set_rect(QRectF(area.right() + 8, area.top(), plot.width() - area.right() - 8, area.height()))
        # A cell's number stands at its middle, half a cell after its edge.
        low, high = plot.y_range
        rows = spaced_ticks(low - 0.5, high - 0.5, area.height(), 2.2 * line, _no_width)
        plot.left_axis.set_labels([(plot.y_pixel(v + 0.5), text) for v, text in rows], part.row_label)
        low, high = plot.x_range
        columns = spaced_ticks(low - 0.5, high - 0.5, area.width(), 36.0, self._letters.width)
        plot.bottom_axis.set_labels([(plot.x_pixel(v + 0.5), text) for v, text in columns], part.column_label)

    def _hatch_rows(self) -> None:
        """Hatch the rows past the end of a table."""
        part, plot, area = self._part, self.plot, self.plot.area
        rows, _ = part.shape
        if part.defined_rows < rows:
            top, bottom = plot.y_pixel(part.defined_rows), plot.y_pixel(rows)
            self.hatch.place(QRectF(area.left(), top, area.width(), bottom - top), area)
        else:
            self.hatch.hide()

    def _frame_row(self, frame: Frame, tag: Tag, row: int, word: str) -> None:
        """Outline a row, and name it at its right end as far as there is room; hide both where it is not in sight."""
        plot, area = self.plot, self.plot.area
        edges = outlined(plot.y_pixel(row), plot.y_pixel(row + 1), area.top(), area.bottom())
        if edges is None:
            frame.hide()
            tag.hide()
            return
        frame.place(QRectF(area.left() - 0.5, edges[0] - 0.5, area.width(), edges[1] - edges[0]))
        for text in (f"{word} {row:,}", f"{row:,}"):
            tag.set_text(text)
            if tag.width <= area.width():
                middle = (plot.y_pixel(row) + plot.y_pixel(row + 1)) / 2
                tag.place(area.right() - tag.width, middle - tag.height / 2, area)
                return
        tag.hide()

    def _show_cursor(self, cursor: Cursor) -> None:
        part, plot = self._part, self.plot
        area = plot.area
        for line, tag, value, upright in (
            (self.row_line, self.row_tag, cursor.position, False),
            (self.column_line, self.column_tag, self._column_of(cursor) if self._drawn else None, True),
        ):
            if not self._drawn or value is None or not 0 <= value < part.shape[upright]:
                line.hide()
                tag.hide()
                continue
            pixel = plot.x_pixel(value + 0.5) if upright else plot.y_pixel(value + 0.5)
            line.place(pixel, area)
            if line.at is None:
                tag.hide()
                continue
            tag.set_text(f"{value:,}")
            bounds = QRectF(plot.rect())
            if upright:
                tag.place(pixel - tag.width / 2, area.bottom() + 3, bounds)
            else:
                tag.place(area.left() - 3 - tag.width, pixel - tag.height / 2, bounds)

    def _shortened(self, note: str) -> str:
        covered = COVERED.search(note)
        sampled = "sampled: " if "sampled" in note else ""
        return f"{sampled}{covered[1]} × {covered[2]} cells" if covered else ""

    # The window on the data -------------------------------------------------------------------------------

    @property
    def _whole(self) -> tuple[Range, Range]:
        rows, columns = self._part.shape
        return (0.0, float(columns)), (0.0, float(rows))

    def _look_at(self, x: Range, y: Range) -> None:
        if not self.plot.set_range(x, y):
            return
        self._redraw_frame()
        rows, columns = self._part.shape
        self.lab.set_viewport(**{self.row_field: window(y, rows), self.column_field: window(x, columns)})
        if self.lab.cursor.view == self.part_name and self._hovered is not None:
            self._on_plot_hovered(self._hovered)  # another cell has come under the mouse

    def _refit(self, part: MatrixPart, before: MatrixPart | None) -> None:
        """Show all of a side of the plane whose number of cells has changed."""
        if before is None or before.shape == part.shape:
            return
        whole_x, whole_y = self._whole
        changes: dict[str, None] = {}
        x, y = self.plot.x_range, self.plot.y_range
        if before.shape[0] != part.shape[0]:
            y, changes[self.row_field] = whole_y, None
        if before.shape[1] != part.shape[1]:
            x, changes[self.column_field] = whole_x, None
        self.plot.set_range(x, y)
        self.lab.set_viewport(**changes)

    @Slot(object)
    def _on_lab_viewport_changed(self, viewport: Viewport) -> None:
        if self._drawn and self.isVisible():
            self._follow(viewport)

    def _follow(self, viewport: Viewport) -> None:
        """Show what the viewport names."""
        rows, columns = self._part.shape
        x, y = span(getattr(viewport, self.column_field), columns), span(getattr(viewport, self.row_field), rows)
        if self.plot.set_range(x, y):
            self._redraw_frame()

    def _redraw_frame(self) -> None:
        self._draw_axes()
        self._place_marks()
        self._show_cursor(self.lab.cursor)
        self.plot.refresh()

    def _announce_size(self) -> None:
        size = (0, 0)
        if self.isVisible():
            ratio, area = self.devicePixelRatioF(), self.plot.area
            size = round(area.height() * ratio), round(area.width() * ratio)
        self.lab.set_viewport(**{self.size_field: size})

    # The mouse --------------------------------------------------------------------------------------------

    def _lay_out_anew(self) -> None:
        self._draw_axes()
        self._place_marks()

    def _cell_at(self, place: QPointF) -> tuple[int, int] | None:
        if not self._drawn or not self.plot.area.contains(place):
            return None
        rows, columns = self._part.shape
        row, column = int(self.plot.y_value(place.y())), int(self.plot.x_value(place.x()))
        return (row, column) if 0 <= row < rows and 0 <= column < columns else None

    @Slot(QPointF)
    def _on_plot_hovered(self, place: QPointF) -> None:
        self._hovered = place
        cell = self._cell_at(place)
        if cell is not None:
            self.lab.set_cursor(self._cursor_at(*cell))
        elif self.lab.cursor.view == self.part_name:
            self.lab.set_cursor(NO_CURSOR)

    @Slot(QPointF)
    def _on_plot_clicked(self, place: QPointF) -> None:
        cell = self._cell_at(place)
        if cell is None:
            return
        asked = self._asked(*cell)
        self._before_click = {name: getattr(self.lab.state, name) for name in asked}
        self.lab.request(**asked)

    @Slot(QPointF)
    def _on_plot_double_clicked(self, place: QPointF) -> None:
        # The first click of the two has moved the spot, which a person who wants to see everything did not ask for.
        if self._before_click:
            self.lab.request(**self._before_click)
            self._before_click = {}
        if self._drawn:
            self._look_at(*self._whole)

    @Slot(QPointF)
    def _on_plot_dragged(self, moved: QPointF) -> None:
        if not self._drawn:
            return
        area, (whole_x, whole_y) = self.plot.area, self._whole
        (left, right), (top, bottom) = self.plot.x_range, self.plot.y_range
        x = held(left - moved.x() / area.width() * (right - left), right - left, whole_x)
        y = held(top - moved.y() / area.height() * (bottom - top), bottom - top, whole_y)
        self._look_at(x, y)

    @Slot(QPointF, float)
    def _on_plot_wheeled(self, place: QPointF, notches: float) -> None:
        if not self._drawn:
            return
        # Over an axis the wheel zooms that axis alone.
        area = self.plot.area
        self._zoom(place, NOTCH_FACTOR**notches, x=place.x() >= area.left(), y=place.y() <= area.bottom())

    def _zoom(self, place: QPointF, factor: float, *, x: bool = True, y: bool = True) -> None:
        plot, (whole_x, whole_y) = self.plot, self._whole
        new_x = zoomed(plot.x_range, whole_x, plot.x_value(place.x()), factor, LEAST_CELLS) if x else plot.x_range
        new_y = zoomed(plot.y_range, whole_y, plot.y_value(place.y()), factor, LEAST_CELLS) if y else plot.y_range
        self._look_at(new_x, new_y)

    @Slot(int)
    def _on_plot_key_pressed(self, key: int) -> None:
        if not self._drawn:
            return
        if key in self.steps:
            name, step = self.steps[key]
            at = getattr(self.lab.state, name) + step
            self.lab.request(**{name: min(max(at, 0), self._part.shape[0] - 1)})
        elif key in ZOOM_KEYS:
            self._zoom(self.plot.area.center(), ZOOM_KEYS[key])
        else:
            self._look_at(*self._whole)


def _no_width(text: str) -> float:
    return 0.0
