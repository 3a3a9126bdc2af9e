"""Everything before the rounding is float64."""

import numpy as np


def layer_norm(x, gamma, beta, eps):
    values, scale, shift = (part.astype(np.float64) for part in (x, gamma, beta))
    centred = values - values.mean(axis=-1, keepdims=True)
    deviation = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + eps)
    return (centred / deviation * scale + shift).astype(x.dtype)
