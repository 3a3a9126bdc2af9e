"""Gradients of the residual addition fused with RMSNorm."""

import numpy as np


def add_rms_norm_backward(grad, grad_residual, x, weight, eps):
    """Gradients with respect to both summands, which are equal, and to `weight`.

    grad: (..., n), the gradient of y; grad_residual: (..., n), that of the updated residual; x: (..., n), the
    updated residual, which is what was normalised; weight: (n,); eps: positive float.
    Returns (dx, dweight), of x's and weight's shape and dtype. The residual's gradient passes by the norm and
    is added to what comes through it, before the one rounding; all is kept in at least float32.
    """
    wide = np.promote_types(x.dtype, np.float32)
    x_wide, grad_wide = x.astype(wide), grad.astype(wide)
    mean_square = np.mean(x_wide * x_wide, axis=-1, keepdims=True)
    rstd = 1 / np.sqrt(mean_square + eps)
    scaled = grad_wide * weight.astype(wide)
    projection = np.mean(scaled * x_wide, axis=-1, keepdims=True)
    through_norm = rstd * scaled - x_wide * (projection * rstd * rstd * rstd)
    dx = through_norm + grad_residual.astype(wide)
    rows = tuple(range(x.ndim - 1))
    dweight = np.sum(grad_wide * (x_wide * rstd), axis=rows)
    return dx.astype(x.dtype), dweight.astype(weight.dtype)
