"""Divides by the largest magnitude before squaring; epsilon is divided by its square as well."""

import numpy as np


def rms_norm(x, weight, eps):
    values = x.astype(np.float32)
    largest = np.abs(values).max(axis=-1, keepdims=True)
    largest[largest == 0] = 1
    fractions = values / largest
    rms = largest * np.sqrt(np.mean(fractions * fractions, axis=-1, keepdims=True) + eps / largest / largest)
    rounded = (values / rms).astype(x.dtype)
    return (weight.astype(np.float32) * rounded.astype(np.float32)).astype(x.dtype)
