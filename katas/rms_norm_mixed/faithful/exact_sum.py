"""One row at a time, the sum of squares exactly rounded by math.fsum."""

import math

import numpy as np


def rms_norm(x, weight, eps):
    result = np.empty(x.shape, x.dtype)
    factor = weight.astype(np.float32)
    for index in np.ndindex(x.shape[:-1]):
        row = x[index].astype(np.float32)
        rstd = 1 / math.sqrt(math.fsum(float(value) ** 2 for value in row) / row.size + eps)
        result[index] = (row * np.float32(rstd)).astype(x.dtype).astype(np.float32) * factor
    return result
