"""Divides by the largest magnitude before squaring, so that no square can overflow."""

import numpy as np


def rms_norm(x, weight, eps):
    wide = np.promote_types(x.dtype, np.float32)
    values = x.astype(wide)
    largest = np.max(np.abs(values), axis=-1, keepdims=True)
    largest = np.where(largest == 0, 1, largest)
    scaled = values / largest
    mean_square = largest * largest * np.mean(scaled * scaled, axis=-1, keepdims=True)
    return (values / np.sqrt(mean_square + eps) * weight.astype(wide)).astype(x.dtype)
