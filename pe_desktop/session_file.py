"""Sessions on disk: bounded when read, and written beside the target so that an old file stays whole."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import TYPE_CHECKING

from pe_desktop.core.errors import FieldError
from pe_desktop.safe_file import replacing

if TYPE_CHECKING:  # the verb doctor must answer even where numpy, which the state needs, is broken
    from pe_desktop.core.state import LabState

SUFFIX = ".pelab"
LARGEST_SESSION = 1 << 20


def read_text(path: str, most: int) -> str:
    """The text of a file that is not larger than `most` bytes.

    Raises
    ------
    FieldError
        In one sentence: missing, a directory, unreadable, too large, not UTF-8.
    """
    try:
        is_pipe = stat.S_ISFIFO(Path(path).stat().st_mode)  # opening one waits until somebody writes to it
        data = b"" if is_pipe else _beginning(path, most + 1)
    except OSError as error:
        raise FieldError("file", f"{path} cannot be read: {(error.strerror or str(error)).lower()}.") from error
    except ValueError as error:
        raise FieldError("file", f"{path!r} is not a file name: {error}.") from error
    if is_pipe:
        raise FieldError("file", f"{path} is a pipe, not a file.")
    if len(data) > most:
        raise FieldError("file", f"{path} is larger than {most:,} bytes, too large for what it should be.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FieldError("file", f"{path} is not text: byte {error.start} is not UTF-8.") from error


def _beginning(path: str, size: int) -> bytes:
    with Path(path).open("rb") as file:
        return file.read(size)


def open_session(path: str) -> LabState:
    """Read a session file.

    Raises
    ------
    FieldError
        Naming the file.
    """
    from pe_desktop.core.state import read_session

    text = read_text(path, LARGEST_SESSION)
    try:
        return read_session(text)
    except FieldError as error:
        raise FieldError(error.field, f"{path}: {error.message}") from error


def save_session(state: LabState, path: str) -> Path:
    """Write a session.

    Raises
    ------
    FieldError
        In one sentence, if the file cannot be written.
    """
    import json  # only when something is saved: it costs a start some milliseconds

    target = Path(path) if Path(path).suffix == SUFFIX else Path(path + SUFFIX)
    with replacing(target, "session") as temporary:
        text = json.dumps(state.to_json(), indent=2, ensure_ascii=False)
        Path(temporary).write_text(text + "\n", encoding="utf-8")
    return target
