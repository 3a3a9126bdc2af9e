"""Everything between the two roundings is float64."""

import numpy as np


def rms_norm(x, weight, eps):
    values = x.astype(np.float64)
    rms = np.sqrt(np.mean(values**2, axis=-1, keepdims=True) + eps)
    normalised = (values / rms).astype(x.dtype)
    return (normalised.astype(np.float64) * weight.astype(np.float64)).astype(x.dtype)
