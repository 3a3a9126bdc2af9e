"""bfloat16 is read and written as the upper half of a float32's bits, rounded by integer arithmetic."""

import ml_dtypes
import numpy as np


def rms_norm(x, weight, eps):
    values = widened(x)
    mean_square = np.vecdot(values, values)[..., None] / values.shape[-1]
    normalised = narrowed(values / np.sqrt(mean_square + eps), x.dtype)
    return narrowed(widened(normalised) * widened(weight), x.dtype)


def widened(array):
    if array.dtype != ml_dtypes.bfloat16:
        return array.astype(np.float32)
    return (np.ascontiguousarray(array).view(np.uint16).astype(np.uint32) << 16).view(np.float32)


def narrowed(array, dtype):
    if dtype != ml_dtypes.bfloat16:
        return array.astype(dtype)
    bits = array.view(np.uint32)
    rounded = bits + 0x7FFF + ((bits >> 16) & 1)
    return (rounded >> 16).astype(np.uint16).view(dtype)
