"""Gradients of residual addition and RMSNorm in PyTorch, by autograd through float32."""

import torch


def add_rms_norm_backward(grad, grad_residual, x, weight, eps):
    """Returns (dx, dweight). grad, grad_residual, x (the updated residual): (..., n); weight: (n,)."""
    wide = torch.promote_types(x.dtype, torch.float32)
    with torch.enable_grad():
        leaves = [each.detach().to(wide).requires_grad_() for each in (x, weight)]
        rows, scale = leaves
        y = scale * (rows * torch.rsqrt(rows.square().mean(-1, keepdim=True) + eps))
        dx, dweight = torch.autograd.grad(y, leaves, grad.to(wide))
    dx = dx + grad_residual.to(wide)
    return dx.to(x.dtype), dweight.to(weight.dtype)
