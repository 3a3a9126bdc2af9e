"""Softmax, in two passes and online, as kernels with settings."""

from collections.abc import Callable
from typing import Any

import numpy as np

from mutakata.numerics.contracts import Softmax
from mutakata.numerics.rounding import BF16, Array, wide
from mutakata.numerics.zoo.pointwise import Function, exp2_of, narrow_exp, off_exp
from mutakata.numerics.zoo.steps import (
    F16,
    LOOPS,
    Sum,
    backwards,
    blocked,
    descending,
    kahan,
    narrow_sum,
    pairwise,
    rounded,
    sequential,
    truncated,
)
from mutakata.numerics.zoo.variant import LOW, Zoo, variant


def softmax(
    promise: Softmax,
    *,
    x: Array,
    total: Sum = pairwise,
    exp: Function = np.exp,
    subtract: bool = True,
    guard: bool | None = None,
    spare_lanes: float = -np.inf,
    reciprocal: bool = False,
    store: Callable[..., Array] = rounded,
    flush_nan: bool = False,
    drop_last: bool = False,
) -> Array:
    """Maximum, exponentials, sum. spare_lanes: what lanes beyond the row hold. guard: of rows of -inf."""
    kind, n = wide(x.dtype), x.shape[-1]
    guard = promise.empty_row == "zeros" if guard is None else guard
    spare = (1 << (n - 1).bit_length()) - n
    rows = np.concatenate([x.astype(kind), np.full((*x.shape[:-1], spare), spare_lanes, kind)], axis=-1)
    top = rows.max(axis=-1, keepdims=True)
    if guard:
        top = np.where(np.isneginf(top), kind.type(0), top)
    e = exp(rows - top) if subtract else exp(rows)
    s = total(e[..., : n - 1] if drop_last and n > 1 else e)[..., None]
    if guard:
        s = np.where(s == 0, kind.type(1), s)
    y = e * (1 / s) if reciprocal else e / s
    if flush_nan:
        y = np.nan_to_num(y)
    return store(y[..., :n], x.dtype)


def online(
    promise: Softmax, *, x: Array, block: int = 1, rescale: bool = True, exp: Function = np.exp
) -> Array:
    """One pass: a running maximum, and a sum rescaled whenever it rises."""
    kind = wide(x.dtype)
    rows = x.astype(kind)
    top = np.full((*x.shape[:-1], 1), -np.inf, kind)
    s = np.zeros_like(top)
    for start in range(0, x.shape[-1], block):
        part = rows[..., start : start + block]
        new = np.maximum(top, part.max(axis=-1, keepdims=True))
        level = np.where(np.isneginf(new), kind.type(0), new)
        if rescale:
            s = s * exp(np.where(np.isneginf(top), -np.inf, top - level).astype(kind))
        s = s + pairwise(exp(part - level))[..., None]
        top = new
    level = np.where(np.isneginf(top), kind.type(0), top)
    y = exp(rows - level) / np.where(s == 0, kind.type(1), s)
    return np.where(np.isneginf(top) & (promise.empty_row == "nan"), kind.type(np.nan), y).astype(x.dtype)


def _narrow_total(order: Sum, kind: Any) -> Sum:
    dot = narrow_sum(order, kind)
    return lambda e: dot(e, np.ones_like(e))


SOFTMAX = Zoo(
    {
        **{
            name: variant(softmax, "another order of summation", total=order, widest=LOOPS.get(name, 2**20))
            for name, order in {
                "sequential": sequential,
                "backwards": backwards,
                "descending": descending,
                "pairwise": pairwise,
                "blocked_32": blocked(32),
                "kahan": kahan,
            }.items()
        },
        "reciprocal": variant(softmax, "times 1 / sum", reciprocal=True),
        "exp2": variant(softmax, "exp by exp2", exp=exp2_of),
        "exp_up": variant(softmax, "exp 2 ulp too high", exp=off_exp(2)),
        "blocked_online": variant(online, "online over blocks of 64", block=64),
    },
    {
        "no_maximum": variant(softmax, "the maximum is not subtracted", subtract=False),
        "empty_row_nan": variant(softmax, "a fully masked row gives NaN", guard=False),
        "padded_zero": variant(softmax, "lanes beyond the row hold 0", spare_lanes=0.0, tail_only=True),
        "no_rescale": variant(online, "the running sum is not rescaled", rescale=False, widest=1024),
        "sum_bf16_sequential": variant(softmax, "the sum in bf16", total=_narrow_total(sequential, BF16)),
        "sum_bf16_pairwise": variant(
            softmax, "the sum in bf16, as a tree", total=_narrow_total(pairwise, BF16)
        ),
        "sum_fp16_sequential": variant(softmax, "the sum in fp16", total=_narrow_total(sequential, F16)),
        "sum_fp16_pairwise": variant(
            softmax, "the sum in fp16, as a tree", total=_narrow_total(pairwise, F16)
        ),
        "exp_bf16": variant(softmax, "exp in bf16", exp=narrow_exp(BF16)),
        "exp_fp16": variant(softmax, "exp in fp16", exp=narrow_exp(F16)),
        "tail_dropped": variant(softmax, "the last column is not summed", drop_last=True),
        "truncated": variant(softmax, "the last cast truncates", dtypes=LOW, store=truncated),
    },
)
