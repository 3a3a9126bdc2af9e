"""LayerNorm (Ba, Kiros and Hinton, 2016): y = gamma * (x - mean) / sqrt(variance + eps) + beta."""

import numpy as np


def layer_norm(x, gamma, beta, eps):
    """Centre the last axis of `x`, divide by its standard deviation, scale and shift it.

    x: (..., n) floating array; gamma, beta: (n,); eps: positive float, in units of x squared.
    Returns an array of x's shape and dtype. Statistics are kept in at least float32; the variance
    is the population's (divided by n) and is taken in a second pass over the centred values.
    """
    wide = np.promote_types(x.dtype, np.float32)
    x_wide = x.astype(wide)
    mean = np.mean(x_wide, axis=-1, keepdims=True)
    centred = x_wide - mean
    variance = np.mean(centred * centred, axis=-1, keepdims=True)
    normalised = centred / np.sqrt(variance + eps)
    scaled = normalised * gamma.astype(wide)
    shifted = scaled + beta.astype(wide)
    return shifted.astype(x.dtype)
