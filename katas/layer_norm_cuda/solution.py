"""Kills every mutant of the LayerNorm kernel: in each docstring what that test alone can see."""

import ml_dtypes
import numpy as np
import pytest
from layer_norm import layer_norm

from mutakata.numerics import assert_keeps


def normal(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def assert_right(x, eps=1e-5):
    """No scale is 1 and no shift is 0, so a lost, early or misplaced one shows in every test."""
    n = x.shape[-1]
    gamma, beta = (1 + 0.5 * normal(n, seed=1)).astype(x.dtype), (0.5 * normal(n, seed=2)).astype(x.dtype)
    y = layer_norm(x, gamma, beta, eps)
    assert_keeps(y, "layer_norm/numpy", x=x, gamma=gamma, beta=beta, eps=eps)


@pytest.mark.parametrize("eps", [1e-5, 1e-12])
def test_small_rows_feel_epsilon(eps):
    """Variances near epsilon: its size and place. Two values, so that no literal passes both."""
    assert_right(1e-3 * normal(2, 32), eps)


def test_lanes_without_a_column():
    """83 columns in 96 threads, and a mean that tells an idle lane from a 0."""
    assert_right(1 + normal(3, 83))


def test_a_block_loops_over_rows():
    """Rows that nobody takes: 15 for 6 blocks."""
    assert_right(normal(15, 64))


def test_a_thread_loops_over_columns():
    """1027 columns for 512 threads: rounds and warps that are not counted; in low precision sums, means and
    quotients that are rounded early. The mean is far from zero and no number of any of these types.
    """
    for dtype in (np.float32, np.float16, ml_dtypes.bfloat16):
        assert_right((3 + 0.1 * normal(1, 1027)).astype(dtype))


def test_rows_may_lie_apart():
    """Half of a wider buffer: its row stride is not the width."""
    assert_right(normal(3, 128)[:, :64])


def test_a_large_mean_costs_no_digits():
    """A one-pass variance: 1e8 less 1e8."""
    assert_right(1e4 + normal(2, 64))
