"""Rotary position embedding: each pair of a row at position p is turned by the angle p * base^(-2i/d)."""

from typing import Any

import numpy as np

from mutakata.numerics.contracts import Contract, Rope
from mutakata.numerics.expectation import Expected, Reach, quantity
from mutakata.numerics.ops.arguments import check_arrays, refuse
from mutakata.numerics.rounding import DIVIDE, EXP, DTypeLike, Floats, round_to, unit_roundoff, wide

TRIGONOMETRY = 4  # sinf and cosf: 2 ulp near 1 (CUDA C programming guide, "Mathematical functions")


def expected(promise: Contract, *, x: Any, positions: Any, base: float) -> Expected:
    """y. x: (..., seq, dim) with dim even; positions: (seq,) integers below 2^24; base: as 10000."""
    assert isinstance(promise, Rope)
    data, where = np.asarray(x), np.asarray(positions)
    problems = check_arrays(data, per_column={})
    if data.ndim < 2 or data.shape[-1] % 2:
        problems.append(f"x has shape {data.shape}; expected (..., seq, dim) with dim even")
    elif where.shape != data.shape[-2:-1]:
        problems.append(f"positions: shape {where.shape}; expected {data.shape[-2:-1]}")
    if where.size and np.abs(where).max() >= 2**24:
        problems.append("positions: at or beyond 2^24, where float32 no longer holds every integer")
    refuse(problems)
    u = unit_roundoff(wide(data.dtype))
    angle, angle_error = angles(where.astype(np.float64), data.shape[-1], float(base), u)
    exact = data.astype(np.float64)
    a, b = pairs(exact, promise.layout)
    cos, sin = np.cos(angle), np.sin(angle)
    table = np.minimum(angle_error, 2.0) + TRIGONOMETRY * u
    first, second = a * cos - b * sin, b * cos + a * sin
    # the tables, then one rounding for each product and one for the sum
    spread = (np.abs(a) + np.abs(b)) * (table + u * (1 + table))
    deltas = [spread + u * (np.abs(half) + spread) for half in (first, second)]
    reach = None
    if promise.rounding == "each_step" and data.dtype.itemsize < 4:
        reach = _stepwise(a, b, cos, sin, table, data.dtype, promise.layout)
    y = join(promise.layout, first, second)
    return Expected({"y": quantity(y, join(promise.layout, *deltas), data.dtype, reach)}, ("y",))


def angles(positions: Floats, dim: int, base: float, u: float) -> tuple[Floats, Floats]:
    """Angles (seq, dim/2) and their absolute errors.

    The frequency is base^-e with e = 2i/dim, by pow or by exp2(-e * log2(base)). e, log2(base) and their
    product are each rounded, an error of 3*e*ln(base)*u in the exponent; then the power, the reciprocal and
    the product with the position. For i = 0 the frequency is 1 and the angle exact, however computed.
    """
    e = np.arange(0, dim, 2) / dim
    angle = positions[:, None] * base**-e
    relative = np.where(e == 0, 0.0, (3 * e * abs(np.log(base)) + EXP + DIVIDE + 1) * u)
    return angle, np.abs(angle) * relative


def pairs(x: Floats, layout: str) -> tuple[Floats, Floats]:
    """First and second element of each pair."""
    if layout == "interleaved":
        return x[..., 0::2], x[..., 1::2]
    half = x.shape[-1] // 2
    return x[..., :half], x[..., half:]


def join(layout: str, first: Floats, second: Floats) -> Floats:
    """Inverse of `pairs`."""
    if layout == "interleaved":
        return np.stack([first, second], axis=-1).reshape(*first.shape[:-1], -1)
    return np.concatenate([first, second], axis=-1)


def _stepwise(
    a: Floats, b: Floats, cos: Floats, sin: Floats, table: Floats, dtype: DTypeLike, layout: str
) -> Reach:
    """Interval arithmetic through tables, products and sum, each rounded to `dtype`.

    Products of two 16-bit numbers are exact in float32, and so is the sum of two of them where it matters.
    """

    def product(factor: Floats, low: Floats, high: Floats) -> tuple[Floats, Floats]:
        edges = [round_to(factor * edge, dtype).astype(np.float64) for edge in (low, high)]
        return np.minimum(*edges), np.maximum(*edges)

    def reach(t: Any) -> tuple[Floats, Floats]:
        slack = _pairwise(t, layout, table)
        bounds = []
        for value, sign, other in ((cos, -1.0, sin), (cos, 1.0, sin)):
            first, second = (a, b) if sign < 0 else (b, a)
            edges = [
                product(side, *(round_to(v + s * slack, dtype).astype(np.float64) for s in (-1, 1)))
                for side, v in ((first, value), (second, other))
            ]
            (low, high), (low2, high2) = edges
            bounds.append((low - high2, high - low2) if sign < 0 else (low + low2, high + high2))
        return tuple(join(layout, x, y) for x, y in zip(*bounds, strict=True))  # type: ignore[return-value]

    return reach


def _pairwise(t: Any, layout: str, table: Floats) -> Floats:
    """t may be one number, or one per element: a pair then takes the larger."""
    if np.ndim(t) == 0:
        return np.asarray(t * table)
    return np.asarray(np.maximum(*pairs(np.asarray(t), layout)) * table)
