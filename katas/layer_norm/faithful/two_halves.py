"""Even and odd columns are summed apart and then together, as two lanes of a vector unit would."""

import numpy as np


def layer_norm(x, gamma, beta, eps):
    wide = np.promote_types(x.dtype, np.float32)
    values = x.astype(wide)
    centred = values - _mean(values)
    normalised = centred / np.sqrt(_mean(centred * centred) + eps)
    return (normalised * gamma.astype(wide) + beta.astype(wide)).astype(x.dtype)


def _mean(values):
    even = values[..., 0::2].sum(axis=-1, keepdims=True)
    odd = values[..., 1::2].sum(axis=-1, keepdims=True)
    return (even + odd) / values.shape[-1]
