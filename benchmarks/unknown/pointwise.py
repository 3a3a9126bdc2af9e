"""SwiGLU, rotary embedding and softmax with each known defect."""

import math
from typing import Any

import torch

from unknown.steps import BF16, FP16, change, chop, fold, lanes, through, walk


class SwiGlu:
    """y = silu(gate) * up"""

    def decay(self, g: Any) -> Any:
        return torch.exp2(g * -math.log2(math.e))

    def active(self, g: Any) -> Any:
        return g * torch.reciprocal(1 + self.decay(g))

    def between(self, a: Any, dtype: Any) -> Any:
        return a

    def store(self, y: Any, dtype: Any) -> Any:
        return y.to(dtype)

    def sides(self, gate: Any, up: Any) -> Any:
        return gate.float(), up.float()

    def __call__(self, gate: Any, up: Any) -> Any:
        g, v = self.sides(gate, up)
        return self.store(self.between(self.active(g), gate.dtype) * v, gate.dtype)


def _without_last(self: Any, y: Any, dtype: Any) -> Any:
    out = torch.zeros_like(y, dtype=dtype)
    out[..., :-1] = y[..., :-1].to(dtype)
    return out


_SWIGLU: dict[str, dict[str, Any]] = {
    "swapped": {"sides": lambda self, gate, up: (up.float(), gate.float())},
    "gelu": {"active": lambda self, g: torch.nn.functional.gelu(g, approximate="tanh")},
    "hard_swish": {"active": lambda self, g: torch.nn.functional.hardswish(g)},
    "no_gate": {"active": lambda self, g: torch.sigmoid(g)},
    "exp_bf16": {"decay": lambda self, g: torch.exp((-g).to(BF16)).float()},
    "exp_fp16": {"decay": lambda self, g: torch.exp((-g).to(FP16)).float()},
    "clamped": {"active": lambda self, g: torch.nn.functional.silu(g.clamp(-10, 10))},
    "tail_dropped": {"store": _without_last},
    "other_rounding": {"between": lambda self, a, dtype: through(a, dtype)},
    "truncated": {"store": lambda self, y, dtype: chop(y, dtype)},
}


class Rope:
    """Pairs of halves as complex numbers, turned by multiplication."""

    def places(self, positions: Any) -> Any:
        return positions.float()

    def frequencies(self, count: int, base: float) -> Any:
        return torch.pow(torch.tensor(base), -torch.arange(count).float() / count)

    def angles(self, positions: Any, frequencies: Any) -> Any:
        return torch.outer(positions, frequencies)

    def tables(self, angles: Any, dtype: Any) -> Any:
        return torch.cos(angles), torch.sin(angles)

    def split(self, x: Any) -> Any:
        return x.chunk(2, dim=-1)

    def merge(self, a: Any, b: Any) -> Any:
        return torch.cat([a, b], dim=-1)

    def turn(self, a: Any, b: Any, cos: Any, sin: Any, dtype: Any) -> Any:
        return a * cos - b * sin, a * sin + b * cos

    def store(self, y: Any, dtype: Any) -> Any:
        return y.to(dtype)

    def __call__(self, x: Any, positions: Any, base: float) -> Any:
        f = self.frequencies(x.shape[-1] // 2, base)
        cos, sin = self.tables(self.angles(self.places(positions), f), x.dtype)
        a, b = self.split(x.float())
        return self.store(self.merge(*self.turn(a, b, cos, sin, x.dtype)), x.dtype)


def _by_steps(self: Any, a: Any, b: Any, cos: Any, sin: Any, dtype: Any) -> Any:
    a, b, cos, sin = (t.to(dtype) for t in (a, b, cos, sin))
    return (a * cos + (-b) * sin).float(), (b * cos + a * sin).float()


def _plain_angles(positions: Any, frequencies: Any) -> Any:
    return torch.outer(positions, frequencies)


_ROPE: dict[str, dict[str, Any]] = {
    "other_layout": {
        "split": lambda self, x: x.unflatten(-1, (-1, 2)).unbind(-1),
        "merge": lambda self, a, b: torch.stack([a, b], dim=-1).flatten(-2),
    },
    "backwards": {"turn": lambda self, a, b, cos, sin, dtype: (a * cos + b * sin, b * cos - a * sin)},
    "tables_swapped": {"tables": lambda self, angles, dtype: (torch.sin(angles), torch.cos(angles))},
    "position_off_by_one": {"places": lambda self, positions: positions.float() + 1},
    "angles_bf16": {"angles": lambda self, p, f: through(_plain_angles(p, f), BF16)},
    "angles_fp16": {"angles": lambda self, p, f: through(_plain_angles(p, f), FP16)},
    "positions_bf16": {"places": lambda self, positions: positions.to(BF16).float()},
    "frequencies_bf16": {
        "frequencies": lambda self, count, base: through(Rope.frequencies(self, count, base), BF16),
    },
    "base_fixed": {"frequencies": lambda self, count, base: Rope.frequencies(self, count, 10000.0)},
    "exponent_halved": {
        "frequencies": lambda self, count, base: base ** (-torch.arange(count).float() / (2 * count)),
    },
    "other_rounding": {"turn": _by_steps},
    "truncated": {"store": lambda self, y, dtype: chop(y, dtype)},
}


class Softmax:
    """y = exp(x - max) / sum"""

    def highest(self, x: Any) -> Any:
        top = x.amax(-1, keepdim=True)
        return torch.where(top == -math.inf, 0.0, top)

    def exp(self, d: Any) -> Any:
        return torch.exp2(d * math.log2(math.e))

    def total(self, e: Any, x: Any) -> Any:
        return fold(e)[..., None]

    def divided(self, e: Any, s: Any) -> Any:
        return torch.where(s > 0, e / s, 0.0)

    def store(self, y: Any, dtype: Any) -> Any:
        return y.to(dtype)

    def __call__(self, x: Any) -> Any:
        wide = x.float()
        e = self.exp(wide - self.highest(wide))
        return self.store(self.divided(e, self.total(e, wide)), x.dtype)


def _narrow_total(total: Any, dtype: Any) -> Any:
    return lambda self, e, x: total(e.to(dtype)).float()[..., None]


def _padded_total(self: Any, e: Any, x: Any) -> Any:
    """A mask that forgets the lanes beyond the row: they hold 0, and count in maximum and sum."""
    n = x.shape[-1]
    return fold(e)[..., None] + ((1 << (n - 1).bit_length()) - n) * torch.exp(-self.highest(x))


def _padded_highest(self: Any, x: Any) -> Any:
    n = x.shape[-1]
    top = Softmax.highest(self, x)
    bare = x.amax(-1, keepdim=True)
    return torch.where(bare == -math.inf, 0.0, top.clamp_min(0.0)) if n & (n - 1) else top


def _stale_total(self: Any, e: Any, x: Any) -> Any:
    """One pass that forgets to rescale: each element counts against the maximum so far."""
    so_far = torch.cummax(x, dim=-1).values
    level = torch.where(so_far == -math.inf, 0.0, so_far)
    return walk(torch.exp(x - level))[..., None]


_SOFTMAX: dict[str, dict[str, Any]] = {
    "no_maximum": {"highest": lambda self, x: torch.zeros_like(x[..., :1])},
    "empty_row_nan": {
        "highest": lambda self, x: x.amax(-1, keepdim=True),
        "divided": lambda self, e, s: e / s,
    },
    "padded_zero": {"highest": _padded_highest, "total": _padded_total},
    "no_rescale": {"total": _stale_total},
    "sum_bf16_sequential": {"total": _narrow_total(walk, BF16)},
    "sum_bf16_pairwise": {"total": _narrow_total(fold, BF16)},
    "sum_fp16_sequential": {"total": _narrow_total(walk, FP16)},
    "sum_fp16_pairwise": {"total": _narrow_total(fold, FP16)},
    "exp_bf16": {"exp": lambda self, d: torch.exp(d.to(BF16)).float()},
    "exp_fp16": {"exp": lambda self, d: torch.exp(d.to(FP16)).float()},
    "tail_dropped": {"total": lambda self, e, x: fold(e[..., :-1])[..., None]},
    "truncated": {"store": lambda self, y, dtype: chop(y, dtype)},
}

UNKNOWN_POINTWISE = {
    op: {name: change(kernel, **steps) for name, steps in table.items()}
    for op, kernel, table in (
        ("swiglu", SwiGlu, _SWIGLU),
        ("rope", Rope, _ROPE),
        ("softmax", Softmax, _SOFTMAX),
    )
}
CORRECT_POINTWISE = {
    "swiglu": {
        "exp2": SwiGlu(),
        "library": change(SwiGlu, active=lambda self, g: torch.nn.functional.silu(g)),
        "sigmoid": change(SwiGlu, active=lambda self, g: g * torch.sigmoid(g)),
    },
    "rope": {
        "halves": Rope(),
        "exp": change(
            Rope, frequencies=lambda self, n, base: torch.exp(torch.arange(n).float() * (-math.log(base) / n))
        ),
    },
    "softmax": {
        "fold": Softmax(),
        "lanes": change(Softmax, total=lambda self, e, x: lanes(e, 32)[..., None]),
        "walk": change(Softmax, total=lambda self, e, x: walk(e)[..., None]),
        "exp": change(Softmax, exp=lambda self, d: torch.exp(d)),
    },
}
