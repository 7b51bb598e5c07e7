"""Sums of waves that may fade: z^g with |z| at most 1, over gaps g of 0 and more where it fades; nothing overflows."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.phases import turns_of
from pe_desktop.core.work import checkpoint

Float = NDArray[np.float64]
Complex = NDArray[np.complex128]
Waves = NDArray[np.complexfloating]
SERIES = 1e-3  # below it a power series of the triangle sum is the more exact form
FADED = 30.0  # a wave below e^-30 of its first height counts as 0, before it becomes a number that is slow to multiply
MOST_TURNS = 32  # different steps from place to place; beyond it each wave is worked out by itself
STRIP = 1024  # rates at a time, whose waves stay in the processor's cache,
STRIP_WAVES = 1 << 16  # or as many as make so many waves
SINGLE_FROM = 1 << 20  # products from which on single precision is worth its 1e-6 of the number of rates,
MANY = 64  # while there are so many rates that their errors cancel


def turning(frequencies: Float) -> Complex:
    """Rates of waves that do not fade, shape (k,), of their frequencies (k,)."""
    return np.asarray(1j * frequencies, dtype=np.complex128)


def kind_for(rates: int, cells: int) -> type[np.complexfloating]:
    """The type in which waves are added up at so many cells; sums of strips of waves are float64 in any case."""
    return np.complex64 if rates >= MANY and rates * cells >= SINGLE_FROM else np.complex128


def waves(rates: Complex, places: Float, kind: type[np.complexfloating]) -> Waves:
    """The waves exp(rate x place): each is the one before times a turn, of which there are few where places are even.

    Parameters
    ----------
    rates : ndarray, shape (k,), complex
        Real part 0 or less (damping), imaginary part the frequency, per position.
    places : ndarray, shape (n,)
        Rising, at least one, none below 0 where a rate is damped.
    kind : complex64 or complex128

    Returns
    -------
    ndarray, shape (n, k), of that type
    """
    steps = np.diff(places)
    which = np.zeros(len(steps), dtype=np.intp)
    if len(steps) and not (steps == steps[0]).all():
        steps, which = np.unique(steps, return_inverse=True)
    if len(steps) > MOST_TURNS and which.any():
        return np.exp(np.multiply.outer(places, rates)).astype(kind, copy=False)
    turns = [np.exp(step * rates) for step in steps[: int(which.max(initial=-1)) + 1]]
    return _risen(rates, places, turns, which, kind)


def _risen(
    rates: Complex, places: Float, turns: list[Complex], which: NDArray[np.intp], kind: type[np.complexfloating]
) -> Waves:
    """The waves at `places` (n,), whose steps are those of the turns `which` (n - 1,)."""
    out = np.empty((len(places), len(rates)), dtype=kind)
    wave = np.exp(places[0] * rates) if places[0] else np.ones(len(rates), dtype=np.complex128)
    ends = np.full(len(rates), np.inf)
    np.divide(-FADED, rates.real, out=ends, where=rates.real < 0.0)
    end = float(ends.min())
    for row, (place, turn) in enumerate(zip(places.tolist(), [-1, *which.tolist()], strict=True)):
        if row:  # five times as fast as multiply.accumulate over rows
            wave *= turns[turn]
        if place > end:
            wave[ends < place] = 0.0
            end = float(ends.min(where=ends >= place, initial=np.inf))
        out[row] = wave
    return out


def even_waves(
    rates: Complex, first: float, step: float, count: int, kind: type[np.complexfloating], turn: Complex | None = None
) -> Waves:
    """The waves at the places first, first + step, …: products of few coarse and few fine ones.

    Parameters
    ----------
    rates, kind
        See :func:`waves`.
    first, step : float
        Neither below 0 where a rate is damped.
    count : int
    turn : ndarray, shape (k,), complex, optional
        exp(step x rate), where it is known.

    Returns
    -------
    ndarray, shape (count, k), of type `kind`
    """
    turn = np.exp(step * rates) if turn is None else turn
    number = max(1, math.isqrt(count))
    lists = step * np.arange(float(number)), first + step * number * np.arange(float(-(-count // number)))
    turns = turn, _power(turn, number)
    fine, coarse = (
        _risen(rates, places, [each], np.zeros(len(places) - 1, dtype=np.intp), kind)
        for places, each in zip(lists, turns, strict=True)
    )
    return np.asarray((coarse[:, None] * fine).reshape(-1, len(rates))[:count])


def _power(turn: Complex, exponent: int) -> Complex:
    """A whole power, 1 or more, by squaring, which is faster than another exponential."""
    out, square = None, turn
    while exponent:
        if exponent & 1:
            out = square if out is None else out * square
        exponent >>= 1
        square = square * square if exponent else square
    assert out is not None
    return out


def product_sums(above: Waves, beside: Waves) -> NDArray[np.floating]:
    """Real parts of the sums over the waves of above x beside, shape (n, m), for waves (n, k) and (m, k)."""
    # Numbers in pairs, real and imaginary: of those of a and of conj(b) the product is the real part of a b.
    first, second = (each.view(each.real.dtype) for each in (np.ascontiguousarray(above), np.conj(beside)))
    return np.asarray(first @ second.T)


def damped_progression(
    rates: Complex, start: float, step: float, count: int, weights: Complex | Float | None = None
) -> Float:
    """Real part of the sum over k of weights x exp(rates x gap), for the equally spaced gaps start, start + step, …

    Each gap is split into a coarse and a fine part, so that the sums are small matrix products over about
    2 sqrt(count) waves per rate.

    Parameters
    ----------
    rates : ndarray, shape (k,), complex
        See :func:`waves`.
    start, step : float
        First gap and spacing; neither below 0 where a rate is damped.
    count : int
    weights : ndarray, shape (k,), complex or float, optional

    Returns
    -------
    ndarray, shape (count,), float64
        Of very many products accurate to about 1e-6 of the number of rates, else to 1e-10.
    """
    fine_count = max(1, math.isqrt(count))
    coarse_count = -(-count // fine_count)
    kind = kind_for(len(rates), count)
    sums = np.zeros((coarse_count, fine_count))
    strip = max(STRIP, STRIP_WAVES // coarse_count)
    for first in range(0, len(rates), strip):
        checkpoint(first / len(rates))
        mine = rates[first : first + strip]
        turn = np.exp(step * mine)
        fine = even_waves(mine, 0.0, step, fine_count, kind, turn)
        if weights is not None:
            fine *= weights[first : first + strip].astype(kind)
        coarse = even_waves(mine, start, step * fine_count, coarse_count, kind, _power(turn, fine_count))
        sums += product_sums(coarse, fine)
    return np.asarray(sums.reshape(-1)[:count])


def exponentials_less_one(powers: Complex) -> Complex:
    """exp(power) - 1 of powers of any shape, exact where they are small; three times as fast as numpy's."""
    half = turns_of(powers.imag / 2.0)
    out = 2j * half.imag * half
    if powers.real.any():
        out += np.expm1(powers.real) * (half * half)
    return np.asarray(out)


def geometric_sums(rates: Complex, counts: Float) -> Complex:
    """Sums of exp(rate x g) over g = 0 .. count - 1 for `counts` (n,), shape (n, k)."""
    below = exponentials_less_one(rates)
    still = below == 0.0
    sums = exponentials_less_one(np.multiply.outer(counts, rates))
    sums *= 1.0 / np.where(still, 1.0, below)
    return np.where(still, counts[:, None], sums) if still.any() else sums


def triangle_sums(rates: Complex, counts: Float) -> Complex:
    """Sums of (count - g) exp(rate x g) over g = 0 .. count - 1 for `counts` (n,), shape (n, k).

    What the queries and keys of a square on the diagonal add up to, keys after their query left out.
    """
    below = -exponentials_less_one(rates)
    once = 1.0 / np.where(below == 0.0, 1.0, below)
    reach = np.multiply.outer(counts, rates)
    sums = exponentials_less_one(reach) * ((1.0 - below) * once * once)
    sums += np.multiply.outer(counts, once)
    # Where nothing changes over the whole square the closed form is a difference of nearly equal numbers.
    which, slow = np.nonzero(np.abs(reach) < SERIES)
    n, rate = counts[which], rates[slow]
    sums[which, slow] = n * ((n + 1.0) / 2.0 + rate * (n * n - 1.0) / 6.0 + rate * rate * n * (n * n - 1.0) / 24.0)
    return np.asarray(sums)
