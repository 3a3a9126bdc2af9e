"""Your suite for RMSNorm's gradients. Run it with `kata run`; it runs under plain `pytest` too."""

import numpy as np
from rms_norm_backward import rms_norm_backward

from mutakata.numerics import assert_keeps


def test_shapes_and_dtypes_are_kept():
    x, weight = np.ones((3, 8), np.float32), np.ones(8, np.float32)
    dx, dweight = rms_norm_backward(x, x, weight, eps=1e-6)
    assert (dx.shape, dx.dtype) == (x.shape, x.dtype)
    assert (dweight.shape, dweight.dtype) == (weight.shape, weight.dtype)


def test_the_contract_is_kept():
    x = np.random.default_rng(0).standard_normal((3, 8)).astype(np.float32)
    grad, weight = np.ones_like(x), np.ones(8, np.float32)  # the loss y.sum(), a fresh module
    gradients = rms_norm_backward(grad, x, weight, eps=1e-6)
    assert_keeps(gradients, "rms_norm_backward/numpy", grad=grad, x=x, weight=weight, eps=1e-6)


# The second test accepts exactly what a correct implementation can produce, on one kind of input.
# What do a weight of ones and a gradient of ones hide? And what would a sum over a thousand rows show?
