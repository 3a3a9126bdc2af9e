"""Rotary position embedding in PyTorch, under the contract of spec.py: halves are paired, one rounding."""

import torch


def rope(x, positions, base):
    """Turn each pair of elements. x: (..., seq, dim) tensor; positions: (seq,) integers; base: float."""
    wide = torch.promote_types(x.dtype, torch.float32)
    dim = x.shape[-1]
    frequencies = base ** -(torch.arange(0, dim, 2, dtype=wide, device=x.device) / dim)
    angles = torch.outer(positions.to(wide), frequencies)
    first, second = x.to(wide).chunk(2, dim=-1)
    turned = (first * angles.cos() - second * angles.sin(), second * angles.cos() + first * angles.sin())
    return torch.cat(turned, dim=-1).to(x.dtype)
