"""Your suite for RMSNorm. Run it with `kata run`; it runs under plain `pytest` too."""

import numpy as np
from rms_norm import rms_norm


def test_a_row_worked_out_by_hand():
    x = np.array([[1, -7, 5, 5]], np.float32)  # mean square (1 + 49 + 25 + 25) / 4 = 25, root 5
    weight = np.ones(4, np.float32)
    y = rms_norm(x, weight, eps=1e-6)
    # float32: four additions, halved by the root, and some ten roundings: (4 / 2 + 10) * 2**-24 = 7e-7.
    # Epsilon is 1e-6 of 25 here, which changes the root by 2e-8. Together below 1e-6.
    np.testing.assert_allclose(y, x / 5, rtol=1e-6)


def test_shape_and_dtype_are_kept():
    x = np.ones((3, 8), np.float32)
    y = rms_norm(x, np.ones(8, np.float32), eps=1e-6)
    assert y.shape == x.shape
    assert y.dtype == x.dtype


# Both tests use a weight of ones. What could go wrong with the weight that they cannot see?
# And what does a row look like that makes epsilon matter?
