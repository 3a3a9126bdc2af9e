"""Blocks of 32 columns are summed each on its own in float32; lanes beyond the row hold zero in both sums."""

import numpy as np

LANES = 32


def in_blocks(values):
    spare = [(0, 0)] * (values.ndim - 1) + [(0, -values.shape[-1] % LANES)]
    blocks = np.pad(values, spare).reshape(*values.shape[:-1], -1, LANES)
    return blocks.sum(axis=-2, dtype=np.float32).sum(axis=-1, dtype=np.float32, keepdims=True)


def layer_norm(x, gamma, beta, eps):
    values, share = x.astype(np.float32), np.float32(1 / x.shape[-1])
    centred = values - in_blocks(values) * share
    rstd = np.reciprocal(np.sqrt(in_blocks(np.square(centred)) * share + np.float32(eps)))
    scaled = np.multiply(centred * rstd, gamma, dtype=np.float32)
    return np.add(scaled, beta, dtype=np.float32).astype(x.dtype)
