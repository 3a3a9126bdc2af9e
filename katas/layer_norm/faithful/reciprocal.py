"""Multiplies by the reciprocal root, and folds it into the scale first, as a fused kernel may."""

import numpy as np


def layer_norm(x, gamma, beta, eps):
    wide = np.promote_types(x.dtype, np.float32)
    values = x.astype(wide)
    centred = values - np.mean(values, axis=-1, keepdims=True)
    rstd = 1 / np.sqrt(np.mean(np.square(centred), axis=-1, keepdims=True) + eps)
    return (centred * (rstd * gamma.astype(wide)) + beta.astype(wide)).astype(x.dtype)
