"""One row at a time, both sums exactly rounded by math.fsum."""

import math

import numpy as np


def layer_norm(x, gamma, beta, eps):
    result = np.empty(x.shape, x.dtype)
    scale, shift = gamma.astype(np.float64), beta.astype(np.float64)
    for index in np.ndindex(x.shape[:-1]):
        row = x[index].astype(np.float64)
        centred = row - math.fsum(row) / row.size
        variance = math.fsum(centred * centred) / row.size
        result[index] = shift + scale * centred / math.sqrt(variance + eps)
    return result
