"""The sum of squares is a contraction; the last product is the narrow type's own arithmetic."""

import numpy as np


def rms_norm(x, weight, eps):
    values = x.astype(np.float32)
    mean_square = np.einsum("...i,...i->...", values, values) / np.float32(x.shape[-1])
    normalised = (values * (mean_square + np.float32(eps))[..., None] ** np.float32(-0.5)).astype(x.dtype)
    product = normalised * weight if x.dtype == weight.dtype else normalised.astype(np.float32) * weight
    return product.astype(x.dtype)
