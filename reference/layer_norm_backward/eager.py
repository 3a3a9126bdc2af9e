"""Gradients of LayerNorm in PyTorch, by autograd through the forward pass in float32."""

import torch


def layer_norm_backward(grad, x, gamma, eps):
    """Returns (dx, dgamma, dbeta). grad, x: (..., n) tensors; gamma: (n,)."""
    wide = torch.promote_types(x.dtype, torch.float32)
    with torch.enable_grad():
        leaves = [each.detach().to(wide).requires_grad_() for each in (x, gamma, torch.zeros_like(gamma))]
        rows, scale, shift = leaves
        y = torch.nn.functional.layer_norm(rows, rows.shape[-1:], scale, shift, eps)
        dx, dgamma, dbeta = torch.autograd.grad(y, leaves, grad.to(wide))
    return dx.to(x.dtype), dgamma.to(gamma.dtype), dbeta.to(gamma.dtype)
