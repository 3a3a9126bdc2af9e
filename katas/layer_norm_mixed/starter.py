"""Your suite for LayerNorm in mixed precision. Run it with `kata run`; it runs under plain `pytest` too."""

import ml_dtypes
import numpy as np
import pytest
from layer_norm import layer_norm

from mutakata.numerics import assert_keeps


def test_a_row_worked_out_by_hand():
    x = np.array([[7, 9, -1, 1]], np.float32)  # mean 4, deviations 3, 5, -5, -3: variance 17
    ones, zeros = np.ones(4, ml_dtypes.bfloat16), np.zeros(4, ml_dtypes.bfloat16)
    y = layer_norm(x.astype(ml_dtypes.bfloat16), ones, zeros, eps=1e-5)
    # One rounding is half a unit in the last place, 2**-8 of the value; float32 and epsilon add 1e-6.
    np.testing.assert_allclose(y.astype(np.float32), (x - 4) / np.sqrt(17), rtol=2**-8 + 1e-6)


@pytest.mark.parametrize("dtype", [ml_dtypes.bfloat16, np.float16])
def test_the_contract_is_kept(dtype):
    x = np.tile([2, -2, 1, -1], (2, 2)).astype(dtype)
    gamma, beta = np.ones(8, dtype), np.zeros(8, dtype)
    y = layer_norm(x, gamma, beta, eps=1e-5)
    assert_keeps(y, "layer_norm/two_pass", x=x, gamma=gamma, beta=beta, eps=1e-5)


# The second test accepts exactly what a correct implementation can produce, on one kind of input.
# What do scales of ones, shifts of zeros and rows around zero hide?
