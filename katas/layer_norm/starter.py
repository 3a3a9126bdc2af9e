"""Your suite for LayerNorm. Run it with `kata run`; it runs under plain `pytest` too."""

import numpy as np
from layer_norm import layer_norm


def test_a_row_worked_out_by_hand():
    x = np.array([[7, 9, -1, 1]], np.float32)  # mean 4, deviations 3, 5, -5, -3: variance 17
    ones, zeros = np.ones(4, np.float32), np.zeros(4, np.float32)
    y = layer_norm(x, ones, zeros, eps=1e-5)
    # float32: every sum here is exact, and the quotient takes fewer than ten roundings of 2**-24: 6e-7.
    # Epsilon is 6e-7 of 17, which changes the root by half of that. Together below 1e-6.
    np.testing.assert_allclose(y, (x - 4) / np.sqrt(17), rtol=1e-6)


def test_shape_and_dtype_are_kept():
    x = np.arange(24, dtype=np.float32).reshape(3, 8)
    y = layer_norm(x, np.ones(8, np.float32), np.zeros(8, np.float32), eps=1e-5)
    assert y.shape == x.shape
    assert y.dtype == x.dtype


# Both tests use a scale of ones and a shift of zeros. What could go wrong with these that they cannot see?
# And what does a row look like that makes epsilon matter?
