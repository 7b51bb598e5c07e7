"""What an expectation can speak of: names, how many arguments they take, and what they mean."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cache

import pe_desktop.core.schemes  # noqa: F401  (registers every family)
from pe_desktop.core.scheme import REGISTRY


class Sort(Enum):
    """What a part of an expression is; of a parameter only its value tells."""

    NUMBER = "a number"
    TRUTH = "true or false"
    EITHER = "a number, or true or false"


@dataclass(frozen=True)
class Quantity:
    """One name: ``arguments`` are those it can be given, one tuple for each way; ((),) for a plain value."""

    name: str
    about: str
    arguments: tuple[tuple[str, ...], ...] = ((),)
    sort: Sort = Sort.NUMBER

    @property
    def is_call(self) -> bool:
        """Whether it is written with arguments."""
        return self.arguments != ((),)

    @property
    def written(self) -> str:
        """How it is written, such as "similarity(gap) or similarity(p, q)"."""
        if not self.is_call:
            return self.name
        return " or ".join(f"{self.name}({', '.join(names)})" for names in self.arguments)


def _light(name: str, about: str) -> Quantity:
    return Quantity(name, about, sort=Sort.TRUTH)


def _call(name: str, about: str, *arguments: str) -> Quantity:
    """`arguments` are names with spaces between, one text for each way to call it."""
    return Quantity(name, about, tuple(tuple(each.split()) for each in arguments))


_ALL = (
    Quantity("input_gap", "mean distance of a word's input vector in sentence A and in B"),
    Quantity("output_gap", "the same of the outputs of the toy attention"),
    Quantity("output_gap_travelling", "the output gap if position vectors move with their words"),
    Quantity("largest_value", "largest absolute value of the row at position"),
    Quantity("row_norm_min", "smallest length (L2) of a row"),
    Quantity("row_norm_max", "largest length (L2) of a row"),
    Quantity("closest_pair_distance", "distance (L2) of the two closest rows"),
    Quantity("gap_spread", "how much scores at one gap differ, as a share of the largest; 0: only the gap counts"),
    Quantity("rotation_residual", "how far one fixed rotation misses from position to key_position"),
    _light("bounded", "the light: values do not grow with the length"),
    _light("unique", "the light: no two rows are the same"),
    _light("steady", "the light: a row does not depend on the length of the sequence"),
    _light("relative", "the light: the same gap gives the same score anywhere"),
    _light("goes_past_training", "the light: there is an answer beyond the trained length"),
    Quantity("dimension", "model dimension"),
    Quantity("length", "sequence length in positions"),
    Quantity("position", "inspected spot, the query"),
    Quantity("key_position", "second spot, the key"),
    Quantity("heads", "heads to choose from"),
    Quantity("words", "words of the sentence that take part"),
    Quantity("rows", "positions that have a vector, at most the length"),
    Quantity("peaks", "local maxima of the similarity curve beside the main peak, over all positions"),
    Quantity("peak", "position of the largest similarity, the first of equals"),
    Quantity("pairs", "pairs of dimensions that a scheme turns"),
    Quantity(
        "untrained_pairs", "pairs without a full turn in training that turn further in this length than they did then"
    ),
    Quantity("attention_factor", "what multiplies cosine and sine of a rotary scheme"),
    _call("encoding", "the value of a row in one column, both from 0", "p column"),
    _call("norm", "length (L2) of a row", "p"),
    _call("largest", "largest absolute value of a row", "p"),
    _call("dot", "product of two rows", "p q"),
    _call("distance", "distance (L2) of two rows", "p q"),
    _call("similarity", "the curve at position + gap, or that of the spot p at position q", "gap", "p q"),
    _call("moved", "distance (L2) of a row from the same row in a sequence of another length", "p length"),
    _call("input_change", "distance (L2) of the first word's input vector at position 0 and at p", "p"),
    _call("wavelength", "positions until a pair has turned once", "pair"),
    _call("frequency", "turn of a pair from one position to the next, in rad", "pair"),
    _call("angle", "angle of a pair at a position, in rad", "p pair"),
    _call("turns", "turns a pair completes in the trained length, or without one in the sequence", "pair"),
    _call("score", "position's part of the score of a query and a key", "query key"),
    _call("shift_error", "how much the score changes when query and key both move", "query key by"),
    _call("bias", "what is added to the score of a query and a key, in the head shown", "query key"),
    _call("slope", "slope of a head's bias", "head"),
    _call("bucket", "bucket of an offset (key minus query; in DeBERTa query minus key)", "offset"),
    _call("weight", "attention weight of two words of sentence A, slots from 0", "query key"),
    _call("weight_b", "the same in sentence B", "query key"),
    _call("lone_output_change", "distance (L2) of the output of a sentence of one word, at position 0 and at p", "p"),
)
QUANTITIES: dict[str, Quantity] = {each.name: each for each in _ALL}


@cache
def parameter_sorts() -> dict[str, Sort | None]:
    """What the parameters of all schemes are, by name; None for words and lists, which no expression can hold."""
    kinds: dict[str, set[type]] = {}
    for scheme in REGISTRY.values():
        for about in scheme.parameters():
            kinds.setdefault(about.name, set()).add(about.kind)
    return {name: _sort_of(found) for name, found in kinds.items()}


def _sort_of(kinds: set[type]) -> Sort | None:
    sorts = {Sort.TRUTH if kind is bool else Sort.NUMBER for kind in kinds if kind in (bool, int, float)}
    if len(sorts) > 1:
        return Sort.EITHER
    return next(iter(sorts), None)


def known_names() -> tuple[str, ...]:
    """All names an expression can hold, but for the figures of experiments."""
    return tuple(sorted({*QUANTITIES, *(name for name, sort in parameter_sorts().items() if sort is not None)}))


def table() -> str:
    """All quantities as the rows of a table in Markdown."""
    rows = [f"| `{each.written}` | {each.about} |" for each in QUANTITIES.values()]
    more = (
        "| `experiment.NAME` | a figure of the experiment of the step |",
        "| `base`, `factor`, … | a parameter of the scheme, as it is really used |",
    )
    return "\n".join(("| name | what it is |", "|---|---|", *rows, *more))
