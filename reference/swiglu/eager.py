"""SwiGLU's elementwise part in PyTorch, under the contract of spec.py: one rounding."""

import torch


def swiglu(gate, up):
    """silu(gate) * up. gate, up: (..., n) tensors of one dtype."""
    wide = torch.promote_types(gate.dtype, torch.float32)
    return (torch.nn.functional.silu(gate.to(wide)) * up.to(wide)).to(gate.dtype)
