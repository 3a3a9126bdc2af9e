"""Everything in float64, whatever comes in."""

import numpy as np


def rms_norm(x, weight, eps):
    values = np.asarray(x, np.float64)
    power = np.average(values**2, axis=-1)
    result = values * np.asarray(weight, np.float64) * np.expand_dims((power + eps) ** -0.5, -1)
    return result.astype(x.dtype)
