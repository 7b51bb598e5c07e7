"""The frame every view shares: header, plot, sentence, and the way a snapshot reaches the picture."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QColor, QHideEvent, QPalette, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from pe_desktop.core.parts import NO_CURSOR, Cursor, Snapshot
from pe_desktop.theme import Theme
from pe_desktop.views.plot import Plot
from pe_desktop.views.texts import HeaderText, Message, Sentence

EMPTY_KINDS = ("nothing", "text")


class Panel(QWidget):
    """A view of one part of the snapshot.

    A subclass names its part in ``part_name``, draws in :meth:`_draw` and moves its lines in :meth:`_show_cursor`.
    While hidden nothing is drawn; on being shown it catches up.

    Parameters
    ----------
    lab : Lab
        Source of snapshots and cursor; changes go to its request methods only.
    theme : Theme
    plot : Plot
        The surface; the panel owns it.
    """

    part_name = ""
    name = ""
    is_pane = False  # whether the part is one of the snapshot's panes

    def __init__(self, lab: Any, theme: Theme, plot: Plot, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.lab = lab
        self.theme = theme
        self.plot = plot
        self._part: Any = None
        self._drawn = False
        self._covered = ""
        self.setObjectName(self.part_name)
        for widget in (self, plot):
            widget.setAccessibleName(self.name)
        self.setAutoFillBackground(True)
        self._build()
        self._connect()

    def _build(self) -> None:
        self.header, self.message, self.sentence = HeaderText(self), Message(self), Sentence(self)
        self.message.hide()
        # Words with a ground of their own: Qt then need not paint what lies below them first.
        for words in (self.header, self.sentence):
            words.setAutoFillBackground(True)
        top = QHBoxLayout()
        top.setSpacing(2)
        top.addWidget(self.header, 1)
        self._buttons = top
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(12, 6, 12, 6)
        self._column.setSpacing(4)
        self._column.addLayout(top)
        self._column.addWidget(self.plot, 1)
        self._column.addWidget(self.message, 1)
        self._column.addWidget(self.sentence)

    def _connect(self) -> None:
        self.lab.snapshot_ready.connect(self._on_lab_snapshot_ready)
        self.lab.cursor_moved.connect(self._on_lab_cursor_moved)
        self.plot.resized.connect(self._on_plot_resized)
        self.plot.clicked.connect(self._on_plot_clicked)
        self.plot.drag_ended.connect(self.lab.end_drag)
        self.plot.hovered.connect(self._on_plot_hovered)
        self.plot.left.connect(self._on_plot_left)
        self.plot.focus_changed.connect(self.header.set_in_focus)

    def add_button(self, text: str, tip: str, *, checkable: bool = False) -> QToolButton:
        """A small flat button at the right of the header."""
        button = QToolButton(self)
        button.setText(text)
        button.setToolTip(tip)
        button.setAutoRaise(True)
        button.setCheckable(checkable)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._buttons.addWidget(button)
        return button

    @property
    def part(self) -> Any:
        """The part on screen, None before the first."""
        return self._part

    def set_theme(self, theme: Theme) -> None:
        """Restyle everything; the picture is drawn anew."""
        self.theme = theme
        palette = QPalette(self.palette())
        palette.setColor(QPalette.ColorRole.Window, QColor(theme.panel))
        palette.setColor(QPalette.ColorRole.WindowText, QColor(theme.text))
        self.setPalette(palette)
        for piece in (self.header, self.message, self.sentence, self.plot):
            piece.set_theme(theme)
        self._restyle(theme)
        if self._part is not None:
            part, self._part, self._drawn = self._part, None, False
            self._take(part)

    def cover(self, words: str) -> None:
        """Let words stand for the sentence, for who hears it, while something lies over the view; "" gives it back."""
        self._covered = words
        self._describe()

    def _describe(self) -> None:
        words = self._covered or (self._part.sentence if self._part is not None else "")
        if words != self.accessibleDescription():
            for widget in (self, self.plot):
                widget.setAccessibleDescription(words)

    @Slot(object)
    def _on_lab_snapshot_ready(self, snapshot: Snapshot) -> None:
        if self.isVisible():
            self._take(self._part_of(snapshot))

    def _part_of(self, snapshot: Snapshot) -> Any:
        """The part of a snapshot that is shown."""
        return snapshot.part(self.part_name)

    @Slot(object)
    def _on_lab_cursor_moved(self, cursor: Cursor) -> None:
        if self.isVisible():
            self._show_cursor(cursor)
            self.plot.refresh()

    def _take(self, part: Any) -> None:
        if part is self._part or part is None:
            return
        before, self._part, self._drawn = self._part if self._drawn else None, part, False
        empty = getattr(part, "kind", "") in EMPTY_KINDS or self._is_empty(part)
        self._set_words(part, empty)
        if not empty:
            self._draw(part, before)
            self._drawn = True
        self._show_cursor(self.lab.cursor)
        self.plot.refresh()

    def _set_words(self, part: Any, empty: bool) -> None:
        note = "" if empty else getattr(part, "point", getattr(part, "pixel", ""))
        self.header.set_words(part.title, note, self._shortened(note))
        (self.message if empty else self.sentence).set_text(part.sentence)
        self._describe()
        if empty == self.message.isHidden():
            self.message.setVisible(empty)
            self.plot.setVisible(not empty)
            self.sentence.setVisible(not empty)
            self._on_emptied(empty)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._announce_shown(True)
        self._announce_size()
        if self.lab.snapshot is not None:
            self._take(self._part_of(self.lab.snapshot))

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._announce_shown(False)
        self._announce_size()

    @Slot()
    def _on_plot_resized(self) -> None:
        if self.isVisible():
            self._announce_size()
        if self._drawn:
            self._lay_out_anew()
            self._show_cursor(self.lab.cursor)
        self.plot.refresh()

    @Slot()
    def _on_plot_left(self) -> None:
        if self.lab.cursor.view == self.part_name:
            self.lab.set_cursor(NO_CURSOR)

    def _announce_shown(self, shown: bool) -> None:
        """A pane is computed only while it is visible."""
        if self.is_pane:
            others = self.lab.viewport.shown - {self.part_name}
            self.lab.set_viewport(shown=others | {self.part_name} if shown else others)

    # What a subclass fills in -----------------------------------------------------------------------------

    def _draw(self, part: Any, before: Any) -> None:
        """Bring the picture from the part `before` (or None) to `part`."""
        raise NotImplementedError

    def _restyle(self, theme: Theme) -> None:
        """Give pens, brushes and tables to the items; the drawing follows."""
        raise NotImplementedError

    def _show_cursor(self, cursor: Cursor) -> None:
        """Move the lines that follow the cursor; nothing else."""
        raise NotImplementedError

    def _announce_size(self) -> None:
        """Tell the lab how many pixels there are, 0 while hidden; only views that have exact windows."""

    def _shortened(self, note: str) -> str:
        """What the note beside the title says where there is no room for all of it; "": its beginning."""
        return ""

    def _is_empty(self, part: Any) -> bool:
        """Whether there is nothing to draw although the part has no kind that says so."""
        return False

    def _on_emptied(self, empty: bool) -> None:
        """React to a change between picture and sentence."""

    def _lay_out_anew(self) -> None:
        """Place the items for another size of the plot; a part has been drawn."""
        raise NotImplementedError

    def _on_plot_clicked(self, place: Any) -> None:
        """Ask for what is under the mouse."""

    def _on_plot_hovered(self, place: Any) -> None:
        """Set the cursor to what is under the mouse."""
