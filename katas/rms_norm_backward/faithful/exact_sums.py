"""Row by row and column by column, every sum exactly rounded by math.fsum."""

import math

import numpy as np


def rms_norm_backward(grad, x, weight, eps):
    n = x.shape[-1]
    scale = weight.astype(np.float64)
    dx = np.empty(x.shape, x.dtype)
    shares = [[] for _ in range(n)]
    for index in np.ndindex(x.shape[:-1]):
        row, up = x[index].astype(np.float64), grad[index].astype(np.float64)
        rstd = 1 / math.sqrt(math.fsum(row * row) / n + eps)
        slope = math.fsum(scale * up * row) / n * rstd**3
        dx[index] = scale * up * rstd - row * slope
        for column, share in enumerate(up * row * rstd):
            shares[column].append(share)
    return dx, np.array([math.fsum(column) for column in shares]).astype(weight.dtype)
