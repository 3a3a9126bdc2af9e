"""Sums run from the last column and the last row to the first; rstd is factored out of dx."""

import numpy as np


def backwards(terms):
    total = np.zeros_like(terms[0])
    for term in terms[::-1]:
        total = total + term
    return total


def rms_norm_backward(grad, x, weight, eps):
    n, wide = x.shape[-1], np.promote_types(x.dtype, np.float32)
    columns, up = (np.moveaxis(part, -1, 0).astype(wide) for part in (x, grad))
    through = up * weight.astype(wide).reshape(-1, *[1] * (x.ndim - 1))
    rstd = np.reciprocal(np.sqrt(backwards(columns * columns) / wide.type(n) + wide.type(eps)))
    slope = backwards(through * columns) / wide.type(n) * (rstd * rstd)
    dx = rstd * (through - columns * slope)
    dweight = backwards((up * columns * rstd).reshape(n, -1).T)
    return np.moveaxis(dx, 0, -1).astype(x.dtype), dweight.astype(weight.dtype)
