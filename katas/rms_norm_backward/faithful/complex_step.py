"""Differentiates the forward pass by a complex step, one column at a time: no formula for dx is used.

The imaginary part of f(x + ih) is h times the derivative, and nothing is subtracted, so h may be tiny.
"""

import numpy as np

STEP = 1e-200


def loss(grad, x, weight, eps):
    rms = np.sqrt(np.mean(x * x, axis=-1, keepdims=True) + eps)
    return np.sum(grad * weight * x / rms, axis=-1)


def rms_norm_backward(grad, x, weight, eps):
    g, scale, point = grad.astype(np.float64), weight.astype(np.float64), x.astype(np.complex128)
    dx, dweight = np.empty(x.shape), np.empty(weight.shape)
    for column in range(x.shape[-1]):
        moved = point.copy()
        moved[..., column] += 1j * STEP
        dx[..., column] = loss(g, moved, scale, eps).imag / STEP
        only = np.zeros_like(scale)
        only[column] = 1
        dweight[column] = loss(g, point, only, eps).real.sum()
    return dx.astype(x.dtype), dweight.astype(weight.dtype)
