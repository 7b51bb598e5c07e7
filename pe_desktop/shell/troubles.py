"""What happens when something unexpected does: a log file, one dialog with a copy button, and on it goes."""

from __future__ import annotations

import logging
import logging.handlers
import sys
import threading
import traceback
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QMessageLogContext, QObject, QStandardPaths, Qt, QtMsgType, Signal, qInstallMessageHandler
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

LOG = logging.getLogger("pe_desktop")
LOG_BYTES = 1 << 20
LONGEST_REPORT = 20_000


def log_file() -> Path:
    """Where the log lives."""
    folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppLocalDataLocation)
    return Path(folder) / "pe-desktop.log"


def start_log(path: Path) -> bool:
    """Log to a file that is turned over at 1 MB; False if it cannot be written (then nothing is logged)."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handler = logging.handlers.RotatingFileHandler(path, maxBytes=LOG_BYTES, backupCount=1, encoding="utf-8")
    except OSError:
        return False
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    LOG.addHandler(handler)
    LOG.setLevel(logging.INFO)
    LOG.propagate = False
    return True


def stop_log() -> None:
    """Close the log file."""
    for handler in list(LOG.handlers):
        LOG.removeHandler(handler)
        handler.close()


class TroubleDialog(QDialog):
    """Tells what went wrong, where the log is, and lets the report be copied. Not modal."""

    def __init__(self, log: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("trouble_dialog")
        self.setWindowTitle("Something unexpected happened")
        self.setModal(False)
        self.resize(640, 360)
        words = QLabel(
            "PE Desktop met an error that it did not foresee. The program goes on and nothing you made is lost; "
            f"if something looks wrong, press Reset or start it anew.\nThe report below is also in {log}"
        )
        words.setWordWrap(True)
        words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._report = QPlainTextEdit()
        self._report.setReadOnly(True)
        self._report.setObjectName("trouble_report")
        copy = QPushButton("Copy report")
        copy.setObjectName("trouble_copy")
        copy.clicked.connect(self._on_copy_clicked)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.addButton(copy, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(words)
        layout.addWidget(self._report, 1)
        layout.addWidget(buttons)

    @property
    def report(self) -> str:
        """The text that Copy report copies."""
        return self._report.toPlainText()

    def add(self, report: str) -> None:
        """Show one more report; a flood of them stays readable."""
        if len(self.report) < LONGEST_REPORT:
            self._report.appendPlainText(report)

    def _on_copy_clicked(self) -> None:
        QGuiApplication.clipboard().setText(self.report)


class Troubles(QObject):
    """Catches exceptions of every thread and Qt's own warnings while installed."""

    _arrived = Signal(str)

    def __init__(self, parent: QWidget, log: Path | None = None) -> None:
        super().__init__(parent)
        self._window = parent
        self._log = log or log_file()
        self._dialog: TroubleDialog | None = None
        self._before = (sys.excepthook, threading.excepthook)
        # Queued, so that a report from a worker thread or from inside paint() opens its dialog safely later.
        self._arrived.connect(self._on_report_arrived, Qt.ConnectionType.QueuedConnection)

    def install(self) -> None:
        """Start the log and take over the hooks."""
        start_log(self._log)
        sys.excepthook = self._on_exception
        threading.excepthook = self._on_thread_exception
        qInstallMessageHandler(self._on_qt_message)

    def remove(self) -> None:
        """Give the hooks back and close the log."""
        sys.excepthook, threading.excepthook = self._before
        qInstallMessageHandler(None)
        stop_log()

    def report(self, error: BaseException) -> None:
        """Log an exception and show it."""
        self._on_exception(type(error), error, error.__traceback__)

    @property
    def dialog(self) -> TroubleDialog | None:
        """The dialog, if there was ever need of one."""
        return self._dialog

    def _on_exception(self, kind: type[BaseException], error: BaseException, where: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, where)
            return
        text = "".join(traceback.format_exception(kind, error, where))
        LOG.error("%s", text)
        self._arrived.emit(text)

    def _on_thread_exception(self, args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None:
            self._on_exception(args.exc_type, args.exc_value, args.exc_traceback)

    def _on_qt_message(self, kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
        level = logging.ERROR if kind in (QtMsgType.QtCriticalMsg, QtMsgType.QtFatalMsg) else logging.WARNING
        if kind not in (QtMsgType.QtDebugMsg, QtMsgType.QtInfoMsg):
            LOG.log(level, "Qt: %s", message)

    def _on_report_arrived(self, text: str) -> None:
        if self._dialog is None:
            self._dialog = TroubleDialog(self._log, self._window)
        self._dialog.add(text)
        self._dialog.show()
