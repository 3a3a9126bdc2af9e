"""What a contract allows: for each output the exact value, and how far arithmetic may carry it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from mutakata.numerics.rounding import Array, DTypeLike, Floats, as_exact, dtype_of, gap, round_to, wide

Reach = Callable[[float], tuple[Floats, Floats]]
# A kernel may flush numbers below the smallest normal one to zero, so nothing is asked of them.
FLUSHED = {np.dtype(np.float32): 2.0**-126, np.dtype(np.float64): 2.0**-1022}
SEARCHED = 2.0**40  # a relaxation beyond this is reported as this


@dataclass(frozen=True)
class Quantity:
    """One output: `value` is exact to float64, `delta` the absolute error allowed before the final rounding.

    `reach(t)` gives the lowest and highest number before that rounding when every error is t times as large
    as the contract allows. Where it is None the answer is value -+ t * delta; a contract that rounds in the
    middle brings its own. A value that is NaN asks for a NaN.
    """

    value: Floats
    delta: Floats
    dtype: np.dtype[Any]
    reach: Reach | None = None

    def interval(self, t: float = 1.0) -> tuple[Floats, Floats]:
        """Lowest and highest number before the final rounding, both float64."""
        return self.reach(t) if self.reach else (self.value - t * self.delta, self.value + t * self.delta)

    def allowed(self) -> tuple[Array, Array]:
        """Lowest and highest correct output, in the output's dtype."""
        low, high = self.interval()
        return round_to(low, self.dtype), round_to(high, self.dtype)

    @property
    def tolerance(self) -> Floats:
        """Largest distance of a correct output from `value`: delta and the final rounding together."""
        low, high = (as_exact(edge, self.dtype) for edge in self.allowed())
        return np.maximum(high - self.value, self.value - low)

    def ratio(self, got: Any) -> Floats:
        """Error in units of the bound: the least t for which reach(t), rounded, holds `got`.

        0 where the exact value itself rounds to `got`, infinite for a NaN. Correct is at most 1.
        """
        y, value = as_exact(got, self.dtype), as_exact(self.value, self.dtype)
        with np.errstate(invalid="ignore", over="ignore"):
            found = self._searched(y) if self.reach else self._measured(y, value)
        agree = (y == value) | (np.isnan(y) & np.isnan(value))
        return np.where(agree, 0.0, np.where(np.isnan(y) | np.isnan(value), np.inf, found))

    def _measured(self, y: Floats, value: Floats) -> Floats:
        """Distance from the exact value to the numbers that round to y, over delta."""
        return np.maximum(np.abs(y - value) - half_gap(y, value, self.dtype), 0.0) / self.delta

    def _searched(self, y: Floats) -> Floats:
        """Bisection on log2(t), to 3 %, from above: the intervals are nested, so the answer is unique."""
        exact = outside_by(y, *self._reach_each(np.zeros(())), self.dtype) <= 0
        if exact.all():
            return np.zeros(y.shape)
        floor, ceiling = np.full(y.shape, -8.0), np.full(y.shape, np.log2(SEARCHED))
        for _ in range(10):
            middle = (floor + ceiling) / 2
            low, high = self._reach_each(np.exp2(middle))
            inside = outside_by(y, low, high, self.dtype) <= 0
            ceiling, floor = np.where(inside, middle, ceiling), np.where(inside, floor, middle)
        return np.where(exact, 0.0, np.exp2(ceiling))

    def _reach_each(self, t: Any) -> tuple[Floats, Floats]:
        assert self.reach is not None
        low, high = self.reach(t)
        return as_exact(low, self.dtype), as_exact(high, self.dtype)


def half_gap(y: Floats, towards: Floats, dtype: DTypeLike) -> Floats:
    """Half the spacing of `dtype` at y, on the side on which `towards` lies."""
    return gap(y, dtype, np.abs(towards) < np.abs(y)) / 2


def outside_by(y: Floats, low: Floats, high: Floats, dtype: DTypeLike) -> Floats:
    """How far the numbers that round to y lie from [low, high]; at most 0 where they meet."""
    below = low - y - half_gap(y, low, dtype)
    above = y - high - half_gap(y, high, dtype)
    return np.maximum(below, above)


def quantity(value: Floats, delta: Any, dtype: DTypeLike, reach: Reach | None = None) -> Quantity:
    """A Quantity with the flushing of subnormals added, and for float64 the reference's own rounding.

    The reference is computed in float64. Below float64 its error is 2^-29 of the bound; for float64 outputs
    it obeys the same bound as the output does, so that the two may differ by twice as much.
    """
    kind = wide(dtype)
    twice = 2.0 if kind == np.float64 else 1.0
    total = np.broadcast_to(twice * np.asarray(delta, np.float64) + FLUSHED[kind], value.shape)
    return Quantity(value, total, dtype_of(dtype), reach)


@dataclass(frozen=True)
class Expected:
    """The quantities of one call. `outputs` names those returned, in order; the rest are statistics."""

    quantities: Mapping[str, Quantity]
    outputs: tuple[str, ...]

    def __getitem__(self, name: str) -> Quantity:
        return self.quantities[name]

    @property
    def only(self) -> Quantity:
        """The quantity of an operation with one output."""
        if len(self.outputs) > 1:
            raise ValueError(
                f"this operation returns {', '.join(self.outputs)}; ask for one: expected(...)[name]"
            )
        return self.quantities[self.outputs[0]]

    @property
    def value(self) -> Floats:
        """The exact result, float64, where there is one output."""
        return self.only.value

    @property
    def tolerance(self) -> Floats:
        """Largest distance of a correct output from `value`, where there is one output."""
        return self.only.tolerance
