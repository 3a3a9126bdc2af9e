"""Both reductions are matrix products with vectors: rows against ones, and rstd against grad * x."""

import numpy as np


def rms_norm_backward(grad, x, weight, eps):
    n = x.shape[-1]
    wide = np.promote_types(x.dtype, np.float32)
    rows, upstream = (np.ascontiguousarray(part).reshape(-1, n).astype(wide) for part in (x, grad))
    mean = np.full(n, 1, wide)
    rstd = (np.square(rows) @ mean / wide.type(n) + wide.type(eps)) ** wide.type(-0.5)
    products = upstream * rows
    projection = products @ weight.astype(wide) / wide.type(n)
    dx = np.multiply(upstream * weight.astype(wide), rstd[:, None])
    dx -= rows * (projection * rstd**3)[:, None]
    return dx.reshape(x.shape).astype(x.dtype), (rstd @ products).astype(weight.dtype)
