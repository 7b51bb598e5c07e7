"""The one error of the core: a refusal in a plain sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Fix:
    """A way out of a refusal: a label for a button and the state changes it asks for."""

    label: str
    changes: Mapping[str, Any] = field(default_factory=dict)


class FieldError(ValueError):
    """A value that cannot be used.

    Parameters
    ----------
    field : str
        Name of the offending field as the command line and JSON spell it.
    message : str
        One plain sentence: what was found, what was expected, what to do.
    fixes : tuple of Fix
        Nearest valid choices, offered as buttons in the window.
    """

    def __init__(self, field: str, message: str, fixes: tuple[Fix, ...] = ()) -> None:
        super().__init__(message)
        self.field = field
        self.message = message
        self.fixes = fixes
