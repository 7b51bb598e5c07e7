"""The window: a control dock, four linked views, the formula strip, and the actions around them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QUrl
from PySide6.QtGui import QAction, QCloseEvent, QDragEnterEvent, QDropEvent, QFont, QGuiApplication, QKeySequence
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QFileDialog,
    QMainWindow,
    QSizePolicy,
    QWidget,
)

from pe_desktop.controls.dock import ControlDock
from pe_desktop.core.errors import FieldError, Fix
from pe_desktop.core.state import LabState
from pe_desktop.model.lab import Lab
from pe_desktop.session_file import SUFFIX, open_session, save_session
from pe_desktop.shell import palette
from pe_desktop.shell.action_bar import ActionBar
from pe_desktop.shell.centre import Centre
from pe_desktop.shell.message_bar import MessageBar
from pe_desktop.shell.settings import Settings
from pe_desktop.theme import THEMES, Theme
from pe_desktop.views.panel import Panel

if TYPE_CHECKING:
    from pe_desktop.shell.about import AboutBox

FIRST_SIZE = QSize(1440, 900)
LEAST_SIZE = QSize(960, 640)
DOCK_WIDTH = 320
# Actions by how much their words are worth where the toolbar has not the room for all.
WORDS = ("open", "reset", "compare", "theme", "controls", "save", "picture", "undo", "redo")
LAYOUT_VERSION = 1
SESSION_FILTER = f"PE Desktop session (*{SUFFIX})"
PICTURE_FILTER = "Picture (*.png *.svg *.pdf)"


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

    def _build_actions(self) -> None:
        bar = ActionBar(palette.ICON_SIZE)
        self.addToolBar(bar)
        stack = self.lab.undo_stack
        self._undo, self._redo = stack.createUndoAction(self, "Undo"), stack.createRedoAction(self, "Redo")
        self._icons: dict[str, QAction] = {"undo": self._undo, "redo": self._redo}
        self._undo.setShortcut(QKeySequence.StandardKey.Undo)
        for action in (self._undo, self._redo):
            action.triggered.connect(self.controls.revert)
        self._redo.setShortcuts([QKeySequence("Ctrl+Y"), QKeySequence("Ctrl+Shift+Z")])
        self._add_action("open", "Open…", "Ctrl+O", "Open a saved session", self._on_open_triggered)
        self._add_action("save", "Save…", "Ctrl+S", "Save the state as a session", self._on_save_triggered)
        self._add_action(
            "reset", "Reset", "Ctrl+R", "Back to the first state (can be undone)", self._on_reset_triggered
        )
        self._add_action("picture", "Picture…", "Ctrl+P", "Save a picture of the window", self._on_picture_triggered)
        self._add_action("theme", "Theme", "Ctrl+T", "Next of light, dark and projector", self._on_theme_triggered)
        self._about: AboutBox | None = None
        self._add_action("about", "About", "F1", "What this program is and how right its numbers are", self.show_about)
        self._add_compare()
        self._add_cancel()
        toggle = self.dock.toggleViewAction()
        toggle.setShortcut(QKeySequence("Ctrl+D"))
        self._icons["controls"] = toggle
        for group in (("open", "save"), ("undo", "redo", "reset"), ("compare",), ("picture",)):
            bar.addActions([self._icons[name] for name in group])
            bar.addSeparator()
        spring = QWidget()
        spring.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        bar.addWidget(spring)
        bar.addActions([self._icons[name] for name in ("controls", "theme", "about")])
        bar.keep_words(*(self._icons[name] for name in WORDS))
        self._bar = bar

    def _add_compare(self) -> None:
        """The switch of the comparison; it brings back the scheme B of last time."""
        self._last_b = self.lab.state.compare
        self._add_action("compare", "Compare", "Ctrl+B", "Compare with a second scheme", self._on_compare_triggered)
        self._icons["compare"].setCheckable(True)
        self._icons["compare"].setChecked(bool(self._last_b))

    def _add_cancel(self) -> None:
        """Esc calls work off, unless something in focus takes the key; with nothing at work it is nobody's."""
        self._cancel = QAction("Cancel", self)
        self._cancel.setObjectName("action_cancel")
        self._cancel.setShortcut(QKeySequence(Qt.Key.Key_Escape))
        self._cancel.setEnabled(False)
        self._cancel.triggered.connect(self.lab.stop)
        self.lab.busy_changed.connect(self._cancel.setEnabled)
        self.addAction(self._cancel)

    def _add_action(self, name: str, text: str, keys: str, tip: str, slot: object) -> None:
        action = QAction(text, self)
        action.setObjectName(f"action_{name}")
        action.setShortcut(QKeySequence(keys))
        action.setToolTip(f"{tip} ({QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)})")
        action.triggered.connect(slot)
        self._icons[name] = action

    def _connect(self) -> None:
        self.lab.failed.connect(self._on_lab_failed)
        self.lab.state_changed.connect(self._on_lab_state_changed)
        self.messages.fix_chosen.connect(self._on_fix_chosen)
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
        self.messages.set_theme(theme)
        if self._about is not None:
            self._about.set_theme(theme)
        for name, action in self._icons.items():
            action.setIcon(palette.icon(name, theme))

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

    def _is_visible_somewhere(self) -> bool:
        title = self.frameGeometry().adjusted(40, 0, -40, 0)
        title.setHeight(40)
        return any(screen.availableGeometry().intersects(title) for screen in QGuiApplication.screens())

    def closeEvent(self, event: QCloseEvent) -> None:
        """Keep place, size, front views and theme."""
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
            self.open_session(urls[0].toLocalFile() or urls[0].toString())

    def open_session(self, path: str) -> None:
        """Go to the state a file holds; a file that cannot be read is refused in one sentence."""
        try:
            self.lab.replace(open_session(path))
        except FieldError as error:
            self.messages.say(error)
        else:
            self.messages.retract()
            self.controls.revert()

    def _on_open_triggered(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self, "Open a session", "", SESSION_FILTER)
        if path:
            self.open_session(path)

    def _on_save_triggered(self) -> None:
        path, _ = QFileDialog.getSaveFileName(self, "Save the session", f"session{SUFFIX}", SESSION_FILTER)
        if not path:
            return
        try:
            self.messages.tell(f"Saved as {save_session(self.lab.state, path)}")
        except FieldError as error:
            self.messages.say(error)

    def _on_picture_triggered(self) -> None:
        path, _ = QFileDialog.getSaveFileName(self, "Save a picture of the window", "pe-desktop.png", PICTURE_FILTER)
        if not path:
            return
        from pe_desktop.shell.pictures import save_picture  # not needed to start

        try:
            save_picture(self, path, picture_title(self.lab))
            self.messages.tell(f"Saved as {path}")
        except FieldError as error:
            self.messages.say(error)

    def _on_reset_triggered(self) -> None:
        self.lab.reset()
        self.controls.revert()

    def _on_compare_triggered(self, wanted: bool) -> None:
        self.lab.request(compare=(self._last_b or self.lab.state.scheme) if wanted else "")
        self._icons["compare"].setChecked(bool(self.lab.state.compare))

    def _on_lab_state_changed(self, old: LabState, new: LabState) -> None:
        self.messages.retract()
        self._icons["compare"].setChecked(bool(new.compare))
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


def picture_title(lab: Lab) -> str:
    """What a picture shows, to be stamped into the file."""
    state = lab.state
    values = ", ".join(f"{name} {_short(value)}" for name, value in state.built.effective().items())
    return (
        f"PE Desktop: {state.built.title} ({values or 'no parameters'}), dimension {state.dimension}, "
        f"length {state.length}, spot {state.position}"
    )


def _short(value: object) -> str:
    return f"[{len(value)} numbers]" if isinstance(value, tuple) and len(value) > 4 else str(value)
