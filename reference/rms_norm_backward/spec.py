"""Gradients of RMSNorm, y = weight * x * rstd with rstd = 1 / sqrt(mean(x^2) + eps)."""

import numpy as np


def rms_norm_backward(grad, x, weight, eps):
    """Gradients of a loss with respect to `x` and `weight`, given `grad`, the one with respect to y.

    grad, x: (..., n) floating arrays of one dtype; weight: (n,); eps: positive float, as in the forward pass.
    Returns (dx, dweight), of x's and weight's shape and dtype. Sums run over raw products, rstd is applied
    after; all is kept in at least float32, across rows too, and rounded once.
    """
    wide = np.promote_types(x.dtype, np.float32)
    x_wide, grad_wide = x.astype(wide), grad.astype(wide)
    mean_square = np.mean(x_wide * x_wide, axis=-1, keepdims=True)
    rstd = 1 / np.sqrt(mean_square + eps)
    scaled = grad_wide * weight.astype(wide)
    projection = np.mean(scaled * x_wide, axis=-1, keepdims=True)
    dx = rstd * scaled - x_wide * (projection * rstd * rstd * rstd)
    rows = tuple(range(x.ndim - 1))
    dweight = np.sum(grad_wide * (x_wide * rstd), axis=rows)
    return dx.astype(x.dtype), dweight.astype(weight.dtype)
