"""Random schemes and states for hypothesis."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from pe_desktop.core.errors import FieldError
from pe_desktop.core.scheme import REGISTRY, Scheme, build, scheme_class

scheme_class("none")  # fills the registry
ALL = tuple(REGISTRY)
LAYOUTS = ("interleaved", "concatenated", "tensor2tensor")
LAST = 1_048_575
LENGTHS = st.integers(2, 400)

bases = st.floats(0.05, 9.0).map(lambda power: min(max(10.0**power, 1.1), 1e9))
positions = st.integers(0, LAST)


@st.composite
def sinusoidals(draw: Any, most: int = 40, lengths: Any = LENGTHS) -> Scheme:
    layout = draw(st.sampled_from(LAYOUTS))
    dimension = draw(st.integers(4 if layout == "tensor2tensor" else 2, most))
    return build("sinusoidal", {"base": draw(bases), "layout": layout}, dimension, draw(lengths))


@st.composite
def ropes(draw: Any, most: int = 40, lengths: Any = LENGTHS) -> Scheme:
    dimension = draw(st.integers(2, most))
    width = 2 * draw(st.integers(1, dimension // 2))
    params = {
        "base": draw(bases),
        "layout": draw(st.sampled_from(("half", "interleaved"))),
        "rotary_dimension": width,
    }
    return build("rope", params, dimension, draw(lengths))


@st.composite
def alibis(draw: Any, lengths: Any = LENGTHS) -> Scheme:
    params = {"heads": draw(st.integers(1, 256)), "max_bias": draw(st.floats(0.5, 64.0))}
    return build("alibi", params, draw(st.integers(2, 40)), draw(lengths))


@st.composite
def learneds(draw: Any, most: int = 40, lengths: Any = LENGTHS) -> Scheme:
    params = {"trained_length": draw(st.integers(1, 300)), "seed": draw(st.integers(0, 50))}
    return build("learned", params, draw(st.integers(2, most)), draw(lengths))


@st.composite
def naives(draw: Any, most: int = 40, lengths: Any = LENGTHS) -> Scheme:
    name = draw(st.sampled_from(("none", "integer", "normalized")))
    return build(name, {}, draw(st.integers(2, most)), draw(lengths))


def additives(most: int = 40) -> Any:
    """Everything that has encoding rows."""
    return st.one_of(sinusoidals(most), learneds(most), naives(most))


def any_scheme(most: int = 40) -> Any:
    return st.one_of(sinusoidals(most), ropes(most), alibis(), learneds(most), naives(most))


def attempt(function: Callable[..., Any], *arguments: Any) -> tuple[Any, FieldError | None]:
    """What a function returns, and the refusal it raised instead."""
    try:
        return function(*arguments), None
    except FieldError as error:
        return None, error


def plain(name: str, dimension: int = 64, length: int = 128, **params: Any) -> Scheme:
    """A scheme by its id, default parameters unless given."""
    return build(name, params, dimension, length)
