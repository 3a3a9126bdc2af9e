"""RMSNorm, LayerNorm and the fused residual addition, each as one kernel with settings."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from mutakata.numerics.contracts import AddRmsNorm, LayerNorm, RmsNorm
from mutakata.numerics.rounding import BF16, Array, wide
from mutakata.numerics.zoo.steps import (
    F16,
    LOOPS,
    NARROW_SUMS,
    ORDERS,
    Dot,
    approximate_root,
    divided,
    narrow_products,
    narrow_root,
    off_by,
    root_then_divide,
    rounded,
    times_reciprocal,
    truncated,
    without_last,
)
from mutakata.numerics.zoo.variant import LOW, Variant, Zoo, variant

Root = Callable[[Array], Array]
PAIRWISE = ORDERS["pairwise"]


def inside_root(mean_square: Array, eps: float, root: Root) -> Array:
    """rstd as the definition has it."""
    return root(mean_square + mean_square.dtype.type(eps))


def outside_root(mean_square: Array, eps: float, root: Root) -> Array:
    """eps joins after the root."""
    return np.asarray(1 / (np.sqrt(mean_square) + mean_square.dtype.type(eps)))


def without_eps(mean_square: Array, eps: float, root: Root) -> Array:
    """eps never arrives."""
    return root(mean_square)


def fixed_eps(mean_square: Array, eps: float, root: Root) -> Array:
    """A literal in place of the argument."""
    return root(mean_square + mean_square.dtype.type(1e-5))


def rms(
    promise: RmsNorm,
    *,
    x: Array,
    weight: Array,
    eps: float,
    dot: Dot = PAIRWISE,
    mean: Callable[[Array, float], Array] = divided,
    extra: float = 0,
    with_eps: Callable[..., Array] = inside_root,
    root: Root = root_then_divide,
    weight_first: bool = False,
    store: Callable[..., Array] = rounded,
    other_cast: bool = False,
    other_offset: bool = False,
    dtype: Any = None,
) -> Array:
    """RMSNorm. extra: added to n. dtype: of the output, where it is not that of x."""
    kind, out = wide(x.dtype), np.dtype(dtype or x.dtype)
    rows, scale = x.astype(kind), weight.astype(kind)
    offset = promise.offset if not other_offset else 1.0 - promise.offset
    if offset:
        scale = scale + kind.type(offset)
    r = with_eps(mean(dot(rows, rows), rows.shape[-1] + extra), eps, root)[..., None]
    early = (promise.cast == "before_weight") != other_cast
    if early:
        return store(store(rows * r, out).astype(kind) * scale, out)
    return store(rows * (r * scale) if weight_first else (rows * r) * scale, out)


_ORDER = "another order of summation"
RMS_SETTINGS_FAITHFUL: dict[str, tuple[str, dict[str, Any]]] = {
    **{name: (_ORDER, {"dot": dot}) for name, dot in ORDERS.items()},
    "reciprocal_multiply": (
        "sum times 1/n; rstd times weight first",
        {"mean": times_reciprocal, "weight_first": True},
    ),
    "rsqrt_up": ("rsqrtf, 2 ulp too high", {"root": off_by(2), "dot": ORDERS["blocked_32"]}),
    "rsqrt_down": ("rsqrtf, 2 ulp too low", {"root": off_by(-2), "dot": ORDERS["sequential"]}),
    "approximate": ("approximate root and division", {"root": approximate_root, "mean": times_reciprocal}),
}
RMS_SETTINGS_MUTANTS: dict[str, tuple[str, tuple[str, ...], dict[str, Any]]] = {
    "products_bf16": ("x*x rounded to bf16", ("fp32", *LOW), {"dot": narrow_products(BF16)}),
    "products_fp16": ("x*x rounded to fp16", ("fp32", *LOW), {"dot": narrow_products(F16)}),
    "eps_fixed": ("the literal 1e-5 in place of eps", ("fp32", *LOW), {"with_eps": fixed_eps}),
    "eps_outside_root": ("eps added after the root", ("fp32", *LOW), {"with_eps": outside_root}),
    "eps_dropped": ("no eps", ("fp32", *LOW), {"with_eps": without_eps}),
    "eps_in_count": ("sum / (n + eps)", ("fp32", *LOW), {"extra": 1e-6, "with_eps": without_eps}),
    "rstd_bf16": ("rstd kept in bf16", ("fp32", *LOW), {"root": narrow_root(BF16)}),
    "mean_short": ("sum / (n - 1)", ("fp32", *LOW), {"extra": -1}),
    "mean_long": ("sum / (n + 1)", ("fp32", *LOW), {"extra": 1}),
    "tail_dropped": ("the last column is not summed", ("fp32", *LOW), {"dot": without_last}),
    "other_offset": ("the weight's offset of the other convention", ("fp32", *LOW), {"other_offset": True}),
    "other_cast": ("the cast order of the other convention", LOW, {"other_cast": True}),
    "truncated": ("the last cast truncates", LOW, {"store": truncated}),
}
SEEN = {
    "eps_fixed": ("ggml-org/llama.cpp#2373", "NVIDIA/cutlass#1112"),
    "eps_outside_root": ("apache/tvm#15856",),
    "eps_in_count": ("xlite-dev/LeetCUDA#317",),
    "other_cast": ("huggingface/transformers#29402", "vllm-project/vllm#42325"),
    "truncated": ("triton-lang/triton#4972",),
}


def _zoo(kernel: Callable[..., Any], mutants: dict[str, Variant]) -> Zoo:
    """The settings above applied to a kernel that accepts them."""
    faithful = {
        name: variant(kernel, why, widest=LOOPS.get(name, 2**20), **set_)
        for name, (why, set_) in RMS_SETTINGS_FAITHFUL.items()
    }
    shared = {
        name: variant(kernel, why, dtypes=dtypes, seen=SEEN.get(name, ()), **set_)
        for name, (why, dtypes, set_) in RMS_SETTINGS_MUTANTS.items()
    }
    sums = {
        name: variant(kernel, "the sum is kept in a narrow type", dot=dot)
        for name, dot in NARROW_SUMS.items()
    }
    return Zoo(faithful, {**sums, **shared, **mutants})


RMS_NORM = _zoo(rms, {})


def add_rms(
    promise: AddRmsNorm,
    *,
    x: Array,
    residual: Array,
    weight: Array,
    eps: float,
    other_addition: bool = False,
    returned: str = "sum",
    normed: str = "sum",
    **settings: Any,
) -> tuple[Array, Array]:
    """Addition and RMSNorm. returned: what is handed on as residual. normed: what is normalised."""
    kind = wide(x.dtype)
    total = x.astype(kind) + residual.astype(kind)
    carried = (promise.addition == "carried") != other_addition
    stored = total.astype(x.dtype)
    row = {"sum": total if carried else stored, "x": x}[normed]
    twice = (total + residual.astype(kind)).astype(x.dtype)
    y = rms(promise, x=row, weight=weight, eps=eps, dtype=x.dtype, **settings)
    return y, {"sum": stored, "old": residual.copy(), "x": x.copy(), "y": y.copy(), "twice": twice}[returned]


ADD_RMS_NORM = _zoo(
    add_rms,
    {
        "other_addition": variant(
            add_rms, "normalises the sum of the other convention", dtypes=LOW, other_addition=True
        ),
        "residual_stale": variant(add_rms, "hands on the residual as it came", returned="old"),
        "residual_is_x": variant(add_rms, "hands on x", returned="x"),
        "residual_is_y": variant(add_rms, "hands on the normalised row", returned="y"),
        "residual_twice": variant(add_rms, "adds the residual twice", returned="twice"),
        "norm_of_x": variant(add_rms, "normalises x, not the sum", normed="x"),
    },
)


def two_pass(rows: Array, mean: Array, dot: Dot, divide: Callable[..., Array], n: float) -> Array:
    """Variance of the centred values."""
    centred = rows - mean[..., None]
    return divide(dot(centred, centred), n)


def by_moments(rows: Array, mean: Array, dot: Dot, divide: Callable[..., Array], n: float) -> Array:
    """E[x^2] - E[x]^2."""
    return np.asarray(divide(dot(rows, rows), n) - mean * mean)


def about_zero(rows: Array, mean: Array, dot: Dot, divide: Callable[..., Array], n: float) -> Array:
    """E[x^2]: the mean is forgotten."""
    return divide(dot(rows, rows), n)


def padded_lanes(rows: Array, mean: Array, dot: Dot, divide: Callable[..., Array], n: float) -> Array:
    """Lanes beyond the row, loaded as 0, are centred with the others and counted."""
    width = 1 << (rows.shape[-1] - 1).bit_length()
    spare = width - rows.shape[-1]
    return divide(dot(rows - mean[..., None], rows - mean[..., None]) + spare * mean * mean, n)


def welford(rows: Array, mean: Array, dot: Dot, divide: Callable[..., Array], n: float) -> Array:
    """Welford's update, one element at a time."""
    level, spread = np.zeros_like(mean), np.zeros_like(mean)
    for count, column in enumerate(np.moveaxis(rows, -1, 0), 1):
        delta = column - level
        level = level + delta / rows.dtype.type(count)
        spread = spread + delta * (column - level)
    return divide(spread, n)


def layer(
    promise: LayerNorm,
    *,
    x: Array,
    gamma: Array,
    beta: Array,
    eps: float,
    dot: Dot = PAIRWISE,
    mean: Callable[[Array, float], Array] = divided,
    variance: Callable[..., Array] = two_pass,
    extra: float = 0,
    with_eps: Callable[..., Array] = inside_root,
    root: Root = root_then_divide,
    weight_first: bool = False,
    store: Callable[..., Array] = rounded,
    other_cast: bool = False,
    mean_kind: Any = None,
    use_mean: bool = True,
    use_beta: bool = True,
    shift_first: bool = False,
) -> Array:
    """LayerNorm. extra: added to n in the variance. mean_kind: a narrow type for the mean."""
    kind, n = wide(x.dtype), x.shape[-1]
    rows, scale, shift = x.astype(kind), gamma.astype(kind), beta.astype(kind)
    level = mean(dot(rows, np.ones_like(rows)), n)
    if mean_kind is not None:
        level = level.astype(mean_kind).astype(kind)
    r = with_eps(variance(rows, level, dot, mean, n + extra), eps, root)[..., None]
    row = rows - level[..., None] if use_mean else rows
    if shift_first:
        return store((row * r + shift) * scale, x.dtype)
    if other_cast:
        row = store(row * r, x.dtype).astype(kind) * scale
    else:
        row = row * (r * scale) if weight_first else (row * r) * scale
    return store(row + shift if use_beta else row, x.dtype)


def _layer_zoo() -> Zoo:
    skip = {"other_offset", "eps_in_count"}
    base = _zoo(layer, {})
    own = {
        "variance_moments": variant(
            layer, "E[x^2] - E[x]^2 cancels", variance=by_moments, seen=("google/flax#4107",)
        ),
        "variance_about_zero": variant(layer, "the variance forgets the mean", variance=about_zero),
        "variance_padded": variant(
            layer,
            "lanes beyond the row are centred and counted",
            variance=padded_lanes,
            tail_only=True,
        ),
        "mean_bf16": variant(layer, "the mean is kept in bf16", mean_kind=BF16),
        "mean_kept": variant(layer, "the mean is not subtracted", use_mean=False),
        "beta_dropped": variant(layer, "no beta", use_beta=False),
        "beta_scaled": variant(layer, "beta added before gamma multiplies", shift_first=True),
    }
    mutants = {name: each for name, each in base.mutants.items() if name not in skip}
    mutants["other_cast"] = replace(mutants["other_cast"], reason="rounds before gamma and again at the end")
    return Zoo(base.faithful, {**mutants, **own})


LAYER_NORM = _layer_zoo()
