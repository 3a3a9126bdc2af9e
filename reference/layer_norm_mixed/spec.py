"""LayerNorm of 16-bit rows: statistics, scale and shift in float32, and one rounding to the row's type."""

import numpy as np


def layer_norm(x, gamma, beta, eps):
    """Centre the last axis of `x`, divide by its standard deviation, scale, shift, and round to its type.

    x: (..., n) in float16, bfloat16 or float32; gamma, beta: (n,), each in one of these types, not always
    that of x; eps: positive float, in units of x squared. Returns an array of x's shape and dtype. The
    variance is the population's, taken in a second pass over the centred values.
    """
    x_wide = x.astype(np.float32)
    mean = np.mean(x_wide, axis=-1, keepdims=True)
    centred = x_wide - mean
    squares = centred * centred
    variance = np.mean(squares, axis=-1, keepdims=True)
    rstd = 1 / np.sqrt(variance + eps)
    normalised = centred * rstd
    scaled = normalised * gamma.astype(np.float32)
    shifted = scaled + beta.astype(np.float32)
    return shifted.astype(x.dtype)
