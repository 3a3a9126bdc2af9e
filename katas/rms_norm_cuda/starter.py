"""Your suite for the RMSNorm kernel. Run it with `kata run`; it runs under plain `pytest` too."""

import numpy as np
from rms_norm import rms_norm

from mutakata.numerics import assert_keeps


def test_ordinary_rows():
    x = np.random.default_rng(0).standard_normal((4, 64)).astype(np.float32)
    weight = np.linspace(0.5, 1.5, 64, dtype=np.float32)
    y = rms_norm(x, weight, 1e-6)
    assert_keeps(y, "rms_norm/numpy", x=x, weight=weight, eps=1e-6)


# 64 columns are two whole warps, and 4 rows give each block one. Which widths, and how many rows, make the
# kernel do something else? And what can float16 and bfloat16 show that float32 cannot?
