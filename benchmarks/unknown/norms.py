"""RMSNorm, LayerNorm and the fused addition with each known defect."""

from typing import Any

import torch

from unknown.steps import BF16, FP16, change, chop, fold, lanes, through, walk


class Rms:
    """y = x * rstd * weight"""

    def squares(self, x: Any) -> Any:
        return fold(x * x)

    def mean(self, total: Any, n: int, eps: float) -> Any:
        return total * (1.0 / n)

    def root(self, v: Any, eps: float) -> Any:
        return torch.rsqrt(v + eps)

    def scaled(self, x: Any, r: Any, weight: Any, dtype: Any) -> Any:
        return x * (r * weight)

    def store(self, y: Any, dtype: Any) -> Any:
        return y.to(dtype)

    def row(self, x: Any, weight: Any, eps: float, dtype: Any) -> Any:
        r = self.root(self.mean(self.squares(x), x.shape[-1], eps), eps)[..., None]
        return self.store(self.scaled(x, r, weight.float(), dtype), dtype)

    def __call__(self, x: Any, weight: Any, eps: float) -> Any:
        return self.row(x.float(), weight, eps, x.dtype)


class Layer(Rms):
    """y = (x - mean) * rstd * gamma + beta"""

    def total(self, x: Any) -> Any:
        return fold(x)

    def level(self, x: Any) -> Any:
        return self.total(x) * (1.0 / x.shape[-1])

    def variance(self, x: Any, level: Any, eps: float) -> Any:
        return self.mean(self.squares(x - level[..., None]), x.shape[-1], eps)

    def centred(self, x: Any, level: Any) -> Any:
        return x - level[..., None]

    def shifted(self, x: Any, r: Any, gamma: Any, beta: Any, dtype: Any) -> Any:
        return self.scaled(x, r, gamma, dtype) + beta

    def __call__(self, x: Any, gamma: Any, beta: Any, eps: float) -> Any:  # type: ignore[override]
        wide = x.float()
        level = self.level(wide)
        r = self.root(self.variance(wide, level, eps), eps)[..., None]
        y = self.shifted(self.centred(wide, level), r, gamma.float(), beta.float(), x.dtype)
        return self.store(y, x.dtype)


class Added(Rms):
    """residual' = x + residual, y = rms_norm(residual')"""

    def seen(self, x: Any, residual: Any) -> Any:
        return (x.float() + residual.float()).to(x.dtype).float()

    def handed(self, x: Any, residual: Any, y: Any) -> Any:
        return (x.float() + residual.float()).to(x.dtype)

    def __call__(self, x: Any, residual: Any, weight: Any, eps: float) -> Any:  # type: ignore[override]
        y = self.row(self.seen(x, residual), weight, eps, x.dtype)
        return y, self.handed(x, residual, y)


def _narrow(total: Any, dtype: Any) -> Any:
    return lambda self, x: total((x * x).to(dtype)).float()


def _narrow_plain(total: Any, dtype: Any) -> Any:
    return lambda self, x: total(x.to(dtype)).float()


def _products(dtype: Any) -> Any:
    return lambda self, x: fold((x.to(dtype) * x.to(dtype)).float())


def _early(self: Any, x: Any, r: Any, weight: Any, dtype: Any) -> Any:
    return (x * r).to(dtype).float() * weight


_NARROW_ORDERS = {
    "sum_bf16_sequential": (walk, BF16),
    "sum_bf16_pairwise": (fold, BF16),
    "sum_bf16_blocked": (lanes, BF16),
    "sum_fp16_sequential": (walk, FP16),
    "sum_fp16_pairwise": (fold, FP16),
}
_SQUARES: dict[str, dict[str, Any]] = {
    **{name: {"squares": _narrow(total, dtype)} for name, (total, dtype) in _NARROW_ORDERS.items()},
    "products_bf16": {"squares": _products(BF16)},
    "products_fp16": {"squares": _products(FP16)},
    "tail_dropped": {"squares": lambda self, x: fold((x * x)[..., :-1])},
}
_STEPS: dict[str, dict[str, Any]] = {
    "eps_fixed": {"root": lambda self, v, eps: torch.rsqrt(v + 1e-5)},
    "eps_outside_root": {"root": lambda self, v, eps: torch.reciprocal(v.sqrt() + eps)},
    "eps_dropped": {"root": lambda self, v, eps: torch.rsqrt(v)},
    "rstd_bf16": {"root": lambda self, v, eps: through(torch.rsqrt(v + eps), BF16)},
    "mean_short": {"mean": lambda self, total, n, eps: total / (n - 1)},
    "mean_long": {"mean": lambda self, total, n, eps: total / (n + 1)},
    "other_cast": {"scaled": _early},
    "truncated": {"store": lambda self, y, dtype: chop(y, dtype)},
}
_RMS_ONLY: dict[str, dict[str, Any]] = {
    "eps_in_count": {
        "mean": lambda self, total, n, eps: total / (n + eps),
        "root": lambda self, v, eps: torch.rsqrt(v),
    },
    "other_offset": {"scaled": lambda self, x, r, weight, dtype: x * r * (1 + weight)},
}
_LAYER_SUMS: dict[str, dict[str, Any]] = {
    **{name: {"total": _narrow_plain(total, dtype)} for name, (total, dtype) in _NARROW_ORDERS.items()},
    "products_bf16": {"total": lambda self, x: fold(through(x, BF16))},
    "products_fp16": {"total": lambda self, x: fold(through(x, FP16))},
    "tail_dropped": {"total": lambda self, x: fold(x[..., :-1])},
}
_LAYER: dict[str, dict[str, Any]] = {
    "variance_moments": {
        "variance": lambda self, x, level, eps: fold(x * x) / x.shape[-1] - level.square(),
    },
    "variance_about_zero": {"variance": lambda self, x, level, eps: fold(x.square()) / x.shape[-1]},
    "variance_padded": {"variance": lambda self, x, level, eps: _over_lanes(x, level)},
    "mean_bf16": {"level": lambda self, x: through(fold(x) / x.shape[-1], BF16)},
    "mean_kept": {"centred": lambda self, x, level: x},
    "beta_dropped": {"shifted": lambda self, x, r, gamma, beta, dtype: x * r * gamma},
    "beta_scaled": {"shifted": lambda self, x, r, gamma, beta, dtype: gamma * (x * r + beta)},
}
_ADDED: dict[str, dict[str, Any]] = {
    "other_addition": {"seen": lambda self, x, residual: x.float() + residual.float()},
    "residual_stale": {"handed": lambda self, x, residual, y: residual.clone()},
    "residual_is_x": {"handed": lambda self, x, residual, y: x.clone()},
    "residual_is_y": {"handed": lambda self, x, residual, y: y.clone()},
    "residual_twice": {
        "handed": lambda self, x, residual, y: (x.float() + 2 * residual.float()).to(x.dtype),
    },
    "norm_of_x": {"seen": lambda self, x, residual: x.float()},
}


def _over_lanes(x: Any, level: Any) -> Any:
    """Zeros fill the row up to a power of two, and are centred with it."""
    n = x.shape[-1]
    filled = torch.nn.functional.pad(x, (0, (1 << (n - 1).bit_length()) - n)) - level[..., None]
    return fold(filled.square()) / n


def _kernels(kernel: type, *tables: dict[str, dict[str, Any]]) -> dict[str, Any]:
    names = {name for table in tables for name in table}
    return {
        name: change(kernel, **{k: v for t in tables for k, v in t.get(name, {}).items()}) for name in names
    }


UNKNOWN_NORMS = {
    "rms_norm": _kernels(Rms, _SQUARES, _STEPS, _RMS_ONLY),
    "layer_norm": _kernels(Layer, _SQUARES, _LAYER_SUMS, _STEPS, _LAYER),
    "add_rms_norm": _kernels(Added, _SQUARES, _STEPS, _RMS_ONLY, _ADDED),
}
_SUMS = {
    "fold": {},
    "walk": {"squares": lambda self, x: walk(x * x)},
    "lanes": {"squares": lambda self, x: lanes(x * x, 64)},
    "library": {"squares": lambda self, x: x.square().sum(-1)},
    "root": {"root": lambda self, v, eps: 1 / torch.sqrt(v + eps)},
}
CORRECT_NORMS = {
    op: {name: change(kernel, **steps) for name, steps in _SUMS.items()}
    for op, kernel in (("rms_norm", Rms), ("layer_norm", Layer), ("add_rms_norm", Added))
}
