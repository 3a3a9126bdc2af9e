"""How well a prediction explains an output, element by element.

Two implementations of one computation give values that are each off by at most delta, and each is then
rounded to the spacing g of the output's type. Seen from the prediction m, the output y is m itself unless a
rounding boundary lies between the two values. With v uniform within its cell and a difference of logistic
distribution with scale s, the chance of y at distance d is the second difference of
F(x) = s*log(1 + exp(x/s)) over g:

    P(d) = (F(d + g) - 2*F(d) + F(d - g)) / g.

Where delta is far below g (16-bit outputs) nearly every element has to agree in every bit, so that one ulp in
many elements is seen; where it is far above (float32) only the distance in units of delta counts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mutakata.numerics.expectation import Quantity
from mutakata.numerics.rounding import Array, Floats, as_exact, gap
from mutakata.numerics.sums import Flags
from mutakata.numerics.verdict import DIFFERS_RATIO

# Rounding errors partly cancel: correct implementations usually stay within an eighth of the bound.
USUAL_SHARE = 1 / 8
STRAY = 1e-4  # share of elements that may be anywhere, so that no single one excludes


@dataclass(frozen=True)
class Likeness:
    """likelihood: mean over the elements, nats. explained: the output may be the prediction, reordered."""

    likelihood: float
    explained: bool


def likeness(wanted: Quantity, got: Array, predicted: Sequence[Array], most: int = 2**40) -> Likeness:
    """Of an output to the best of the predictions, which differ in order only.

    Explained: no element is further away than rounding can explain (DIFFERS_RATIO bounds), the spread of the
    orders, and the two ulps by which an intermediate rounding can move it; and no more of them differ at all
    than rounding boundaries can lie between two such values, by four standard deviations.
    most: elements looked at, evenly spread.
    """
    if not got.size:
        return Likeness(0.0, True)
    chosen: Any = slice(None)
    if got.size > most:
        chosen = np.linspace(0, got.size - 1, most).astype(np.int64)
    value, delta = wanted.value.ravel()[chosen], np.maximum(wanted.delta.ravel()[chosen], 2.0**-140)
    y, *tries = (as_exact(one.ravel()[chosen], wanted.dtype) for one in (got, *predicted))
    m = np.stack(tries)  # (orders, elements)
    lost = np.isnan(y) != np.isnan(m)
    y, m = np.where(np.isnan(y), 0.0, y), np.where(np.isnan(m), 0.0, m)
    apart = np.abs(m - m[0])[1:] if len(m) > 1 else np.zeros((1, 1))
    d, g = np.abs(y - m), gap(np.maximum(np.abs(m), np.abs(y)), wanted.dtype)
    delta = _grown(delta, value, m)
    explained = _explained(d, lost, g, DIFFERS_RATIO * delta + 2 * apart.max(axis=0))
    chance = _log_chance(d, lost, g, USUAL_SHARE * delta + np.median(apart, axis=0))
    return Likeness(float(chance.mean(axis=-1).max()), bool(explained.any()))


def _explained(d: Floats, lost: Flags, g: Floats, reach: Floats) -> Flags:
    """For each order: is every element near, and are few enough of them not equal?"""
    usual = np.minimum(reach / g, 1.0).sum(axis=-1)
    few = ((d > 0) | lost).sum(axis=-1) <= usual + 4 * np.sqrt(usual) + 1
    return np.asarray(few & ((d <= reach + 3 * g) & ~lost).all(axis=-1))


def _log_chance(d: Floats, lost: Flags, g: Floats, s: Floats) -> Floats:
    """log P(d), with a share of strays that may be anywhere, less likely the further away."""
    with np.errstate(invalid="ignore", over="ignore"):
        core = np.maximum(_second_difference(d / s, g / s), 0.0) * s / g
        far = STRAY / (1 + np.where(lost, 1e6, d / (s + g)) ** 2)
    core = np.where(lost | np.isnan(core), 0.0, core)
    return np.asarray(np.log((1 - STRAY) * core + far))


def _second_difference(d: Floats, g: Floats) -> Floats:
    """softplus(d + g) - 2*softplus(d) + softplus(d - g), for d, g >= 0, without cancellation beyond g."""
    beyond = np.logaddexp(0, -(d + g)) - 2 * np.logaddexp(0, -d) + np.logaddexp(0, -np.abs(d - g))
    return np.asarray(np.where(d >= g, beyond, beyond + (g - d)))


def _grown(delta: Floats, value: Floats, m: Floats) -> Floats:
    """The bound, grown with the prediction where that is larger than the exact value."""
    with np.errstate(invalid="ignore", divide="ignore"):
        growth = np.abs(m) / np.abs(value)
    return np.asarray(delta * np.clip(np.where(np.isnan(growth), 1.0, growth), 1.0, 1e6))
