"""The window: a control dock, four linked views, the formula strip, and the actions around them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QUrl
from PySide6.QtGui import QAction, QCloseEvent, QDragEnterEvent, QDropEvent, QFont, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow

from pe_desktop.controls.dock import ControlDock
from pe_desktop.core.errors import FieldError, Fix
from pe_desktop.core.state import LabState
from pe_desktop.model.lab import Lab
from pe_desktop.model.player import Player
from pe_desktop.shell import palette
from pe_desktop.shell.actions import Actions
from pe_desktop.shell.centre import Centre
from pe_desktop.shell.files import Files
from pe_desktop.shell.guide import Guide
from pe_desktop.shell.lesson_desk import LessonDesk
from pe_desktop.shell.lesson_menu import LessonMenu
from pe_desktop.shell.message_bar import MessageBar
from pe_desktop.shell.playing import Playing
from pe_desktop.shell.pointer import Pointer
from pe_desktop.shell.presenter import Presenter
from pe_desktop.shell.settings import Settings
from pe_desktop.shell.veils import Veils
from pe_desktop.theme import THEMES, Theme
from pe_desktop.views.panel import Panel

if TYPE_CHECKING:
    from pe_desktop.shell.about import AboutBox

FIRST_SIZE = QSize(1440, 900)
LEAST_SIZE = QSize(960, 640)
DOCK_WIDTH = 320
LAYOUT_VERSION = 1


class MainWindow(QMainWindow):
    """Everything in one window.

    Parameters
    ----------
    lab : Lab
        The model; the window does not own it.
    settings : Settings
    theme_name : str
        A theme's name, or ``system``.
    """

    def __init__(self, lab: Lab, settings: Settings, theme_name: str) -> None:
        super().__init__()
        self.lab = lab
        self._settings = settings
        self._theme_name = theme_name
        self._width_before = 0  # of the dock, in the themes of ordinary type
        self.theme: Theme = palette.theme_named(theme_name)
        # Before any widget is made, so that all are made in the theme's type.
        palette.apply_theme(_application(), self.theme)
        self.setObjectName("main_window")
        self.setWindowTitle("PE Desktop")
        self.setAcceptDrops(True)
        self.setMinimumSize(LEAST_SIZE)
        self.resize(FIRST_SIZE)
        self._build_centre()
        self._build_dock()
        self._build_lessons()
        self._build_actions()
        self._connect()
        self.set_theme(self.theme)

    def _build_centre(self) -> None:
        self.centre = Centre(self.lab, self.theme)
        self.setCentralWidget(self.centre)
        self.messages = MessageBar(self.centre, self.theme)

    @property
    def panels(self) -> dict[str, Panel]:
        """The views by name."""
        return self.centre.panels

    def _build_dock(self) -> None:
        self.controls = ControlDock(self.lab)
        self.dock = QDockWidget("Controls")
        self.dock.setObjectName("controls_dock")
        self.dock.setWidget(self.controls)
        self.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, self.dock)
        self.resizeDocks([self.dock], [DOCK_WIDTH], Qt.Orientation.Horizontal)

    def _build_lessons(self) -> None:
        self.player = Player(self.lab, self)
        self.guide = Guide(self)
        self.pointer, self.veils = Pointer(self), Veils(self)
        self.desk = LessonDesk(self, self._settings)
        self.lesson_dock = self.desk.dock
        self.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self.lesson_dock)
        self.lesson_dock.hide()

    def _build_actions(self) -> None:
        actions = self.actions_by_name = Actions(self)
        files = self.files = Files(self)
        actions.add_undo(self.lab.undo_stack, self.controls.revert)
        actions.add("open", "Open…", "Ctrl+O", "Open a saved session or a lesson", files.ask_open)
        actions.add("save", "Save…", "Ctrl+S", "Save the state as a session", files.ask_save)
        actions.add("reset", "Reset", "Ctrl+R", "Back to the first state (can be undone)", self._on_reset_triggered)
        actions.add("picture", "Picture…", "Ctrl+P", "Save a picture of the window", files.ask_picture)
        actions.add("theme", "Theme", "Ctrl+T", "Next of light, dark and projector", self._on_theme_triggered)
        self._about: AboutBox | None = None
        actions.add("about", "About", "F1", "What this program is and how right its numbers are", self.show_about)
        self._add_compare()
        self.playing = Playing(self)
        self.presenter = Presenter(self)
        self._add_cancel()
        actions.add_menu("lessons", "Lessons", "Lessons: try, predict, reveal", LessonMenu(self))
        actions.adopt("controls", self.dock.toggleViewAction(), "Ctrl+D")
        self.addToolBar(actions.bar)
        actions.fill_bar()

    def _add_compare(self) -> None:
        """The switch of the comparison; it brings back the scheme B of last time."""
        self._last_b = self.lab.state.compare
        tip, slot = "Compare with a second scheme", self._on_compare_triggered
        self._compare = self.actions_by_name.add("compare", "Compare", "Ctrl+B", tip, slot, checkable=True)
        self._compare.setChecked(bool(self._last_b))

    def _add_cancel(self) -> None:
        """Esc ends what goes on, unless something in focus takes the key; with nothing going on it is nobody's."""
        self._cancel = QAction("Cancel", self)
        self._cancel.setObjectName("action_cancel")
        self._cancel.setShortcut(QKeySequence(Qt.Key.Key_Escape))
        self._cancel.setEnabled(False)
        self._cancel.triggered.connect(self._on_cancel_triggered)
        self._working = False
        self.lab.busy_changed.connect(self._on_lab_busy_changed)
        for signal in (self.player.playing_changed, self.presenter.presenting_changed):
            signal.connect(self._update_cancel)
        self.addAction(self._cancel)

    def _connect(self) -> None:
        self.lab.failed.connect(self._on_lab_failed)
        self.lab.state_changed.connect(self._on_lab_state_changed)
        self.messages.fix_chosen.connect(self._on_fix_chosen)
        self.controls.experiment_chosen.connect(self.centre.show_experiment)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._on_system_scheme_changed)

    def set_theme(self, theme: Theme) -> None:
        """Restyle the window and all in it."""
        self.theme = theme
        app = _application()
        palette.apply_theme(app, theme)
        # Qt tells widgets of another type size only while the event loop runs.
        self.setFont(app.font())
        # The title of a dock in the application's own type stays as large as it was in the first theme.
        title = QFont(app.font())
        title.setPointSizeF(theme.small)
        self.dock.setFont(title)
        self.centre.set_theme(theme)
        self.controls.set_theme(theme)
        self.desk.set_theme(theme)
        self.messages.set_theme(theme)
        self.pointer.set_theme(theme)
        self.veils.set_theme(theme)
        if self._about is not None:
            self._about.set_theme(theme)
        self.actions_by_name.set_theme(theme)

    def show_about(self) -> None:
        """Open the window that tells of this program; it is made when it is first asked for."""
        if self._about is None:
            from pe_desktop.shell.about import AboutBox  # not needed to start

            self._about = AboutBox(self, self.theme)
        self._about.open_beside()

    def restore(self) -> None:
        """Take place, size and front views of last time, unless they are damaged or off every screen."""
        layout = self._settings.layout
        if not layout.isEmpty():
            self.restoreState(layout, LAYOUT_VERSION)
        geometry = self._settings.geometry
        if geometry.isEmpty() or not self.restoreGeometry(geometry) or not self._is_visible_somewhere():
            self.resize(FIRST_SIZE)
            screen = QGuiApplication.primaryScreen().availableGeometry()
            self.resize(self.size().boundedTo(screen.size()))
            self.move(screen.topLeft())
        for name in self._settings.front:
            self.centre.bring_to_front(name)
        self.centre.show_experiment_of_start()

    def _is_visible_somewhere(self) -> bool:
        title = self.frameGeometry().adjusted(40, 0, -40, 0)
        title.setHeight(40)
        return any(screen.availableGeometry().intersects(title) for screen in QGuiApplication.screens())

    def closeEvent(self, event: QCloseEvent) -> None:
        """Keep place, size, front views and theme."""
        self.player.stop()
        self.presenter.present(False)
        self._settings.geometry = self.saveGeometry()
        self._settings.layout = self.saveState(LAYOUT_VERSION)
        self._settings.front = self.centre.front
        self._settings.save()
        event.accept()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Files may be dropped."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open the first file dropped."""
        urls: list[QUrl] = event.mimeData().urls()
        if urls:
            self.files.open(urls[0].toLocalFile() or urls[0].toString())

    def _on_reset_triggered(self) -> None:
        self.lab.reset()
        self.controls.revert()

    def _on_lab_busy_changed(self, busy: bool) -> None:
        self._working = busy
        self._update_cancel()

    def _update_cancel(self) -> None:
        self._cancel.setEnabled(self._working or self.player.playing or self.presenter.presenting)

    def _on_cancel_triggered(self) -> None:
        """What goes on by itself ends first."""
        if self.player.playing:
            self.player.stop()
        elif self._working:
            self.lab.stop()
        elif not self.presenter.unblank():
            self.presenter.present(False)

    def _on_compare_triggered(self, wanted: bool) -> None:
        self.lab.request(compare=(self._last_b or self.lab.state.scheme) if wanted else "")
        self._compare.setChecked(bool(self.lab.state.compare))

    def _on_lab_state_changed(self, old: LabState, new: LabState) -> None:
        self.messages.retract()
        self._compare.setChecked(bool(new.compare))
        self._last_b = new.compare or self._last_b

    def _on_theme_triggered(self) -> None:
        names = list(THEMES)
        following = names[(names.index(self.theme.name) + 1) % len(names)]
        self._theme_name = self._settings.theme = following
        width = self.dock.width()
        if not self._width_before:
            self._width_before = width
        self.set_theme(THEMES[following])
        # Large type widens the dock; back in small type it takes the width a person gave it.
        if self.theme.body <= THEMES["light"].body:
            self.resizeDocks([self.dock], [self._width_before], Qt.Orientation.Horizontal)
            self._width_before = 0

    def _on_system_scheme_changed(self) -> None:
        if self._theme_name == palette.SYSTEM:
            self.set_theme(palette.theme_named(palette.SYSTEM))

    def _on_lab_failed(self, error: FieldError) -> None:
        if not (self.dock.isVisible() and self.controls.shows_field(error.field)):
            self.messages.say(error)

    def _on_fix_chosen(self, fix: Fix) -> None:
        self.lab.request(**fix.changes)


def _application() -> QApplication:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    return app
