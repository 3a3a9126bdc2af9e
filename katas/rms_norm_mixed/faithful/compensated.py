"""Column after column, with Kahan's compensation, in float32."""

import numpy as np


def rms_norm(x, weight, eps):
    columns = np.moveaxis(x, -1, 0).astype(np.float32)
    total = np.zeros(columns.shape[1:], np.float32)
    lost = np.zeros_like(total)
    for column in columns:
        term = column * column - lost
        grown = total + term
        lost = (grown - total) - term
        total = grown
    rstd = 1 / np.sqrt(total / np.float32(len(columns)) + np.float32(eps))
    rows = np.moveaxis((columns * rstd).astype(x.dtype), 0, -1)
    return (rows.astype(np.float32) * weight.astype(np.float32)).astype(x.dtype)
