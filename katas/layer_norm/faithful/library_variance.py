"""Leaves the statistics to np.mean and np.var, which centres on its own."""

import numpy as np


def layer_norm(x, gamma, beta, eps):
    values = x.astype(np.promote_types(x.dtype, np.float32))
    std = np.sqrt(np.var(values, axis=-1, keepdims=True) + eps)
    normalised = (values - values.mean(axis=-1, keepdims=True)) / std
    return (beta.astype(values.dtype) + gamma.astype(values.dtype) * normalised).astype(x.dtype)
