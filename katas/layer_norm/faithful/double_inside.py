"""Everything in float64, whatever comes in."""

import numpy as np


def layer_norm(x, gamma, beta, eps):
    values = np.asarray(x, np.float64)
    centred = values - np.average(values, axis=-1)[..., None]
    power = np.average(centred**2, axis=-1)[..., None]
    scale, shift = np.asarray(gamma, np.float64), np.asarray(beta, np.float64)
    return (centred * (power + eps) ** -0.5 * scale + shift).astype(x.dtype)
