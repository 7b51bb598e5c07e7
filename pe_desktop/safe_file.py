"""Writing a file whole or not at all."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from pe_desktop.core.errors import FieldError


@contextlib.contextmanager
def replacing(target: Path, field: str) -> Iterator[str]:
    """Write beside a file and move the result over it, so that an old file stays whole on any failure.

    Parameters
    ----------
    target : Path
    field : str
        Named in the refusal.

    Yields
    ------
    str
        Path of a new, empty file in the target's folder, with the same suffix.

    Raises
    ------
    FieldError
        In one sentence, if the file cannot be written.
    """
    import tempfile  # only when something is written: it costs a start some milliseconds

    temporary = ""
    try:
        handle, temporary = tempfile.mkstemp(dir=target.parent, suffix=target.suffix)
        os.close(handle)
        yield temporary
        os.chmod(temporary, 0o644)  # mkstemp makes files that nobody else may read
        os.replace(temporary, target)
    except (OSError, ValueError) as error:
        if isinstance(error, FieldError):
            raise
        why = (getattr(error, "strerror", None) or str(error)).lower()
        raise FieldError(field, f"{target} cannot be written: {why}.") from error
    finally:
        if temporary:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
