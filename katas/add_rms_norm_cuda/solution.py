"""Kills every mutant of the fused addition and RMSNorm: in each docstring what that test alone can see."""

import ml_dtypes
import numpy as np
import pytest
from add_rms_norm import add_rms_norm

from mutakata.numerics import assert_keeps


def normal(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def assert_right(x, residual=None, eps=1e-6):
    """No weight is 1 and no residual 0, so a lost, early or misplaced one shows in every test."""
    residual = (2 * normal(*x.shape, seed=2) if residual is None else residual).astype(x.dtype)
    weight = (1 + 0.5 * normal(x.shape[-1], seed=1)).astype(x.dtype)
    both = add_rms_norm(x, residual, weight, eps)
    assert_keeps(both, "add_rms_norm/numpy", x=x, residual=residual, weight=weight, eps=eps)


@pytest.mark.parametrize("eps", [1e-6, 1e-5])
def test_small_rows_feel_epsilon(eps):
    """Mean squares near epsilon: its size and place. Two values, so that no literal passes both."""
    assert_right(1e-3 * normal(2, 64), 1e-3 * normal(2, 64, seed=2), eps)


def test_x_may_be_a_view():
    """Tails, alignment that the shape does not tell, and a row stride that is not the width. The rows of the
    second view are aligned, those of its residual are not.
    """
    assert_right(normal(3, 80)[:, 1:65])
    assert_right(normal(3, 96)[:, :83])


def test_a_block_loops_over_rows():
    """15 rows for 6 blocks: rows that nobody takes, and shared memory used again while it is still read."""
    assert_right(normal(15, 256))


def test_a_thread_loops_over_vectors():
    """525 columns: 131 vectors for 128 threads, and an element more."""
    assert_right(normal(1, 525))


def test_low_precision_is_rounded_where_the_contract_says():
    """Roundings too many or too few, of sum, square or quotient; and 300^2, which float16 cannot hold."""
    x = normal(2, 64)
    x[:, 5] = 300
    for dtype in (np.float16, ml_dtypes.bfloat16):
        assert_right(x.astype(dtype))
