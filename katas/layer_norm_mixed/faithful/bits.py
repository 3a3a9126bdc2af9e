"""bfloat16 is read and written as the upper half of a float32's bits, rounded by integer arithmetic."""

import ml_dtypes
import numpy as np


def layer_norm(x, gamma, beta, eps):
    values = widened(x)
    ones = np.ones(values.shape[-1], np.float32)
    centred = values - (values @ ones / ones.size)[..., None]
    variance = np.vecdot(centred, centred) / ones.size
    slope = widened(gamma) / np.sqrt(variance + eps)[..., None]
    return narrowed(centred * slope + widened(beta), x.dtype)


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
