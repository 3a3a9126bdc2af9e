"""SwiGLU's elementwise part: y = silu(gate) * up, with silu(g) = g / (1 + exp(-g))."""

from typing import Any

import numpy as np

from mutakata.numerics.contracts import Contract, SwiGlu
from mutakata.numerics.expectation import FLUSHED, Expected, quantity
from mutakata.numerics.ops.arguments import check_arrays, refuse
from mutakata.numerics.ops.rms_norm import rounded_then_scaled
from mutakata.numerics.rounding import DIVIDE, EXP, compound, unit_roundoff, wide


def expected(promise: Contract, *, gate: Any, up: Any) -> Expected:
    """y. gate, up: (..., n), one dtype.

    exp(-g) computed as exp2(-g * log2(e)) is off by (2|g| + EXP)u: the constant and the product are rounded
    and their error is an error of the exponent. In 1 + exp(-g) it counts by its share, 1 - sigmoid(g). Then
    come the addition, the division and two products. Where exp(-g) overflows (g < -88.7 in float32) the
    answer is 0, and |g| * |up| * 2^-126 covers it.
    """
    assert isinstance(promise, SwiGlu)
    g, v = np.asarray(gate), np.asarray(up)
    problems = check_arrays(g, per_column={}) + check_arrays(v, per_column={})
    if g.shape != v.shape or g.dtype != v.dtype:
        problems.append(f"up: {v.dtype} {v.shape}; expected {g.dtype} {g.shape}, as gate has")
    refuse(problems)
    kind = wide(g.dtype)
    u = unit_roundoff(kind)
    exact, factor = g.astype(np.float64), v.astype(np.float64)
    decay = np.exp(-np.abs(exact))
    share = np.where(exact >= 0, decay, 1.0) / (1.0 + decay)  # 1 - sigmoid(g), without overflow
    silu = exact * np.where(exact >= 0, 1.0, decay) / (1.0 + decay)
    exponent = np.expm1((2 * np.abs(exact) + EXP) * u)
    relative = compound(exponent * share, u, DIVIDE * u, u)
    silu_delta = relative * np.abs(silu) + FLUSHED[kind] * np.abs(exact)
    y = silu * factor
    reach = rounded_then_scaled(silu, silu_delta, factor, g.dtype, u) if promise.rounding == "twice" else None
    return Expected(
        {"y": quantity(y, silu_delta * np.abs(factor) * (1 + u) + u * np.abs(y), g.dtype, reach)}, ("y",)
    )
