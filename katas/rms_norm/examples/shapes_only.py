"""A suite that checks shapes and types, and no value."""

import numpy as np
import pytest
from rms_norm import rms_norm


@pytest.mark.parametrize("shape", [(48,), (1, 48), (4, 48), (2, 3, 48)])
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_shape_and_dtype(shape, dtype):
    x = np.random.default_rng(0).standard_normal(shape).astype(dtype)
    y = rms_norm(x, np.ones(shape[-1], dtype), 1e-6)
    assert y.shape == shape
    assert y.dtype == dtype
