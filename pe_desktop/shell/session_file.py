"""Sessions on disk: written beside the target and moved there, so that an old file stays whole."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from pathlib import Path

from pe_desktop.core.errors import FieldError
from pe_desktop.core.state import LabState

SUFFIX = ".pelab"


def save_session(state: LabState, path: str) -> Path:
    """Write a session.

    Raises
    ------
    FieldError
        In one sentence, if the file cannot be written.
    """
    target = Path(path) if Path(path).suffix == SUFFIX else Path(path + SUFFIX)
    temporary = ""
    try:
        with tempfile.NamedTemporaryFile("w", dir=target.parent, delete=False, encoding="utf-8", suffix=SUFFIX) as file:
            temporary = file.name
            json.dump(state.to_json(), file, indent=2, ensure_ascii=False)
        os.chmod(temporary, 0o644)
        os.replace(temporary, target)
    except OSError as error:
        raise FieldError("session", f"{target} cannot be saved: {(error.strerror or str(error)).lower()}.") from error
    finally:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
    return target
