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
# Every how many dimensions a scheme needs: a sine and a cosine, or those for rows and for columns.
MULTIPLES = {"rope": 2, "xpos": 2, "mrope": 2, "axial": 4, "sincos2d": 4}
LAST = 1_048_575
LENGTHS = st.integers(2, 400)

bases = st.floats(0.05, 9.0).map(lambda power: min(max(10.0**power, 1.1), 1e9))
positions = st.integers(0, LAST)
STRETCHING = ("linear", "ntk", "dynamic", "yarn", "longrope", "llama3")
factors = st.floats(0.0, 10.0).map(lambda power: 2.0**power)
ANY_LENGTH = st.integers(2, LAST + 1)


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
def stretched(
    draw: Any,
    names: Any = (*STRETCHING, "proportional"),
    factor: Any = factors,
    most: int = 80,
    lengths: Any = ANY_LENGTH,
) -> Scheme:
    """RoPE with a random extension and random values of all that it reads."""
    half, name = draw(st.integers(1, most // 2)), draw(st.sampled_from(names))
    params: dict[str, Any] = {
        "base": draw(bases),
        "extension": name,
        "factor": draw(factor),
        "trained_length": draw(ANY_LENGTH),
    }
    if name in ("yarn", "longrope", "llama3") and draw(st.booleans()):
        params["original_length"] = draw(ANY_LENGTH)
    if name == "yarn":
        params |= {"beta_fast": draw(st.floats(0, 64)), "beta_slow": draw(st.floats(0, 64))}
        params |= {"truncate": draw(st.booleans())}
        for one in ("mscale", "mscale_all_dim", "attention_factor"):
            params[one] = draw(st.none() | st.floats(0.1, 3))
    if name == "llama3":
        params |= {"low_freq_factor": draw(st.floats(0, 8)), "high_freq_factor": draw(st.floats(0, 8))}
    if name == "longrope":
        lists = st.lists(st.floats(1, 64), min_size=half, max_size=half)
        params |= {one: draw(st.none() | lists) for one in ("short_factor", "long_factor")}
    if name == "proportional":
        params["rotary_fraction"] = draw(st.floats(0, 1))
    return build("rope", params, 2 * half, draw(lengths))


@st.composite
def xposes(draw: Any, most: int = 40, lengths: Any = LENGTHS) -> Scheme:
    dimension = draw(st.integers(2, most))
    params = {
        "base": draw(bases),
        "layout": draw(st.sampled_from(("half", "interleaved"))),
        "rotary_dimension": 2 * draw(st.integers(1, dimension // 2)),
        "scale_base": draw(st.floats(16, 5000)),
    }
    return build("xpos", params, dimension, draw(lengths))


@st.composite
def mropes(draw: Any, most: int = 40, lengths: Any = LENGTHS) -> Scheme:
    dimension = draw(st.integers(2, most))
    params = {
        "base": draw(bases),
        "rotary_dimension": 2 * draw(st.integers(1, dimension // 2)),
        "order": draw(st.sampled_from(("thw", "hwt"))),
        "interleaved": draw(st.booleans()),
        "text_before": draw(st.integers(0, 60)),
        "text_after": draw(st.sampled_from(("maximum", "qwen2_vl"))),
        **{name: draw(st.integers(1, 9)) for name in ("image_rows", "image_columns", "frames")},
    }
    return build("mrope", params, dimension, draw(lengths))


@st.composite
def axials(draw: Any, most: int = 40, lengths: Any = LENGTHS) -> Scheme:
    params = {"base": draw(bases), "grid_columns": draw(st.integers(1, 40))}
    return build("axial", params, 4 * draw(st.integers(1, most // 4)), draw(lengths))


@st.composite
def sincos2ds(draw: Any, most: int = 40, lengths: Any = LENGTHS) -> Scheme:
    params = {
        "base": draw(bases),
        "grid_columns": draw(st.integers(1, 40)),
        "class_token": draw(st.booleans()),
        "layout": draw(st.sampled_from(("mae", "pe2d"))),
        "axis_order": draw(st.sampled_from(("row_first", "column_first"))),
    }
    return build("sincos2d", params, 4 * draw(st.integers(1, most // 4)), draw(lengths))


@st.composite
def alibis(draw: Any, lengths: Any = LENGTHS) -> Scheme:
    params = {"heads": draw(st.integers(1, 256)), "max_bias": draw(st.floats(0.5, 64.0))}
    return build("alibi", params, draw(st.integers(2, 40)), draw(lengths))


@st.composite
def conventions(draw: Any, lengths: Any = LENGTHS) -> Scheme:
    """ALiBi in any convention."""
    params = {
        "heads": draw(st.integers(1, 40)),
        "convention": draw(st.sampled_from(("distance", "signed", "last_row", "key_index"))),
        "slope_precision": draw(st.sampled_from(("float64", "bfloat16"))),
        "before_scaling": draw(st.booleans()),
    }
    return build("alibi", params, draw(st.integers(2, 40)), draw(lengths))


@st.composite
def t5s(draw: Any, lengths: Any = LENGTHS, most: int = 500) -> Scheme:
    both = draw(st.booleans())
    side = draw(st.integers(2, 64))
    params = {
        "buckets": 2 * side if both else side,
        "max_distance": draw(st.integers(max(2, side // 2 + 1), most)),
        "bidirectional": both,
        "heads": draw(st.integers(1, 6)),
        "seed": draw(st.integers(0, 50)),
    }
    return build("t5", params, draw(st.integers(2, 40)), draw(lengths))


@st.composite
def kerples(draw: Any, lengths: Any = LENGTHS) -> Scheme:
    params = {
        "variant": draw(st.sampled_from(("log", "power"))),
        "r1": draw(st.floats(1e-3, 100)),
        "r2": draw(st.floats(1e-3, 2)),
        "heads": draw(st.integers(1, 12)),
    }
    return build("kerple", params, draw(st.integers(2, 40)), draw(lengths))


@st.composite
def tables_of_offsets(draw: Any, lengths: Any = LENGTHS) -> Scheme:
    """Shaw and DeBERTa: vectors looked up by the offset."""
    name = draw(st.sampled_from(("shaw", "v1", "v2")))
    params: dict[str, Any] = {"heads": draw(st.integers(1, 4)), "seed": draw(st.integers(0, 9))}
    if name == "shaw":
        params |= {"left": draw(st.integers(0, 80)), "right": draw(st.integers(0, 80))}
    else:
        size = draw(st.integers(4, 60))
        params |= {"size": size, "range": draw(st.integers(size // 2 + 2, 90)), "variant": name}
        params |= {"terms": draw(st.sampled_from(("both", "c2p", "p2c")))}
    return build("shaw" if name == "shaw" else "deberta", params, draw(st.integers(2, 80)), draw(lengths))


@st.composite
def transformer_xls(draw: Any, lengths: Any = LENGTHS) -> Scheme:
    params = {
        "base": draw(bases),
        "layout": draw(st.sampled_from(("concatenated", "interleaved"))),
        "heads": draw(st.integers(1, 4)),
        "seed": draw(st.integers(0, 9)),
    }
    return build("transformer_xl", params, draw(st.integers(2, 40)), draw(lengths))


@st.composite
def fires(draw: Any, lengths: Any = LENGTHS) -> Scheme:
    params = {
        "c": draw(st.floats(1e-4, 100)),
        "threshold": draw(st.floats(1, 1000)),
        "hidden": draw(st.integers(1, 40)),
        "heads": draw(st.integers(1, 4)),
        "seed": draw(st.integers(0, 9)),
    }
    return build("fire", params, draw(st.integers(2, 40)), draw(lengths))


def offset_biases(lengths: Any = LENGTHS) -> Any:
    """Every bias that is a function of the offset and evaluated as one."""
    return st.one_of(t5s(lengths), kerples(lengths), tables_of_offsets(lengths), transformer_xls(lengths))


def biases(lengths: Any = LENGTHS) -> Any:
    """Everything that adds to the scores."""
    return st.one_of(alibis(lengths), conventions(lengths), offset_biases(lengths), fires(lengths))


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
    return st.one_of(sinusoidals(most), learneds(most), naives(most), sincos2ds(most))


def any_scheme(most: int = 40) -> Any:
    return st.one_of(
        sinusoidals(most),
        ropes(most),
        stretched(most=most, lengths=LENGTHS),
        biases(),
        learneds(most),
        naives(most),
        st.one_of(xposes(most), mropes(most), axials(most), sincos2ds(most)),
    )


def attempt(function: Callable[..., Any], *arguments: Any) -> tuple[Any, FieldError | None]:
    """What a function returns, and the refusal it raised instead."""
    try:
        return function(*arguments), None
    except FieldError as error:
        return None, error


def fitting(name: str, dimension: int) -> int:
    """The next dimension from one on that a scheme can have."""
    parts = MULTIPLES.get(name, 1)
    return min(-(-dimension // parts) * parts, 8192)


def plain(name: str, dimension: int = 64, length: int = 128, **params: Any) -> Scheme:
    """A scheme by its id, default parameters unless given."""
    return build(name, params, dimension, length)
