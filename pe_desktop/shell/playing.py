"""The action Play: what it moves, and hands that hold what moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QApplication, QWidget

from pe_desktop.controls.number_edit import NumberEdit
from pe_desktop.controls.slider import ValueSlider
from pe_desktop.model.player import Player

if TYPE_CHECKING:
    from pe_desktop.shell.main_window import MainWindow

KEYS = "Ctrl+Space"


class Playing(QObject):
    """Adds the action to the window and lets the moving number wait while its own slider or field is in use.

    Parameters
    ----------
    window : MainWindow
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._slider: ValueSlider | None = None
        self._edit: NumberEdit | None = None
        self.player: Player = window.player
        tip = "Let a number move: that of the lesson's step, or the one you changed last"
        self._action = window.actions_by_name.add("play", "Play", KEYS, tip, self._on_action_triggered, checkable=True)
        # Of the window too: the toolbar is hidden while presenting.
        window.addAction(self._action)
        self.player.playing_changed.connect(self._on_player_playing_changed)

    @Slot(bool)
    def _on_action_triggered(self, wanted: bool) -> None:
        guide, player = self._window.guide, self.player
        step = guide.step
        if not wanted:
            player.stop()
        elif step is not None and step.play is not None:
            player.play(step.play.parameter, step.play.low, step.play.high)
        else:
            player.play(player.latest)
        self._action.setChecked(player.playing)

    @Slot(bool)
    def _on_player_playing_changed(self, playing: bool) -> None:
        self._action.setChecked(playing)
        self._let_go()
        if playing:
            self._watch()

    def _watch(self) -> None:
        """Follow the hands on the row of the number that moves."""
        group, _, name = self.player.field.rpartition(".")
        row = self._window.controls.row_of(group, name)
        if row is None:
            return
        self._slider, self._edit = row.findChild(ValueSlider), row.findChild(NumberEdit)
        if self._slider is not None:
            self._slider.drag_started.connect(self._on_slider_drag_started)
            self._slider.drag_ended.connect(self._on_slider_drag_ended)
        if self._edit is not None:
            self._edit.textEdited.connect(self._on_edit_text_edited)
            self._edit.committed.connect(self._on_edit_committed)
            self._edit.cancelled.connect(self._on_edit_cancelled)
            _application().focusChanged.connect(self._on_app_focus_changed)

    def _let_go(self) -> None:
        if self._slider is not None:
            self._slider.drag_started.disconnect(self._on_slider_drag_started)
            self._slider.drag_ended.disconnect(self._on_slider_drag_ended)
        if self._edit is not None:
            self._edit.textEdited.disconnect(self._on_edit_text_edited)
            self._edit.committed.disconnect(self._on_edit_committed)
            self._edit.cancelled.disconnect(self._on_edit_cancelled)
            _application().focusChanged.disconnect(self._on_app_focus_changed)
        self._slider = self._edit = None

    @Slot()
    def _on_slider_drag_started(self) -> None:
        self.player.wait(True)

    @Slot()
    def _on_slider_drag_ended(self) -> None:
        self.player.wait(False)

    @Slot(str)
    def _on_edit_text_edited(self, text: str) -> None:
        # The next step would take the half-typed number away.
        self.player.wait(True)

    @Slot(str)
    def _on_edit_committed(self, text: str) -> None:
        self.player.wait(False)

    @Slot()
    def _on_edit_cancelled(self) -> None:
        self.player.wait(False)

    @Slot(QWidget, QWidget)
    def _on_app_focus_changed(self, old: QWidget | None, new: QWidget | None) -> None:
        if old is self._edit:
            self.player.wait(False)


def _application() -> QApplication:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    return app
