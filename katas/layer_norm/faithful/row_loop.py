"""One row at a time, the sum of squares a dot product."""

import numpy as np


def layer_norm(x, gamma, beta, eps):
    wide = np.promote_types(x.dtype, np.float32)
    scale, shift = gamma.astype(wide), beta.astype(wide)
    rows = x.astype(wide).reshape(-1, x.shape[-1])
    result = np.empty_like(rows)
    for row, target in zip(rows, result, strict=True):
        deviations = row - row.sum() / row.size
        std = np.sqrt(np.dot(deviations, deviations) / row.size + wide.type(eps))
        target[:] = deviations / std * scale + shift
    return result.reshape(x.shape).astype(x.dtype)
