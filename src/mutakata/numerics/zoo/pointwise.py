"""SwiGLU and RoPE, each as one kernel with settings."""

from collections.abc import Callable
from typing import Any

import numpy as np

from mutakata.numerics.contracts import Rope, SwiGlu
from mutakata.numerics.ops.rope import join, pairs
from mutakata.numerics.rounding import BF16, Array, wide
from mutakata.numerics.zoo.steps import (
    F16,
    rounded,
    truncated,
)
from mutakata.numerics.zoo.variant import LOW, Zoo, variant

Function = Callable[[Array], Array]


def exp2_of(values: Array) -> Array:
    """exp by way of exp2 and a rounded log2(e), as GPUs do."""
    return np.asarray(np.exp2(values * values.dtype.type(np.log2(np.e))))


def off_exp(ulps: int) -> Function:
    """exp some ulp away."""

    def exponential(values: Array) -> Array:
        result = np.exp(values)
        for _ in range(abs(ulps)):
            result = np.nextafter(result, result.dtype.type(np.inf if ulps > 0 else 0))
        return np.where(np.isneginf(values), values.dtype.type(0), result)

    return exponential


def narrow_exp(kind: Any) -> Function:
    """exp in a narrow type."""
    return lambda values: np.exp(values.astype(kind)).astype(values.dtype)


def sigmoid(g: Array, exp: Function) -> Array:
    """g / (1 + exp(-g))"""
    return np.asarray(g / (1 + exp(-g)))


def times_sigmoid(g: Array, exp: Function) -> Array:
    """g * (1 / (1 + exp(-g)))"""
    return np.asarray(g * (1 / (1 + exp(-g))))


def stable(g: Array, exp: Function) -> Array:
    """exp of negative numbers only, so that it cannot overflow."""
    decay = exp(-np.abs(g))
    return np.asarray(g * np.where(g >= 0, g.dtype.type(1), decay) / (1 + decay))


def gelu_tanh(g: Array, exp: Function) -> Array:
    """Another activation: GELU's tanh form."""
    return np.asarray(0.5 * g * (1 + np.tanh(np.sqrt(2 / np.pi) * (g + 0.044715 * g**3)))).astype(g.dtype)


def hard_swish(g: Array, exp: Function) -> Array:
    """A piecewise stand-in for silu."""
    return np.asarray(g * np.clip(g + 3, 0, 6) / 6)


def swiglu(
    promise: SwiGlu,
    *,
    gate: Array,
    up: Array,
    silu: Callable[..., Array] = sigmoid,
    exp: Function = np.exp,
    swapped: bool = False,
    other_rounding: bool = False,
    store: Callable[..., Array] = rounded,
    clamp: float = np.inf,
    tail: bool = True,
    up_first: bool = False,
) -> Array:
    """silu(gate) * up."""
    kind = wide(gate.dtype)
    g, v = (up, gate) if swapped else (gate, up)
    wide_gate = np.clip(g.astype(kind), -clamp, clamp)
    twice = (promise.rounding == "twice") != other_rounding
    if up_first and not twice:
        return store((wide_gate * v.astype(kind)) / (1 + exp(-wide_gate)), gate.dtype)
    active = silu(wide_gate, exp)
    if twice:
        active = store(active, gate.dtype).astype(kind)
    y = store(active * v.astype(kind), gate.dtype)
    if not tail:
        y[..., -1] = 0
    return y


SWIGLU = Zoo(
    {
        "divide": variant(swiglu, "g / (1 + exp(-g))"),
        "times_sigmoid": variant(swiglu, "g times the sigmoid", silu=times_sigmoid),
        "stable": variant(swiglu, "exp of negative numbers only", silu=stable),
        "exp2": variant(swiglu, "exp by exp2", exp=exp2_of),
        "exp_up": variant(swiglu, "exp 2 ulp too high", exp=off_exp(2)),
        "exp_down": variant(swiglu, "exp 2 ulp too low", exp=off_exp(-2), silu=times_sigmoid),
        "up_first": variant(swiglu, "gate*up over the denominator", up_first=True),
    },
    {
        "swapped": variant(swiglu, "silu(up) * gate", swapped=True),
        "gelu": variant(swiglu, "GELU's tanh form in place of silu", silu=gelu_tanh),
        "hard_swish": variant(swiglu, "a piecewise stand-in for silu", silu=hard_swish),
        "no_gate": variant(swiglu, "the sigmoid without its gate", silu=lambda g, exp: 1 / (1 + exp(-g))),
        "exp_bf16": variant(swiglu, "exp in bf16", exp=narrow_exp(BF16)),
        "exp_fp16": variant(swiglu, "exp in fp16", exp=narrow_exp(F16)),
        "clamped": variant(swiglu, "gate clamped to -+10", clamp=10.0),
        "tail_dropped": variant(swiglu, "the last column is not written", tail=False),
        "other_rounding": variant(
            swiglu, "the rounding of the other convention", dtypes=LOW, other_rounding=True
        ),
        "truncated": variant(swiglu, "the last cast truncates", dtypes=LOW, store=truncated),
    },
)


def by_power(e: Array, base: float) -> Array:
    """1 / base^e"""
    return np.asarray(1 / e.dtype.type(base) ** e)


def by_negative_power(e: Array, base: float) -> Array:
    """base^-e"""
    return np.asarray(e.dtype.type(base) ** -e)


def by_exp2(e: Array, base: float) -> Array:
    """exp2(-e * log2(base))"""
    return np.asarray(np.exp2(-e * e.dtype.type(np.log2(base))))


def by_exp(e: Array, base: float) -> Array:
    """exp(-e * ln(base))"""
    return np.asarray(np.exp(-e * e.dtype.type(np.log(base))))


def rope(
    promise: Rope,
    *,
    x: Array,
    positions: Array,
    base: float,
    frequency: Callable[..., Array] = by_power,
    angle_kind: Any = None,
    frequency_kind: Any = None,
    position_kind: Any = None,
    shift: int = 0,
    sign: int = 1,
    fixed_base: bool = False,
    step: float = 2.0,
    other_layout: bool = False,
    other_rounding: bool = False,
    store: Callable[..., Array] = rounded,
    swap_tables: bool = False,
    fma: bool = False,
) -> Array:
    """Rotary embedding. step: what i is multiplied by in the exponent. *_kind: a narrow type for a table."""
    kind, dim = wide(x.dtype), x.shape[-1]
    e = (np.arange(0, dim // 2) * (step / dim)).astype(kind)
    f = narrowed(frequency(e, 10000.0 if fixed_base else base), frequency_kind)
    at = narrowed((positions + shift).astype(kind), position_kind)
    angles = narrowed(at[:, None] * f, angle_kind)
    cos, sin = np.cos(angles), kind.type(sign) * np.sin(angles)
    if swap_tables:
        cos, sin = sin, cos
    layout = promise.layout
    if other_layout:
        layout = "interleaved" if layout == "half" else "half"
    a, b = pairs(x.astype(kind), layout)
    stepwise = (promise.rounding == "each_step") != other_rounding
    keep = (lambda v: store(v, x.dtype).astype(kind)) if stepwise else (lambda v: v)
    cos, sin = keep(cos), keep(sin)
    if fma and not stepwise:
        exact = np.longdouble
        halves = [
            (p * cos + sign_ * (q * sin).astype(exact)).astype(kind)
            for p, q, sign_ in ((a, b, -1), (b, a, 1))
        ]
    else:
        halves = [keep(a * cos) - keep(b * sin), keep(b * cos) + keep(a * sin)]
    return store(join(layout, *halves), x.dtype)


def narrowed(values: Array, kind: Any) -> Array:
    """Through a narrow type and back; unchanged for None."""
    return values if kind is None else values.astype(kind).astype(values.dtype)


ROPE = Zoo(
    {
        "power": variant(rope, "1 / base^e"),
        "negative_power": variant(rope, "base^-e", frequency=by_negative_power),
        "exp2": variant(rope, "exp2(-e * log2(base))", frequency=by_exp2),
        "exp": variant(rope, "exp(-e * ln(base))", frequency=by_exp),
        "fused": variant(rope, "a fused multiply-add", fma=True, frequency=by_exp),
    },
    {
        "other_layout": variant(
            rope, "pairs of the other layout", other_layout=True, seen=("huggingface/transformers#25199",)
        ),
        "backwards": variant(rope, "turns the other way", sign=-1),
        "tables_swapped": variant(rope, "sin in place of cos", swap_tables=True),
        "position_off_by_one": variant(rope, "positions start at 1", shift=1),
        "angles_bf16": variant(rope, "the table of angles in bf16", angle_kind=BF16),
        "angles_fp16": variant(rope, "the table of angles in fp16", angle_kind=F16),
        "positions_bf16": variant(rope, "positions in bf16", position_kind=BF16),
        "frequencies_bf16": variant(rope, "frequencies in bf16", frequency_kind=BF16),
        "base_fixed": variant(rope, "10000 in place of base", fixed_base=True),
        "exponent_halved": variant(rope, "i/dim in place of 2i/dim", step=1.0),
        "other_rounding": variant(
            rope, "the rounding of the other convention", dtypes=LOW, other_rounding=True
        ),
        "truncated": variant(rope, "the last cast truncates", dtypes=LOW, store=truncated),
    },
)
