"""Both sums are exactly rounded, by math.fsum."""

import math

import numpy as np


def layer_norm(x, gamma, beta, eps):
    result = np.empty(x.shape, x.dtype)
    for index in np.ndindex(x.shape[:-1]):
        row = x[index].astype(np.float64)
        centred = row - math.fsum(row) / row.size
        std = math.sqrt(math.fsum(centred * centred) / row.size + eps)
        result[index] = centred * gamma / std + beta
    return result
