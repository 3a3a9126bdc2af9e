"""The sum of squares is exactly rounded, by math.fsum."""

import math

import numpy as np


def rms_norm(x, weight, eps):
    result = np.empty(x.shape, x.dtype)
    for index in np.ndindex(x.shape[:-1]):
        row = x[index].astype(np.float64)
        rms = math.sqrt(math.fsum(row * row) / row.size + eps)
        result[index] = row * weight / rms
    return result
