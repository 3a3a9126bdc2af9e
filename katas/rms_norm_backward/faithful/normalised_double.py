"""In terms of the normalised row, as frameworks write it, in float64: the projection is a plain cosine."""

import numpy as np


def rms_norm_backward(grad, x, weight, eps):
    values, g = x.astype(np.float64), grad.astype(np.float64)
    rms = np.sqrt(np.mean(values**2, axis=-1, keepdims=True) + eps)
    normalised = values / rms
    through = g * weight.astype(np.float64)
    dx = (through - normalised * np.mean(through * normalised, axis=-1, keepdims=True)) / rms
    dweight = (g * normalised).reshape(-1, x.shape[-1]).sum(axis=0)
    return dx.astype(x.dtype), dweight.astype(weight.dtype)
