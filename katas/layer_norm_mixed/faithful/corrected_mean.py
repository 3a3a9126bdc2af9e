"""The mean is taken twice, the second time of what the first left over; root and quotient are one power."""

import numpy as np


def layer_norm(x, gamma, beta, eps):
    values = x.astype(np.float32)
    rough = values - np.mean(values, axis=-1, keepdims=True)
    centred = rough - np.mean(rough, axis=-1, keepdims=True)
    variance = np.linalg.norm(centred, axis=-1, keepdims=True) ** 2 / np.float32(x.shape[-1])
    normalised = centred * (variance + np.float32(eps)) ** np.float32(-0.5)
    return (gamma.astype(np.float32) * normalised + beta.astype(np.float32)).astype(x.dtype)
