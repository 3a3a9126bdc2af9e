"""The root mean square is the vector norm over sqrt(n); epsilon joins it as the other leg of a triangle."""

import math

import numpy as np


def rms_norm(x, weight, eps):
    wide = np.promote_types(x.dtype, np.float32)
    values = x.astype(wide)
    length = np.linalg.norm(values, axis=-1, keepdims=True)
    rms = np.hypot(length / math.sqrt(x.shape[-1]), math.sqrt(eps))
    return (weight.astype(wide) * (values / rms)).astype(x.dtype)
