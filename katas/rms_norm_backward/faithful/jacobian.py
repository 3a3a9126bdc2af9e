"""dx is the product of the row's Jacobian, built in full and in float64, with weight * grad."""

import numpy as np


def rms_norm_backward(grad, x, weight, eps):
    n = x.shape[-1]
    rows, upstream = (part.astype(np.float64).reshape(-1, n) for part in (x, grad))
    scale = weight.astype(np.float64)
    dx, dweight = np.empty(rows.shape), np.zeros(n)
    for index, (row, up) in enumerate(zip(rows, upstream, strict=True)):
        rstd = 1 / np.sqrt(row @ row / n + eps)
        jacobian = rstd * np.identity(n) - np.outer(row, row) * (rstd**3 / n)
        dx[index] = jacobian.T @ (scale * up)
        dweight += up * row * rstd
    return dx.reshape(x.shape).astype(x.dtype), dweight.astype(weight.dtype)
