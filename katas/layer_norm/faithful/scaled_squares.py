"""Divides by the largest deviation before squaring, so that no square can overflow."""

import numpy as np


def layer_norm(x, gamma, beta, eps):
    wide = np.promote_types(x.dtype, np.float32)
    centred = x.astype(wide)
    centred -= np.mean(centred, axis=-1, keepdims=True)
    largest = np.max(np.abs(centred), axis=-1, keepdims=True)
    largest = np.where(largest == 0, 1, largest)
    scaled = centred / largest
    variance = largest * largest * np.mean(scaled * scaled, axis=-1, keepdims=True)
    return (centred / np.sqrt(variance + eps) * gamma.astype(wide) + beta.astype(wide)).astype(x.dtype)
