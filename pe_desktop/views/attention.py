"""The toy attention: who attends to whom, in sentence A, in B, and the difference."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Slot
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QButtonGroup, QWidget

from pe_desktop.core.parts import NO_CURSOR, AttentionPart, Cursor, Float32, Snapshot
from pe_desktop.theme import Theme
from pe_desktop.views.axes import ColourBar
from pe_desktop.views.heatmap import BELOW_TITLE, Heatmap, masked, number_texts
from pe_desktop.views.panel import Panel
from pe_desktop.views.plot import Plot
from pe_desktop.views.plotting import (
    diverging_steps,
    diverging_table,
    font,
    sequential_steps,
    sequential_table,
    short_text,
)
from pe_desktop.views.words import COLUMN_SHARE, ROW_SHARE

MAPS = ("a", "b", "difference")
BUTTONS = (
    ("all", "All", "Sentence A, sentence B and their difference side by side"),
    ("a", "A", "The sentence as typed"),
    ("b", "B", "The sentence with the two words exchanged"),
    ("difference", "A−B", "Weights of A minus weights of B, slot by slot"),
)
TOPS = (1.0, 0.5, 0.3, 0.2, 0.1, 0.05, 0.03, 0.02, 0.01, 0.005, 0.003, 0.002)
# Least width of one of three maps, in heights of a line: where its words fit, and where they are shortened.
LEAST_SLOT, LEAST_CUT_SLOT = 6.0, 11.0
BETWEEN = 14.0
CROWDED = "A − B only: no room for three maps; choose A or B"
ROUNDING = 1e-7  # of a float32 weight
BAR_ROOM = 54.0


class AttentionView(Panel):
    """Draws an :class:`AttentionPart`."""

    part_name = "attention"
    name = "Attention"

    def __init__(self, lab: Any, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(lab, theme, Plot(), parent)
        scene = self.plot.scene()
        self.maps = {name: Heatmap(scene) for name in MAPS}
        self.bar = ColourBar()
        self.bar.setVisible(False)
        scene.addItem(self.bar)
        self.mode = "all"
        self._values: dict[str, Float32] = {}
        self._tops = {"a": 1.0, "b": 1.0, "difference": 1.0}
        self._same = False  # whether A and B are
        self._layout_key: Any = None
        self._marked: tuple[int | None, ...] = (None, None)
        self._group = QButtonGroup(self)
        self.buttons = {}
        for name, text, tip in BUTTONS:
            button = self.add_button(text, tip, checkable=True)
            button.setObjectName(f"show_{name}")
            button.setVisible(False)
            self._group.addButton(button)
            self.buttons[name] = button
        self.buttons["all"].setChecked(True)
        self._group.buttonClicked.connect(self._on_group_button_clicked)
        self.header.resized.connect(self._on_header_resized)
        self.plot.set_margins(0, 2, 0, 2)
        self.set_theme(theme)

    # Drawing ----------------------------------------------------------------------------------------------

    def _is_empty(self, part: AttentionPart) -> bool:
        # While a long sentence is computed the last picture stays; the sentence below says what goes on.
        return not part.tokens_a and (part.exact or not self._values)

    def _restyle(self, theme: Theme) -> None:
        sequential, diverging = sequential_table(theme), diverging_table(theme)
        self.maps["a"].set_theme(theme, sequential, theme.text)
        self.maps["b"].set_theme(theme, sequential, theme.other)
        self.maps["difference"].set_theme(theme, diverging, theme.muted)
        for button in self.buttons.values():
            button.setFont(font(theme.small))
        self._line = QFontMetricsF(font(theme.small)).height()
        self._layout_key = None

    def _draw(self, part: AttentionPart, before: AttentionPart | None) -> None:
        if not part.tokens_a:
            return
        both = part.weights_b is not None
        for button in self.buttons.values():
            if button.isHidden() == both:
                button.setVisible(both)
        self._values = {"a": part.weights_a}
        if part.weights_b is not None:
            self._values |= {"b": part.weights_b, "difference": part.weights_a - part.weights_b}
        self._tops = self._scales()
        self._lay_out(part)
        self._colour(part)
        self._mark(force=True)

    def _scales(self) -> dict[str, float]:
        largest = max(float(self._values[name].max()) for name in ("a", "b") if name in self._values)
        # Long sentences spread their weight thinly: the scale then ends lower, in steps, so that it does not flicker.
        top = next(reversed([value for value in TOPS if value >= largest]), 1.0)
        difference = self._values.get("difference")
        widest = 0.0 if difference is None else float(np.abs(difference).max())
        self._same = widest <= ROUNDING
        return {"a": top, "b": top, "difference": 1.0 if self._same else widest}

    def shown_maps(self) -> tuple[str, ...]:
        """Names of the maps on the picture, from the left."""
        if "b" not in self._values:
            return ("a",)
        if self.mode != "all":
            return (self.mode,)
        slot = self.plot.area.width() / 3
        room = ROW_SHARE * slot
        fit = self.maps["a"].words.longest(self._part.tokens_a, room) < room
        return MAPS if slot >= (LEAST_SLOT if fit else LEAST_CUT_SLOT) * self._line else ("difference",)

    def _lay_out(self, part: AttentionPart) -> None:
        names, area = self.shown_maps(), self.plot.area
        room = area.width() - (BAR_ROOM * self.theme.pen if len(names) == 1 else BETWEEN * (len(names) - 1))
        width = room / len(names)
        words = {"a": part.tokens_a, "b": part.tokens_b or (), "difference": self._joined_or_slots(part, width)}
        key = (names, area, tuple(words.values()), part.swapped, self.theme)
        if key == self._layout_key:
            return
        self._layout_key = key
        both = part.tokens_b is not None
        # One width for the words of all maps, so that their cells are equally large and stand side by side.
        most = max(ROW_SHARE * width, COLUMN_SHARE * area.height())
        longest = max(self.maps[name].words.longest(words[name], most) for name in names)
        for name, item in self.maps.items():
            if name not in names:
                item.hide()
                continue
            left = area.left() + names.index(name) * (width + BETWEEN)
            # Above the colour bar of a single map there is room for its title.
            reach = area.right() if len(names) == 1 else left + width
            slot = QRectF(left, area.top(), width, area.height())
            item.place(slot, words[name], part.swapped or (), title=both, longest=longest, reach=reach)

    def _joined_or_slots(self, part: AttentionPart, width: float) -> tuple[str, ...]:
        """Words of the difference: both where A and B differ in a slot, its number where there is no room for both."""
        joined = _joined(part)
        differ = [k for k, word in enumerate(joined) if word != part.tokens_a[k]]
        room = min(ROW_SHARE * width, COLUMN_SHARE * (self.plot.area.height() - self._line - BELOW_TITLE))
        for label in ("", "slot {}"):
            made = [label.format(k) or joined[k] for k in differ]
            if self.maps["difference"].words.longest(made, room) < room:
                break
        else:
            made = [str(k) for k in differ]
        words = dict(enumerate(joined)) | dict(zip(differ, made, strict=True))
        return tuple(words.values())

    def _set_titles(self, names: tuple[str, ...]) -> None:
        top = short_text(self._tops["a"])
        blocks = self.maps[names[0]].blocks
        pooled = f"each pixel: strongest of up to {blocks[0]} × {blocks[1]} cells · " if blocks is not None else ""
        crowded = self.mode == "all" and names == ("difference",)
        note = f"{CROWDED} · " if crowded else ""
        self.header.set_words(self._part.title, note + pooled + self._part.pixel)
        titles = {
            "a": (f"A  0 – {top}", "A"),
            "b": (f"B  0 – {top}", "B"),
            "difference": self._difference_titles(crowded and not self.header.has_room(CROWDED)),
        }
        for name in names:
            self.maps[name].set_title(*titles[name])

    def _difference_titles(self, crowded: bool) -> tuple[str, ...]:
        """Titles of the difference, the longest first; `crowded`: they also say that A and B have no room."""
        if self._same:
            return (*(("A − B  all 0; choose A or B",) if crowded else ()), "A − B  all 0", "A = B")
        scaled = f"A − B  ±{short_text(self._tops['difference'])}"
        if crowded:
            return f"{scaled}; no room for A and B", "A − B only: choose A or B", "A − B only", "A − B"
        return scaled, "A − B"

    def _colour(self, part: AttentionPart) -> None:
        names = self.shown_maps()
        for name in names:
            values, top = self.maps[name].pooled(self._values[name]), self._tops[name]
            steps = diverging_steps(values, top) if name == "difference" else sequential_steps(values, top)
            self.maps[name].set_values(
                masked(steps) if part.causal else steps, number_texts(values, causal=part.causal)
            )
        self._set_titles(names)
        self._place_bar(names)

    def _place_bar(self, names: tuple[str, ...]) -> None:
        item = self.maps[names[0]]
        flat = names[0] == "difference" and self._same
        shown = len(names) == 1 and not item.numbers.isVisible() and not flat
        self.bar.setVisible(shown)
        if not shown or item.layout is None:
            return
        cells, top = item.layout.cells, self._tops[names[0]]
        diverging = names[0] == "difference"
        table = diverging_table(self.theme) if diverging else sequential_table(self.theme)
        self.bar.set_theme(self.theme, table)
        self.bar.set_texts((short_text(top), "0", short_text(-top)) if diverging else (short_text(top), "0"))
        right = min(cells.right() + 10 + BAR_ROOM * self.theme.pen, self.plot.width())
        self.bar.set_rect(QRectF(cells.right() + 10, cells.top(), right - cells.right() - 10, cells.height()))

    def _lay_out_anew(self) -> None:
        if not self._part.tokens_a:
            return
        self._lay_out(self._part)
        self._colour(self._part)
        self._mark(force=True)

    @Slot()
    def _on_header_resized(self) -> None:
        if self._drawn and self._part.tokens_a:
            self._set_titles(self.shown_maps())
            self.plot.refresh()

    @Slot(object)
    def _on_lab_snapshot_ready(self, snapshot: Snapshot) -> None:
        super()._on_lab_snapshot_ready(snapshot)
        # The weights do not depend on the inspected spot, so its move leaves the part as it is.
        if self._drawn and self.isVisible():
            self._mark()

    def _mark(self, *, force: bool = False) -> None:
        words = len(self._part.tokens_a)
        state = self.lab.state
        # Positions after the last word are all the same here: nothing to outline.
        chosen = tuple(place if place < words else None for place in (state.position, state.key_position))
        if force or chosen != self._marked:
            self._marked = chosen
            for item in self.maps.values():
                item.mark(*chosen)
            self.plot.refresh()

    def _show_cursor(self, cursor: Cursor) -> None:
        own = cursor.view == self.part_name
        query = cursor.query if own else cursor.position
        for item in self.maps.values():
            item.point(query, cursor.key if own else None)

    # The mouse and the buttons ----------------------------------------------------------------------------

    @Slot(object)
    def _on_group_button_clicked(self, button: object) -> None:
        self.mode = next(name for name, each in self.buttons.items() if each is button)
        if self._drawn:
            self._lay_out_anew()
            self._show_cursor(self.lab.cursor)
            self.plot.refresh()

    def _cell_at(self, place: QPointF) -> tuple[str, int, int] | None:
        for name, item in self.maps.items():
            cell = item.layout.cell_at(place) if item.layout is not None and item.shown else None
            if cell is not None:
                return name, *cell
        return None

    @Slot(QPointF)
    def _on_plot_hovered(self, place: QPointF) -> None:
        found = self._cell_at(place)
        if found is None:
            if self.lab.cursor.view == self.part_name:
                self.lab.set_cursor(NO_CURSOR)
            self._tell("")
            return
        name, query, key = found
        self.lab.set_cursor(Cursor(view=self.part_name, position=query, query=query, key=key, sentence=name))
        words = _joined(self._part) if name == "difference" else getattr(self._part, f"tokens_{name}")
        labels = self.maps[name].words
        cut = labels.is_cut(query, words[query]) or labels.is_cut(key, words[key])
        self._tell(f"{words[query][:200]} → {words[key][:200]}" if cut else "")

    def _tell(self, text: str) -> None:
        if self.plot.viewport().toolTip() != text:
            self.plot.viewport().setToolTip(text)

    @Slot(QPointF)
    def _on_plot_clicked(self, place: QPointF) -> None:
        found = self._cell_at(place)
        if found is not None:
            self.lab.request(position=found[1], key_position=found[2])


def _joined(part: AttentionPart) -> tuple[str, ...]:
    """Words of the difference: both where A and B differ in a slot."""
    pairs = zip(part.tokens_a, part.tokens_b or part.tokens_a, strict=False)
    return tuple(a if a == b else f"{a}/{b}" for a, b in pairs)
