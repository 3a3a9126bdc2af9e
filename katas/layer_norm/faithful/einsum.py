"""Both sums are contractions: with a vector of ones, and of the deviations with themselves."""

import numpy as np


def layer_norm(x, gamma, beta, eps):
    values = x.astype(np.promote_types(x.dtype, np.float32))
    n = values.shape[-1]
    mean = np.einsum("...i,i->...", values, np.ones(n, values.dtype)) / n
    centred = values - mean[..., None]
    variance = np.einsum("...i,...i->...", centred, centred) / n
    normalised = centred / np.sqrt(variance + eps)[..., None]
    return (normalised * gamma.astype(values.dtype) + beta.astype(values.dtype)).astype(x.dtype)
