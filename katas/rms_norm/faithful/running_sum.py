"""Adds the squares one after the other, from the last column to the first."""

import numpy as np


def rms_norm(x, weight, eps):
    wide = np.promote_types(x.dtype, np.float32)
    values = x.astype(wide)
    squares = np.square(values)[..., ::-1]
    total = np.add.accumulate(squares, axis=-1)[..., -1:]
    normalised = np.divide(values, np.sqrt(total / x.shape[-1] + eps))
    return np.multiply(normalised, weight, dtype=wide, casting="unsafe").astype(x.dtype)
