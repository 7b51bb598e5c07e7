"""Starting the window, and drawing it without a screen."""

from __future__ import annotations

import os
import signal
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pe_desktop import process, system
from pe_desktop.core.errors import FieldError
from pe_desktop.core.state import LabState

if TYPE_CHECKING:  # not needed to start
    from PySide6.QtWidgets import QWidget

    from pe_desktop.lessons.lesson import Lesson
    from pe_desktop.shell.main_window import MainWindow

# The offscreen pointer rests at (0, 0); a window there would show its first button as hovered.
BESIDE_POINTER = (16, 16)


def run(state: LabState, theme_name: str | None, lesson: Lesson | None = None, step: int = 0) -> int:
    """Open the window and stay until it is closed.

    Parameters
    ----------
    state : LabState
    theme_name : str or None
        Overrides the saved theme for this run.
    lesson : Lesson or None
        Begins at once, in the state of its step.
    step : int
        Of the lesson, from 0.

    Returns
    -------
    int
        Exit code.

    Raises
    ------
    FieldError
        If there is no display to open a window on.
    """
    _require_display()
    from PySide6.QtCore import QEvent
    from PySide6.QtWidgets import QApplication

    process.tune()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    app = QApplication(sys.argv[:1])
    _name(app)
    from pe_desktop.model.lab import Lab
    from pe_desktop.shell.main_window import MainWindow
    from pe_desktop.shell.settings import Settings
    from pe_desktop.shell.troubles import Troubles

    settings = Settings()
    lab = Lab(state)
    window = MainWindow(lab, settings, theme_name or settings.theme)
    troubles = Troubles(window)
    troubles.install()
    lab.broke.connect(troubles.report)
    window.restore()
    window.show()
    if lesson is not None:
        window.guide.open(lesson, step)
    process.settle()
    code = app.exec()
    troubles.remove()
    lab.close()
    # The window goes while the application is still there; Qt does not survive the other order.
    window.hide()
    window.deleteLater()
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    return code


def _name(app: object) -> None:
    from PySide6.QtCore import QCoreApplication

    QCoreApplication.setApplicationName("pe-desktop")
    QCoreApplication.setOrganizationName("")


def _require_display() -> None:
    trouble = system.display_trouble()
    if not os.environ.get("QT_QPA_PLATFORM") and not system.choose_platform().display:
        trouble = "There is no display to open a window on (DISPLAY and WAYLAND_DISPLAY are not set)"
    if trouble:
        raise FieldError(
            "display",
            f"{trouble}. Draw the window into a file with pe-desktop render --out window.png, or set "
            "QT_QPA_PLATFORM=vnc and use a VNC viewer at port 5900.",
        )


@dataclass(frozen=True)
class Scene:
    """What :func:`render` draws.

    ``view`` is ``window`` or the name of a view, ``size`` its width and height in pixels. With a ``lesson`` (the whole
    window only) its ``step``, from 0, is open. ``present``: as a lecturer presents it.
    """

    view: str
    size: tuple[int, int]
    theme_name: str
    lesson: Lesson | None = None
    step: int = 0
    present: bool = False


def render(state: LabState, path: str, scene: Scene) -> None:
    """Draw the window, or one view, into a file; needs no screen.

    Parameters
    ----------
    state : LabState
    path : str
        Ends in .png, .svg or .pdf.
    scene : Scene

    Raises
    ------
    FieldError
        If the file cannot be written.
    """
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from PySide6.QtCore import qInstallMessageHandler
    from PySide6.QtWidgets import QApplication

    previous_handler = qInstallMessageHandler(_pass_on_unknown)
    app = QApplication.instance() or QApplication(["pe-desktop"])
    from pe_desktop.model.lab import Lab
    from pe_desktop.shell.main_window import MainWindow
    from pe_desktop.shell.pictures import picture_title, save_picture
    from pe_desktop.shell.settings import Settings

    lab = Lab(state, blocking=True)
    window = MainWindow(lab, Settings(kept=False), scene.theme_name)
    widget = _set_up(window, scene)
    try:
        for _ in range(2):  # sizes settle with the first pictures
            app.processEvents()
            if scene.present:
                widget.resize(*scene.size)  # the whole screen is as large as it happens to be
            lab.flush()
        app.processEvents()
        if (widget.width(), widget.height()) != scene.size:
            raise FieldError(
                "size",
                f"--size is {'x'.join(map(str, scene.size))}, but the {scene.view} needs at least {widget.width()}x"
                f"{widget.height()} pixels in the {scene.theme_name} theme.",
            )
        save_picture(widget, path, picture_title(lab))
    finally:
        lab.close()
        widget.hide()  # closing would save this size as the one a person left the window with
        window.deleteLater()
        app.processEvents()
        qInstallMessageHandler(previous_handler)


def _set_up(window: MainWindow, scene: Scene) -> QWidget:
    """Show what is to be drawn."""
    window.setMinimumSize(0, 0)
    widget: QWidget = window
    if scene.view != "window":
        widget = window.panels[scene.view]
        widget.setParent(None)
    widget.resize(*scene.size)
    widget.move(*BESIDE_POINTER)
    widget.show()
    if scene.lesson is not None:
        window.guide.open(scene.lesson, scene.step)
    if scene.present:
        window.presenter.present(True)
    return widget


def print_lesson(lesson: Lesson, path: str, answers: bool) -> None:
    """Print a lesson into a PDF file, with the answers at the end if wanted; needs no screen.

    Raises
    ------
    FieldError
        If the file cannot be written.
    """
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from PySide6.QtCore import qInstallMessageHandler
    from PySide6.QtWidgets import QApplication

    previous_handler = qInstallMessageHandler(_pass_on_unknown)
    app = QApplication.instance() or QApplication(["pe-desktop"])
    from pe_desktop.shell.handout import print_handout

    try:
        print_handout(lesson, path, "light", answers)
    finally:
        app.processEvents()
        qInstallMessageHandler(previous_handler)


def _pass_on_unknown(kind: object, context: object, message: str) -> None:
    """Qt's offscreen platform says of every window what it does not support; all other lines are passed on."""
    if not message.startswith("This plugin does not support"):
        print(f"Qt: {message}", file=sys.stderr)
