"""RMSNorm in PyTorch, under the contract of spec.py: statistics in float32, one rounding."""

import torch


def rms_norm(x, weight, eps):
    """Normalise the last axis of `x` by its root mean square. x: (..., n) tensor; weight: (n,)."""
    wide = torch.promote_types(x.dtype, torch.float32)
    x_wide = x.to(wide)
    rstd = torch.rsqrt(x_wide.square().mean(-1, keepdim=True) + eps)
    return (x_wide * rstd * weight.to(wide)).to(x.dtype)
