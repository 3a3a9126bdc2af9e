"""Rotary position embedding (Su et al., 2021) in the layout of Llama: element i is paired with i + dim/2."""

import numpy as np


def rope(x, positions, base):
    """Turn each pair of elements by an angle that grows with the position.

    x: (..., seq, dim) floating array, dim even; positions: (seq,) integers below 2^24; base: float, as 1e4.
    Returns an array of x's shape and dtype. Pair i turns by position * base^(-2i/dim); angles, tables and
    products are kept in at least float32 and the result is rounded once.
    """
    wide = np.promote_types(x.dtype, np.float32)
    dim = x.shape[-1]
    exponents = np.arange(0, dim, 2).astype(wide) / dim
    frequencies = 1 / wide.type(base) ** exponents
    angles = positions.astype(wide)[:, None] * frequencies
    cos, sin = np.cos(angles), np.sin(angles)
    first, second = np.split(x.astype(wide), 2, axis=-1)
    turned = np.concatenate([first * cos - second * sin, second * cos + first * sin], axis=-1)
    return turned.astype(x.dtype)
