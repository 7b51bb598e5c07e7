"""Settings that outlive the window: one typed table behind an ini file."""

from __future__ import annotations

import os
from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings, QStandardPaths

from pe_desktop.shell.palette import SYSTEM
from pe_desktop.theme import THEMES

VARIABLE = "PE_DESKTOP_SETTINGS"


def settings_file() -> Path:
    """Where the settings live: the file the environment names, or the platform's place for them."""
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named)
    folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppConfigLocation)
    return Path(folder) / "pe-desktop.ini"


class Settings:
    """Each setting is a property that never returns what it should not be; a damaged file means defaults.

    With ``kept`` False nothing is ever written: for a window that is drawn and not used.
    """

    def __init__(self, path: Path | None = None, *, kept: bool = True) -> None:
        self._kept = kept
        self._store = QSettings(str(path or settings_file()), QSettings.Format.IniFormat)

    @property
    def theme(self) -> str:
        """``system`` or the name of a theme."""
        value = self._store.value("window/theme", SYSTEM)
        return value if value in THEMES else SYSTEM

    @theme.setter
    def theme(self, value: str) -> None:
        self._set("window/theme", value)

    @property
    def geometry(self) -> QByteArray:
        """Place and size of the window, empty if unknown."""
        return self._bytes("window/geometry")

    @geometry.setter
    def geometry(self, value: QByteArray) -> None:
        self._set("window/geometry", value)

    @property
    def layout(self) -> QByteArray:
        """Docks and toolbars, empty if unknown."""
        return self._bytes("window/layout")

    @layout.setter
    def layout(self, value: QByteArray) -> None:
        self._set("window/layout", value)

    @property
    def front(self) -> tuple[str, ...]:
        """Names of the views in front where several share a place; they may be none there are."""
        value = self._store.value("window/front", "")
        return tuple(value.split()) if isinstance(value, str) else ()

    @front.setter
    def front(self, names: tuple[str, ...]) -> None:
        self._set("window/front", " ".join(names))

    @property
    def lesson(self) -> tuple[str, int]:
        """Name or file of the lesson last open, "" if none, and its step from 0; neither need exist any more."""
        name, step = self._store.value("lesson/name", ""), self._store.value("lesson/step", "0")
        if not isinstance(name, str) or not name:
            return "", 0
        return name, int(step) if isinstance(step, str | int) and str(step).isdecimal() else 0

    @lesson.setter
    def lesson(self, place: tuple[str, int]) -> None:
        name, step = place
        self._set("lesson/name", name)
        self._set("lesson/step", step)

    @property
    def lesson_placed(self) -> bool:
        """Whether a person has chosen where the lesson dock is."""
        return str(self._store.value("lesson/placed", "")).lower() == "true"

    @lesson_placed.setter
    def lesson_placed(self, placed: bool) -> None:
        self._set("lesson/placed", placed)

    def _set(self, key: str, value: object) -> None:
        if self._kept:
            self._store.setValue(key, value)

    def _bytes(self, key: str) -> QByteArray:
        value = self._store.value(key)
        return value if isinstance(value, QByteArray) else QByteArray()

    def save(self) -> None:
        """Write to disk now."""
        self._store.sync()
