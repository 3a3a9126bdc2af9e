"""Residual addition fused with RMSNorm, as it stands before every block of a pre-norm transformer."""

import numpy as np


def add_rms_norm(x, residual, weight, eps):
    """Add `x` to the residual stream and normalise the sum.

    x, residual: (..., n) floating arrays of one dtype; weight: (n,); eps: positive float.
    Returns (y, updated residual), both of x's shape and dtype. The sum is rounded to that dtype before it is
    normalised, so that the norm sees exactly what the residual stream carries on. Statistics are kept in at
    least float32.
    """
    wide = np.promote_types(x.dtype, np.float32)
    summed = x.astype(wide) + residual.astype(wide)
    updated = summed.astype(x.dtype)
    stream = updated.astype(wide)
    mean_square = np.mean(stream * stream, axis=-1, keepdims=True)
    normalised = stream / np.sqrt(mean_square + eps)
    scaled = normalised * weight.astype(wide)
    return scaled.astype(x.dtype), updated
