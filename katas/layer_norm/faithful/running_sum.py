"""Adds one column after the other, from the last to the first."""

import numpy as np


def layer_norm(x, gamma, beta, eps):
    wide = np.promote_types(x.dtype, np.float32)
    values = x.astype(wide)
    centred = values - _total(values) / x.shape[-1]
    normalised = centred / np.sqrt(_total(np.square(centred)) / x.shape[-1] + eps)
    scaled = np.multiply(normalised, gamma, dtype=wide, casting="unsafe")
    return np.add(scaled, beta, dtype=wide, casting="unsafe").astype(x.dtype)


def _total(values):
    return np.add.accumulate(values[..., ::-1], axis=-1)[..., -1:]
