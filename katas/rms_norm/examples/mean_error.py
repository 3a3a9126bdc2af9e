"""A suite that compares the mean error on N(0,1) rows, with a weight of ones, against 1e-3."""

import numpy as np
import pytest
from rms_norm import rms_norm


@pytest.mark.parametrize("rows", [1, 4, 64])
@pytest.mark.parametrize("width", [64, 256, 1024])
def test_mean_error(rows, width):
    x = np.random.default_rng(0).standard_normal((rows, width)).astype(np.float32)
    y = rms_norm(x, np.ones(width, np.float32), 1e-6)
    expected = x / np.sqrt(np.mean(x**2, axis=-1, keepdims=True) + 1e-6)
    assert np.mean(np.abs(y - expected)) < 1e-3
