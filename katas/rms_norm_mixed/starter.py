"""Your suite for RMSNorm in mixed precision. Run it with `kata run`; it runs under plain `pytest` too."""

import ml_dtypes
import numpy as np
import pytest
from rms_norm import rms_norm

from mutakata.numerics import assert_keeps


def test_a_row_worked_out_by_hand():
    x = np.array([[1, -7, 5, 5]], np.float32)  # mean square (1 + 49 + 25 + 25) / 4 = 25, root 5
    weight = np.ones(4, ml_dtypes.bfloat16)
    y = rms_norm(x.astype(ml_dtypes.bfloat16), weight, eps=1e-6)
    # Both roundings together are less than one unit in the last place: 2**-7 of the value.
    np.testing.assert_allclose(y.astype(np.float32), x / 5, rtol=2**-7)


@pytest.mark.parametrize("dtype", [ml_dtypes.bfloat16, np.float16])
def test_the_contract_is_kept(dtype):
    x = np.random.default_rng(0).standard_normal((2, 8)).astype(np.float32).astype(dtype)
    weight = np.ones(8, dtype)
    assert_keeps(rms_norm(x, weight, eps=1e-6), "rms_norm/llama", x=x, weight=weight, eps=1e-6)


# The second test accepts exactly what a correct implementation can produce, on one kind of input.
# Which roundings does a weight of ones hide? And which sums would not fit into 16 bits?
