"""Kills every mutant of the softmax kernel: in each docstring what that test alone can see."""

import ml_dtypes
import numpy as np
from softmax import softmax

from mutakata.numerics import assert_keeps


def normal(*shape):
    return np.random.default_rng(0).standard_normal(shape).astype(np.float32)


def assert_right(x):
    assert_keeps(softmax(x), "softmax/online", x=x)


def test_the_level_does_not_matter():
    """Exponentials that overflow or vanish, and what stands for a maximum of nothing."""
    for level in (990, -100, -20_000):
        assert_right(level + normal(2, 64))


def test_masked_elements_are_zero():
    """Minus infinity less itself, and the sum of a row that sees nothing. Each thread has two columns: one
    may be masked, or both.
    """
    x = normal(3, 512)
    x[0, 100:] = -np.inf
    x[1] = -np.inf
    assert_right(x)


def test_a_nan_is_not_lost():
    """Beside scores, where its own element shows it, and beside masked elements, where fmaxf drops it."""
    x = normal(2, 64)
    x[1] = -np.inf
    x[:, 5] = np.nan
    assert_right(x)


def test_lanes_without_a_column():
    """83 columns in 96 threads: loads and stores behind a row's end."""
    assert_right(normal(3, 83))


def test_a_block_loops_over_rows():
    """15 rows for 6 blocks: rows that nobody takes, and shared memory used again while it is still read."""
    assert_right(normal(15, 64))


def test_rows_may_lie_apart():
    """Half of a wider buffer: its row stride is not the width."""
    assert_right(normal(3, 128)[:, :64])


def test_low_precision_is_rounded_once():
    """Differences and exponentials that are rounded early: they show where scores are far apart."""
    for dtype in (np.float16, ml_dtypes.bfloat16):
        assert_right((4 * normal(2, 64)).astype(dtype))


def test_small_terms_add_up():
    """Each of 256 threads has a 1 and nine terms of 0.0019: bfloat16 would drop each term beside the 1."""
    assert_right(np.where(np.arange(2560) < 256, 0, -6.25)[None].astype(ml_dtypes.bfloat16))
