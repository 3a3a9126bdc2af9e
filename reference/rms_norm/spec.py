"""RMSNorm (Zhang and Sennrich, 2019): y = weight * x / sqrt(mean(x^2) + eps)."""

import numpy as np


def rms_norm(x, weight, eps):
    """Normalise the last axis of `x` by its root mean square and scale it.

    x: (..., n) floating array; weight: (n,); eps: positive float, in units of x squared.
    Returns an array of x's shape and dtype. Statistics are kept in at least float32.
    """
    wide = np.promote_types(x.dtype, np.float32)
    x_wide = x.astype(wide)
    mean_square = np.mean(x_wide * x_wide, axis=-1, keepdims=True)
    normalised = x_wide / np.sqrt(mean_square + eps)
    scaled = normalised * weight.astype(wide)
    return scaled.astype(x.dtype)
