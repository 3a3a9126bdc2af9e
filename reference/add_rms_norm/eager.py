"""Residual addition and RMSNorm in PyTorch, under the contract of spec.py: the sum is rounded first."""

import torch


def add_rms_norm(x, residual, weight, eps):
    """Returns (y, updated residual). x, residual: (..., n) tensors of one dtype; weight: (n,)."""
    wide = torch.promote_types(x.dtype, torch.float32)
    updated = x + residual
    stream = updated.to(wide)
    rstd = torch.rsqrt(stream.square().mean(-1, keepdim=True) + eps)
    return (stream * rstd * weight.to(wide)).to(x.dtype), updated
