"""Gradients of RMSNorm in PyTorch, by autograd through the forward pass in float32."""

import torch


def rms_norm_backward(grad, x, weight, eps):
    """Returns (dx, dweight). grad, x: (..., n) tensors; weight: (n,)."""
    wide = torch.promote_types(x.dtype, torch.float32)
    with torch.enable_grad():
        leaves = [each.detach().to(wide).requires_grad_() for each in (x, weight)]
        rows, scale = leaves
        y = scale * (rows * torch.rsqrt(rows.square().mean(-1, keepdim=True) + eps))
        dx, dweight = torch.autograd.grad(y, leaves, grad.to(wide))
    return dx.to(x.dtype), dweight.to(weight.dtype)
