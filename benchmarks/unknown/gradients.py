"""Gradients of the norms with each known defect."""

from typing import Any

import torch

from unknown.steps import BF16, FP16, change, chop, fold, lanes, through, walk


class RmsBackward:
    """dx = rstd * (p - x * rstd^2 * mean(p*x)) with p = weight*grad; dweight sums grad*x*rstd."""

    def root(self, v: Any, eps: float) -> Any:
        return torch.rsqrt(v + eps)

    def product(self, grad: Any, weight: Any) -> Any:
        return grad * weight

    def projected(self, p: Any, grad: Any, x: Any) -> Any:
        return self.along(p, x) * (1.0 / x.shape[-1])

    def along(self, p: Any, x: Any) -> Any:
        return fold(p * x)

    def row(self, p: Any, x: Any, r: Any, share: Any) -> Any:
        return r * (p - x * (r * r * share))

    def added(self, dx: Any, through_norm: Any, dtype: Any) -> Any:
        return dx if through_norm is None else dx + through_norm.float()

    def normalised(self, x: Any, r: Any) -> Any:
        return x * r

    def over_rows(self, terms: Any) -> Any:
        return fold(terms.flatten(0, -2).T.contiguous())

    def store(self, y: Any, dtype: Any) -> Any:
        return y.to(dtype)

    def dweight(self, total: Any) -> Any:
        return total

    def both(self, grad: Any, x: Any, weight: Any, eps: float, extra: Any = None) -> Any:
        wide, g, self.like = x.float(), grad.float(), x.dtype
        r = self.root(fold(wide * wide) * (1.0 / x.shape[-1]), eps)[..., None]
        p = self.product(g, weight.float())
        dx = self.row(p, wide, r, self.projected(p, g, wide)[..., None])
        dweight = self.dweight(self.over_rows(g * self.normalised(wide, r)))
        return self.store(self.added(dx, extra, x.dtype), x.dtype), self.store(dweight, weight.dtype)

    def __call__(self, grad: Any, x: Any, weight: Any, eps: float) -> Any:
        return self.both(grad, x, weight, eps)


class AddedBackward(RmsBackward):
    """The residual's gradient joins dx."""

    def __call__(self, grad: Any, grad_residual: Any, x: Any, weight: Any, eps: float) -> Any:  # type: ignore[override]
        return self.both(grad, x, weight, eps, grad_residual)


class LayerBackward(RmsBackward):
    """dx = rstd * (p - mean(p) - c * rstd^2 * mean(p*c)) with c = x - mean(x)."""

    def first(self, p: Any) -> Any:
        return fold(p) * (1.0 / p.shape[-1])

    def variance(self, x: Any, c: Any) -> Any:
        return fold(c * c) * (1.0 / x.shape[-1])

    def centred(self, x: Any, c: Any) -> Any:
        return c

    def kept(self, statistic: Any, dtype: Any) -> Any:
        return statistic

    def __call__(self, grad: Any, x: Any, gamma: Any, eps: float) -> Any:  # type: ignore[override]
        wide, g, self.like = x.float(), grad.float(), x.dtype
        mean = (fold(wide) / x.shape[-1])[..., None]
        r = self.kept(self.root(self.variance(wide, wide - mean), eps)[..., None], x.dtype)
        c = wide - self.kept(mean, x.dtype)
        p = self.product(g, gamma.float())
        first = self.first(p if type(self).projected is not _unweighted else g)[..., None]
        dx = self.row(p - first, c, r, self.projected(p, g, c)[..., None])
        dgamma = self.dweight(self.over_rows(g * self.normalised(self.centred(wide, c), r)))
        dbeta = self.over_rows(g)
        return tuple(self.store(t, like.dtype) for t, like in ((dx, x), (dgamma, gamma), (dbeta, gamma)))


def _unweighted(self: Any, p: Any, grad: Any, x: Any) -> Any:
    return fold(grad * x) / x.shape[-1]


def _narrow(total: Any, dtype: Any) -> Any:
    return lambda self, p, x: total((p * x).to(dtype)).float()


def _share(factor: float) -> Any:
    return lambda self, p, grad, x: factor * self.along(p, x) / x.shape[-1]


def _over(extra: int) -> Any:
    return lambda self, p, grad, x: self.along(p, x) / (x.shape[-1] + extra)


_SHARED: dict[str, dict[str, Any]] = {
    "projection_bf16_sequential": {"along": _narrow(walk, BF16)},
    "projection_bf16_pairwise": {"along": _narrow(fold, BF16)},
    "projection_fp16_sequential": {"along": _narrow(walk, FP16)},
    "projection_fp16_pairwise": {"along": _narrow(fold, FP16)},
    "projection_dropped": {"projected": _share(0.0)},
    "projection_added": {"projected": _share(-1.0)},
    "projection_unweighted": {"projected": _unweighted},
    "projection_long": {"projected": _over(1)},
    "projection_short": {"projected": _over(-1)},
    "eps_dropped": {"root": lambda self, v, eps: torch.rsqrt(v)},
    "eps_outside_root": {"root": lambda self, v, eps: 1 / (torch.sqrt(v) + eps)},
    "product_bf16": {"product": lambda self, grad, weight: through(grad * weight, BF16)},
    "rows_stored": {"over_rows": lambda self, t: walk(t.flatten(0, -2).T.to(self.like)).float()},
    "row_rounded": {"normalised": lambda self, x, r: through(x * r, BF16)},
    "last_row_dropped": {"over_rows": lambda self, t: fold(t.flatten(0, -2)[:-1].T.contiguous())},
    "weight_gradient_missing": {"dweight": lambda self, total: torch.zeros_like(total)},
    "truncated": {"store": lambda self, y, dtype: chop(y, dtype)},
}
_POWER: dict[str, dict[str, Any]] = {
    "projection_power": {"row": lambda self, p, x, r, share: r * p - x * (r * r * share)},
}


def _both_through(self: Any, grad: Any, grad_residual: Any, x: Any, weight: Any, eps: float) -> Any:
    together = (grad.float() + grad_residual.float()).to(grad.dtype)
    return self.both(together, x, weight, eps)[0], self.both(grad, x, weight, eps)[1]


_ADDED: dict[str, dict[str, Any]] = {
    "residual_dropped": {"added": lambda self, dx, extra, dtype: dx},
    "residual_through_norm": {"__call__": _both_through},
    "rounded_before_sum": {"added": lambda self, dx, extra, dtype: through(dx, dtype) + extra.float()},
}
_LAYER: dict[str, dict[str, Any]] = {
    "mean_dropped": {"first": lambda self, p: torch.zeros_like(p[..., 0])},
    "statistics_stored": {"kept": lambda self, statistic, dtype: statistic.to(dtype).float()},
    "gamma_uncentred": {"centred": lambda self, x, c: x},
    "variance_moments": {
        "variance": lambda self, x, c: fold(x * x) / x.shape[-1] - (fold(x) / x.shape[-1]).square(),
    },
}
_FAITHFUL: dict[str, dict[str, Any]] = {
    "fold": {},
    "walk": {"along": lambda self, p, x: walk(p * x)},
    "lanes": {"along": lambda self, p, x: lanes(p * x, 32)},
    "library": {"over_rows": lambda self, t: t.flatten(0, -2).sum(0)},
}


def _kernels(kernel: type, *tables: dict[str, dict[str, Any]]) -> dict[str, Any]:
    return {name: change(kernel, **steps) for table in tables for name, steps in table.items()}


UNKNOWN_GRADIENTS = {
    "rms_norm_backward": _kernels(RmsBackward, _SHARED, _POWER),
    "layer_norm_backward": _kernels(LayerBackward, _SHARED, _LAYER),
    "add_rms_norm_backward": _kernels(AddedBackward, _SHARED, _POWER, _ADDED),
}
CORRECT_GRADIENTS = {
    op: _kernels(kernel, _FAITHFUL)
    for op, kernel in (
        ("rms_norm_backward", RmsBackward),
        ("layer_norm_backward", LayerBackward),
        ("add_rms_norm_backward", AddedBackward),
    )
}
