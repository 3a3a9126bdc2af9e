"""Gradients of the norms, each as one kernel with settings."""

from collections.abc import Callable
from typing import Any

import numpy as np

from mutakata.numerics.contracts import AddRmsNormBackward, LayerNormBackward, RmsNormBackward
from mutakata.numerics.rounding import BF16, Array, wide
from mutakata.numerics.zoo.norms import (
    PAIRWISE,
    Root,
    by_moments,
    inside_root,
    outside_root,
    two_pass,
    without_eps,
)
from mutakata.numerics.zoo.pointwise import narrowed
from mutakata.numerics.zoo.steps import (
    LOOPS,
    NARROW_SUMS,
    ORDERS,
    Dot,
    Sum,
    approximate_root,
    backwards,
    blocked,
    divided,
    kahan,
    off_by,
    pairwise,
    root_then_divide,
    rounded,
    sequential,
    times_reciprocal,
    truncated,
)
from mutakata.numerics.zoo.variant import LOW, Variant, Zoo, variant


def over_rows(terms: Array, total: Sum, kind: Any, last_row: bool = True) -> Array:
    """Sum over all axes but the last, with or without the last row."""
    columns = terms.reshape(-1, terms.shape[-1])[: None if last_row else -1].T
    return total(narrow(columns, kind)).astype(terms.dtype)


def narrow(values: Array, kind: Any) -> Array:
    """In a narrow type; unchanged for None."""
    return values if kind is None else values.astype(kind)


def rms_backward(
    promise: RmsNormBackward,
    *,
    grad: Array,
    x: Array,
    weight: Array,
    eps: float,
    dot: Dot = PAIRWISE,
    projection: Dot | None = None,
    rows_total: Sum = sequential,
    mean: Callable[[Array, float], Array] = divided,
    with_eps: Callable[..., Array] = inside_root,
    root: Root = root_then_divide,
    extra: float = 0,
    share: float = 1.0,
    power: int = 3,
    weighted: bool = True,
    factored: bool = False,
    product_kind: Any = None,
    rows_stored: bool = False,
    row_kind: Any = None,
    last_row: bool = True,
    store: Callable[..., Array] = rounded,
    added: Array | None = None,
    missing_weight_gradient: bool = False,
) -> tuple[Array, Array]:
    """dx and dweight. share: of the projection that is subtracted; power: of rstd in it."""
    kind, n = wide(x.dtype), x.shape[-1]
    rows, g, scale = x.astype(kind), grad.astype(kind), weight.astype(kind)
    if promise.offset:
        scale = scale + kind.type(promise.offset)
    r = with_eps(mean(dot(rows, rows), n), eps, root)[..., None]
    half = None if promise.cast == "after_weight" else x.dtype
    p = narrowed(narrowed(g * scale, x.dtype if promise.cast == "before_weight" else None), product_kind)
    along = p if weighted else g
    project = projection or dot
    if promise.reduction == "normalised":
        inner = mean(project(along, rows * r), n + extra)[..., None] * kind.type(share)
        dx = r * p - rows * (inner * r ** (power - 1))
    else:
        inner = mean(project(along, rows), n + extra)[..., None] * kind.type(share)
        apart = r * p - rows * (inner * r**power)
        dx = r * (p - rows * (inner * r ** (power - 1))) if factored else apart
    if added is not None:
        dx = dx + added.astype(kind)
    terms = narrowed(g * narrowed(narrowed(rows * r, half), row_kind), half)
    dweight = over_rows(terms, rows_total, x.dtype if rows_stored else None, last_row)
    return store(dx, x.dtype), store(dweight * (not missing_weight_gradient), weight.dtype)


_FAITHFUL: dict[str, tuple[str, dict[str, Any]]] = {
    **{name: ("another order of summation", {"dot": dot}) for name, dot in ORDERS.items()},
    "rows_pairwise": ("rows summed as a tree", {"rows_total": pairwise}),
    "rows_backwards": ("rows summed from the last", {"rows_total": backwards, "mean": times_reciprocal}),
    "rows_blocked": ("rows summed in partial buffers", {"rows_total": blocked(8)}),
    "rows_kahan": ("rows summed with compensation", {"rows_total": kahan}),
    "rsqrt_up": ("rsqrtf, 2 ulp too high", {"root": off_by(2)}),
    "rsqrt_down": ("rsqrtf, 2 ulp too low", {"root": off_by(-2), "mean": times_reciprocal}),
    "approximate": ("approximate root and division", {"root": approximate_root}),
}
_PRODUCT = {"asked_for": (("rms_norm_backward/llama", "bf16"),)}
_ROW = {"asked_for": (("rms_norm_backward/llama", "bf16"), ("rms_norm_backward/liger", "bf16"))}
_MUTANTS: dict[str, tuple[str, tuple[str, ...], dict[str, Any]]] = {
    **{
        name.replace("sum", "projection"): (
            "the projection's sum in a narrow type",
            ("fp32", *LOW),
            {"projection": dot},
        )
        for name, dot in NARROW_SUMS.items()
        if "pairwise" in name or "sequential" in name
    },
    "projection_dropped": ("rstd treated as a constant", ("fp32", *LOW), {"share": 0.0}),
    "projection_added": ("the projection has the wrong sign", ("fp32", *LOW), {"share": -1.0}),
    "projection_unweighted": ("grad in place of weight*grad", ("fp32", *LOW), {"weighted": False}),
    "projection_long": ("divided by n + 1", ("fp32", *LOW), {"extra": 1}),
    "projection_short": ("divided by n - 1", ("fp32", *LOW), {"extra": -1}),
    "eps_dropped": ("no eps", ("fp32", *LOW), {"with_eps": without_eps}),
    "eps_outside_root": ("eps added after the root", ("fp32", *LOW), {"with_eps": outside_root}),
    "product_bf16": ("weight*grad rounded to bf16", ("fp32", *LOW), {"product_kind": BF16} | _PRODUCT),
    "rows_stored": ("rows summed in the input's type", LOW, {"rows_stored": True}),
    "row_rounded": (
        "the normalised row rounded before it meets grad",
        ("fp32", *LOW),
        {"row_kind": BF16} | _ROW,
    ),
    "last_row_dropped": ("the last row does not reach the weight", ("fp32", *LOW), {"last_row": False}),
    "weight_gradient_missing": (
        "the weight's gradient stays zero",
        ("fp32", *LOW),
        {"missing_weight_gradient": True},
    ),
    "truncated": ("the last cast truncates", LOW, {"store": truncated}),
}


def _zoo(kernel: Callable[..., Any], own_faithful: dict[str, Variant], own: dict[str, Variant]) -> Zoo:
    faithful = {
        name: variant(kernel, why, widest=LOOPS.get(name, 2**20), **set_)
        for name, (why, set_) in _FAITHFUL.items()
    }
    mutants = {
        name: variant(kernel, why, dtypes=dtypes, **set_) for name, (why, dtypes, set_) in _MUTANTS.items()
    }
    return Zoo({**faithful, **own_faithful}, {**mutants, **own})


def _power(kernel: Callable[..., Any]) -> dict[str, Variant]:
    return {"projection_power": variant(kernel, "rstd squared where it is cubed", power=2)}


def _factored(kernel: Callable[..., Any]) -> dict[str, Variant]:
    return {"factored": variant(kernel, "rstd factored out", factored=True)}


RMS_NORM_BACKWARD = _zoo(rms_backward, _factored(rms_backward), _power(rms_backward))


def add_rms_backward(
    promise: AddRmsNormBackward,
    *,
    grad: Array,
    grad_residual: Array,
    through_norm: bool = False,
    dropped: bool = False,
    early: bool = False,
    **settings: Any,
) -> tuple[Array, Array]:
    """dx of both summands and dweight. through_norm: the residual's gradient passes the norm as well."""
    if through_norm:
        together = (grad.astype(np.float32) + grad_residual.astype(np.float32)).astype(grad.dtype)
        dx, _ = rms_backward(promise, grad=together, **settings)
        return dx, rms_backward(promise, grad=grad, **settings)[1]
    if early:
        dx, dweight = rms_backward(promise, grad=grad, **settings)
        return (dx.astype(np.float32) + grad_residual.astype(np.float32)).astype(dx.dtype), dweight
    return rms_backward(promise, grad=grad, added=None if dropped else grad_residual, **settings)


ADD_RMS_NORM_BACKWARD = _zoo(
    add_rms_backward,
    _factored(add_rms_backward),
    {
        **_power(add_rms_backward),
        "residual_dropped": variant(add_rms_backward, "the residual's gradient is lost", dropped=True),
        "residual_through_norm": variant(add_rms_backward, "both gradients pass the norm", through_norm=True),
        "rounded_before_sum": variant(add_rms_backward, "rounds before it adds", dtypes=LOW, early=True),
    },
)


def layer_backward(
    promise: LayerNormBackward,
    *,
    grad: Array,
    x: Array,
    gamma: Array,
    eps: float,
    dot: Dot = PAIRWISE,
    projection: Dot | None = None,
    rows_total: Sum = sequential,
    mean: Callable[[Array, float], Array] = divided,
    variance: Callable[..., Array] = two_pass,
    with_eps: Callable[..., Array] = inside_root,
    root: Root = root_then_divide,
    extra: float = 0,
    share: float = 1.0,
    shift_share: float = 1.0,
    weighted: bool = True,
    product_kind: Any = None,
    rows_stored: bool = False,
    row_kind: Any = None,
    last_row: bool = True,
    store: Callable[..., Array] = rounded,
    missing_weight_gradient: bool = False,
    centre: bool = True,
    stored: bool = False,
) -> tuple[Array, Array, Array]:
    """dx, dgamma and dbeta. shift_share: of mean(p) that is subtracted. stored: statistics in x's type."""
    kind, n = wide(x.dtype), x.shape[-1]
    rows, g, scale = x.astype(kind), grad.astype(kind), gamma.astype(kind)
    ones = np.ones_like(rows)
    level = mean(dot(rows, ones), n)
    r = with_eps(variance(rows, level, dot, mean, n), eps, root)[..., None]
    if stored:
        level, r = narrowed(level, x.dtype), narrowed(r, x.dtype)
    c = rows - level[..., None]
    p = narrowed(g * scale, product_kind)
    along = p if weighted else g
    project = projection or dot
    first = mean(dot(along, ones), n)[..., None] * kind.type(shift_share)
    if promise.reduction == "normalised":
        second = mean(project(along, c * r), n + extra)[..., None] * kind.type(share)
        dx = r * (p - first - c * r * second)
    else:
        second = mean(project(along, c), n + extra)[..., None] * kind.type(share)
        dx = r * (p - first - c * (second * r * r))
    terms, narrow = g * narrowed((c if centre else rows) * r, row_kind), x.dtype if rows_stored else None
    dgamma = over_rows(terms, rows_total, narrow, last_row) * (not missing_weight_gradient)
    dbeta = over_rows(g, rows_total, narrow, last_row)
    return store(dx, x.dtype), store(dgamma, gamma.dtype), store(dbeta, gamma.dtype)


LAYER_NORM_BACKWARD = _zoo(
    layer_backward,
    {},
    {
        "mean_dropped": variant(layer_backward, "mean(p) is not subtracted", shift_share=0.0),
        "gamma_uncentred": variant(layer_backward, "dgamma from x, not from x - mean", centre=False),
        "statistics_stored": variant(
            layer_backward,
            "mean and rstd kept in the input's type from the forward pass",
            dtypes=LOW,
            stored=True,
        ),
        "variance_moments": variant(layer_backward, "E[x^2] - E[x]^2 cancels", variance=by_moments),
    },
)
