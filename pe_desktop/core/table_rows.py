"""Which row of a learned position table each token reads, as models count: padding moves rows in some of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.errors import FieldError

Rows = NDArray[np.int64]
PADDING_ROW = 1
OFFSET = 2


def _slots(real: NDArray[np.bool_], padding_row: int) -> Rows:
    """Slots from 0 (GPT-2, BERT): padding on the left moves every real token."""
    return np.broadcast_to(np.arange(real.shape[-1]), real.shape).astype(np.int64)


def _shifted_slots(real: NDArray[np.bool_], padding_row: int) -> Rows:
    """Slots from 2 (BART): two rows stay unused, padding counts."""
    return _slots(real, padding_row) + OFFSET


def _real_tokens(real: NDArray[np.bool_], padding_row: int) -> Rows:
    """Real tokens counted from the row after that of padding, which all padding reads (RoBERTa, M2M-100)."""
    return np.where(real, np.cumsum(real, axis=-1), 0).astype(np.int64) + padding_row


def _masked_slots(real: NDArray[np.bool_], padding_row: int) -> Rows:
    """Tokens of the attention mask counted from 2, padding reads row 1 (OPT)."""
    return np.where(real, np.cumsum(real, axis=-1) - 1, -1).astype(np.int64) + OFFSET


RULES: dict[str, Callable[[NDArray[np.bool_], int], Rows]] = {
    "gpt2": _slots,
    "bert": _slots,
    "roberta": _real_tokens,
    "m2m100": _real_tokens,
    "opt": _masked_slots,
    "bart": _shifted_slots,
}


def rows_used(mask: Any, rule: str, padding_row: int = PADDING_ROW) -> Rows:
    """Row of the position table for each token.

    Parameters
    ----------
    mask : array_like, shape (..., n)
        1 (or True) for real tokens, 0 for padding.
    rule : str
        One of RULES, named after the model of transformers that counts so.
    padding_row : int
        Row of padding where the model has one (``padding_idx`` of RoBERTa and M2M-100).

    Returns
    -------
    ndarray, shape (..., n), int64

    Raises
    ------
    FieldError
        For a rule that is not known.
    """
    if rule not in RULES:
        raise FieldError("rule", f"The rule is {rule!r}; it must be one of {', '.join(RULES)}.")
    return RULES[rule](np.asarray(mask).astype(bool), padding_row)
