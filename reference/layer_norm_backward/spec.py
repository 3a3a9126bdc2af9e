"""Gradients of LayerNorm, y = gamma * (x - mean) * rstd + beta with rstd = 1 / sqrt(variance + eps)."""

import numpy as np


def layer_norm_backward(grad, x, gamma, eps):
    """Gradients of a loss with respect to `x`, `gamma` and `beta`, given `grad`, the one with respect to y.

    grad, x: (..., n) floating arrays of one dtype; gamma: (n,); eps: positive float, as in the forward pass.
    Returns (dx, dgamma, dbeta), dx of x's shape and dtype, the others of gamma's. Sums run over raw products
    with the centred values, rstd is applied after; all is kept in at least float32 and rounded once.
    """
    wide = np.promote_types(x.dtype, np.float32)
    x_wide, grad_wide = x.astype(wide), grad.astype(wide)
    centred = x_wide - np.mean(x_wide, axis=-1, keepdims=True)
    variance = np.mean(centred * centred, axis=-1, keepdims=True)
    rstd = 1 / np.sqrt(variance + eps)
    scaled = grad_wide * gamma.astype(wide)
    shift = np.mean(scaled, axis=-1, keepdims=True)
    projection = np.mean(scaled * centred, axis=-1, keepdims=True)
    dx = rstd * (scaled - shift - centred * (projection * rstd * rstd))
    rows = tuple(range(x.ndim - 1))
    dgamma = np.sum(grad_wide * (centred * rstd), axis=rows)
    dbeta = np.sum(grad_wide, axis=rows)
    return dx.astype(x.dtype), dgamma.astype(gamma.dtype), dbeta.astype(gamma.dtype)
