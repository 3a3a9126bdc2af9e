"""LayerNorm in PyTorch, under the contract of spec.py: two passes, statistics in float32, one rounding."""

import torch


def layer_norm(x, gamma, beta, eps):
    """Centre and scale the last axis of `x`. x: (..., n) tensor; gamma, beta: (n,)."""
    wide = torch.promote_types(x.dtype, torch.float32)
    x_wide = x.to(wide)
    centred = x_wide - x_wide.mean(-1, keepdim=True)
    rstd = torch.rsqrt(centred.square().mean(-1, keepdim=True) + eps)
    return (centred * rstd * gamma.to(wide) + beta.to(wide)).to(x.dtype)
