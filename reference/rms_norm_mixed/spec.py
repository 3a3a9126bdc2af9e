"""RMSNorm of 16-bit rows as Llama computes it: statistics in float32, and two roundings to the row's type."""

import numpy as np


def rms_norm(x, weight, eps):
    """Normalise the last axis of `x`, round to its type, scale, and round again.

    x: (..., n) in float16, bfloat16 or float32; weight: (n,), one of these types, not always that of x;
    eps: positive float, in units of x squared. Returns an array of x's shape and dtype.
    """
    x_wide = x.astype(np.float32)
    squares = x_wide * x_wide
    mean_square = np.mean(squares, axis=-1, keepdims=True)
    rstd = 1 / np.sqrt(mean_square + eps)
    normalised = (x_wide * rstd).astype(x.dtype)
    scaled = normalised.astype(np.float32) * weight.astype(np.float32)
    return scaled.astype(x.dtype)
