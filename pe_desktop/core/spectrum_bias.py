"""The spectrum of schemes that add a bias: slopes, bucket edges, or the bias itself against distance."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.numerals import short
from pe_desktop.core.scheme import Float
from pe_desktop.core.score_bias import ScoreBias
from pe_desktop.core.spectrum_chart import AxisRange, Level, Series, SpectrumPart, around, logs

POINTS, FEW_POINTS = 240, 16  # distances of a curve, in full and where that does not fit a frame
NEAR = 64  # distances looked at one by one
QUICK = 1500  # elementary steps (see ScoreBias.cell_cost) of a curve that fits a frame
FIRST_LOOK = 4096  # distances searched first for two in one bucket


def bias_is_quick(scheme: ScoreBias) -> bool:
    """Whether the curve of a bias fits a frame."""
    return (POINTS + NEAR) * scheme.cell_cost <= QUICK


def bias_part(scheme: ScoreBias, head: int, full: bool = True) -> SpectrumPart:
    """Slopes of all heads where the scheme has them, else its buckets, else the bias of the chosen head.

    With `full` False a bias that takes long is looked at at fewer distances.
    """
    slopes = scheme.slopes()
    if slopes is not None and bool((slopes > 0.0).all()):
        return _slopes(slopes, head)
    distances = spread(scheme.length)
    sides = _sides(scheme, distances)
    if sides is not None:
        return _buckets(scheme, distances, sides)
    exact = full or bias_is_quick(scheme)
    return _bias(scheme, head, distances if exact else _thinned(distances), exact)


def spread(length: int) -> Float:
    """Distances from 1 to the farthest: the near ones each, the others evenly on a logarithmic axis."""
    last = max(length - 1, 1)
    far = np.geomspace(min(NEAR, last), last, POINTS).round()
    return np.unique(np.concatenate((np.arange(1.0, min(NEAR, last) + 1), far)))


def _thinned(distances: Float) -> Float:
    wanted = np.geomspace(1.0, len(distances), min(FEW_POINTS, len(distances))).round().astype(np.intp)
    return distances[np.unique(wanted) - 1]


def _which(distances: Float) -> str:
    last = int(distances[-1])
    return "each point is 1 distance" if len(distances) == last else f"{len(distances):,} of {last:,} distances"


def _slopes(slopes: Float, head: int) -> SpectrumPart:
    heads, chosen = len(slopes), float(slopes[head])
    line = Series("main", "slope", np.arange(heads, dtype=np.float64), logs(slopes), joined=False)
    return SpectrumPart(
        "slopes",
        (),
        "Slopes",
        "a single head" if heads == 1 else f"each point is 1 of {heads} heads",
        _slopes_sentence(slopes, head),
        AxisRange("head", -0.5, heads - 0.5, whole=True),
        AxisRange("slope per position", *around((float(line.y.min()), float(line.y.max()))), log=True),
        (line,),
        (Level("chosen", float(head), (f"head {head}: {_n(chosen)}", f"{head}"), upright=True),),
    )


def _slopes_sentence(slopes: Float, head: int) -> str:
    chosen = f"Head {head} loses {_n(slopes[head])} per position: a weight falls to 1/e in {_n(1.0 / slopes[head])}"
    if len(slopes) == 1:
        return f"{chosen} positions."
    low, high = float(slopes.min()), float(slopes.max())
    return f"{chosen} positions; over the {len(slopes)} heads in {_n(1.0 / high)} to {_n(1.0 / low)}."


def _n(number: float) -> str:
    return f"{number:,.4g}" if 1e-4 <= number < 1e4 else short(float(number))


def _sides(scheme: ScoreBias, distances: Float) -> dict[int, NDArray[np.int64]] | None:
    """Buckets on either side of the query, by the sign of the offset, the side with more of them last."""
    found = {}
    for sign in (1, -1):
        buckets = scheme.looked_up(sign * distances)
        if buckets is None:
            return None
        found[sign] = buckets
    if np.array_equal(found[1], found[-1]):
        del found[-1]
    return dict(sorted(found.items(), key=lambda side: len(np.unique(side[1]))))


def _buckets(scheme: ScoreBias, distances: Float, sides: dict[int, NDArray[np.int64]]) -> SpectrumPart:
    names = {1: "offset +distance", -1: "offset −distance"}
    main = list(sides)[-1]
    series = tuple(
        _steps("main" if sign == main else "faint", names[sign] if len(sides) > 1 else "bucket", distances, buckets)
        for sign, buckets in sides.items()
    )
    ends = [float(end) for line in series for end in (line.y.min(), line.y.max())]
    side = f" ({names[main]})" if len(sides) > 1 else ""
    return SpectrumPart(
        "buckets",
        (),
        "Buckets",
        _which(distances),
        _buckets_sentence(scheme, main) + f"{side}.",
        AxisRange("distance", *around((float(series[0].x[0]), float(series[0].x[-1]))), log=True, whole=True),
        AxisRange("bucket", *around(tuple(ends)), whole=True),
        series,
    )


def _steps(role: str, label: str, distances: Float, buckets: NDArray[np.int64]) -> Series:
    """A staircase whose steps lie between two distances."""
    edges = np.repeat((distances[:-1] + distances[1:]) / 2.0, 2)
    x = np.concatenate((distances[:1], edges, distances[-1:]))
    return Series(role, label, logs(x), np.repeat(buckets, 2).astype(np.float64))


def _buckets_sentence(scheme: ScoreBias, sign: int) -> str:
    last = max(scheme.length - 1, 1)
    single = _first_shared(scheme, sign, last)
    if single is None:
        return f"Every distance up to {last:,} has a bucket of its own"
    final = int(_look_up(scheme, np.array([float(sign * last)]))[0])
    start, name = _first_in(scheme, sign, final, last), f"{final}".replace("-", "\u2212")
    own = f"Distances up to {single - 1:,} have a bucket each" if single > 1 else "Distance 0 has a bucket of its own"
    if single == 0:
        own = "Distances 0 and 1 share a bucket"
    then = ", then they share" if single else ""
    if start == last:
        return f"{own}{then}; the farthest, {last:,}, is in bucket {name}"
    return f"{own}{then}; from {start:,} on all are in bucket {name}"


def _first_shared(scheme: ScoreBias, sign: int, last: int) -> int | None:
    """The first distance that has its bucket in common with the next one; None if each up to `last` has its own."""
    reach = 0
    while reach < last:
        reach = min(max(FIRST_LOOK, 8 * reach), last)
        shared = np.flatnonzero(np.diff(_look_up(scheme, sign * np.arange(reach + 1.0))) == 0)
        if len(shared):
            return int(shared[0])
    return None


def _look_up(scheme: ScoreBias, offsets: Float) -> NDArray[np.int64]:
    found = scheme.looked_up(offsets)
    assert found is not None
    return found


def _first_in(scheme: ScoreBias, sign: int, bucket: int, last: int) -> int:
    """The first distance from which on all up to `last` are in `bucket`; buckets only ever change one way."""
    low, high = 0, last
    while low < high:
        middle = (low + high) // 2
        if int(_look_up(scheme, np.array([float(sign * middle)]))[0]) == bucket:
            high = middle
        else:
            low = middle + 1
    return low


def bias_at(scheme: ScoreBias, head: int, distances: Float) -> Float:
    """Bias of one head for keys (n,) that lie `distances` before the last query, shape (n,)."""
    last = float(scheme.length - 1)
    return np.asarray(scheme.bias(np.array([last]), last - distances, [head])[0, 0])


def _bias(scheme: ScoreBias, head: int, distances: Float, exact: bool) -> SpectrumPart:
    values = bias_at(scheme, head, distances)
    line = Series("main", "bias", logs(distances), values)
    near, far = float(values[0]), float(values[-1])
    about = f" ({scheme.stand_in})" if scheme.stand_in else ""
    rest = f" and {short(far)} at distance {int(distances[-1]):,}" if len(distances) > 1 else ", the only one"
    return SpectrumPart(
        "bias",
        (),
        f"Bias, head {head}",
        _which(distances) + ("" if exact else "; computing more…"),
        f"Head {head}{about} adds {short(near)} at distance 1{rest}.",
        AxisRange("distance", *around((float(line.x[0]), float(line.x[-1]))), log=True, whole=True),
        AxisRange("bias on the score", *around((float(values.min()), float(values.max())))),
        (line,),
        exact=exact,
    )


def bias_formula(scheme: ScoreBias, kind: str, head: int, place: int) -> str:
    """What is at a head (kind "slopes") or a distance, with its numbers filled in."""
    slopes = scheme.slopes()
    if kind == "slopes" and slopes is not None:
        slope = float(slopes[min(place, len(slopes) - 1)])
        return f"head {place}: bias = -{slope:.6g} × distance;  exp(-1) at distance 1 / {slope:.6g} = {_n(1.0 / slope)}"
    last = scheme.length - 1
    if kind == "buckets":
        either = _look_up(scheme, np.array([float(-place), float(place)]))
        return f"distance {place:,}: offset -{place:,} in bucket {either[0]}, offset {place:,} in bucket {either[1]}"
    return scheme.cell_formula(last, max(last - place, 0), head)
