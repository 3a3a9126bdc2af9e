"""Right kernels: the right numbers on every seed, and no false alarm."""

import numpy as np
import pytest

from mutakata.backends.cuda import available
from tests.backends.cuda.right_kernels import RIGHT

pytestmark = pytest.mark.skipif(not available(), reason="no C++ compiler")


@pytest.mark.parametrize("seed", [0, 1, 2, 3])
@pytest.mark.parametrize("case", RIGHT, ids=lambda c: c.__name__)
def test_right_kernel_is_not_reported_and_gives_the_right_numbers(case, seed):
    found, expected = case(seed)
    np.testing.assert_array_equal(found, expected)
