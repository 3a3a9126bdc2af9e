"""Kills every mutant of RMSNorm: one test for each regime, and in its docstring what it alone can see."""

import numpy as np
import pytest
from rms_norm import rms_norm


def normal(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def rows(*shape):
    """Mean squares near 10: epsilon is out of sight, except where a test makes them small."""
    return 3 * normal(*shape)


def weight_of(n):
    """No entry is 1, so a lost, early or repeated weight shows in every test."""
    return 1 + np.float32(0.5) * normal(n, seed=1)


def allowed(x, weight, eps):
    """Lowest and highest output of a correct implementation, from the definition in float64.

    With u the unit roundoff of the statistics: n additions, in any order, err by n*u, halved by the root;
    square, mean, epsilon, root, quotient and product are fewer than ten roundings more. All of it twice,
    for float64 inputs, where the definition below rounds as well. Rounding to the output's type keeps the
    order, so it may be applied to both ends.
    """
    u = np.finfo(np.promote_types(x.dtype, np.float32)).eps / 2
    values = x.astype(np.float64)
    exact = weight * values / np.sqrt(np.mean(values**2, axis=-1, keepdims=True) + eps)
    slack = 2 * (x.shape[-1] / 2 + 10) * u * np.abs(exact)
    return (exact - slack).astype(x.dtype), (exact + slack).astype(x.dtype)


def assert_right(x, weight, eps=1e-6):
    low, high = allowed(x, weight, eps)
    y = rms_norm(x, weight, eps)
    assert (y.shape, y.dtype) == (x.shape, x.dtype)
    inside = np.count_nonzero((low <= y) & (y <= high))  # a NaN is never inside
    assert inside == y.size


@pytest.mark.parametrize("eps", [1e-6, 1e-5])
def test_small_rows_feel_epsilon(eps):
    """Mean squares near epsilon: its place and size. Two values, so that no literal passes both."""
    assert_right(1e-3 * normal(4, 24), weight_of(24), eps)


def test_zero_rows_give_zeros():
    """A division by zero before epsilon comes in, and an epsilon that is smaller than any float16."""
    assert_right(np.zeros((2, 8), np.float16), weight_of(8), eps=1e-8)


def test_half_precision_is_rounded_once():
    """Squares beyond 65504, a narrow statistic, early or missing casts. A float32 weight must not widen y."""
    x = np.array([[1], [100], [5000]]) * normal(3, 24)
    assert_right(x.astype(np.float16), weight_of(24))


def test_double_precision_is_kept():
    """A detour through float32. The rows are so large that epsilon is below the last digit."""
    x = 1e6 * np.random.default_rng(2).standard_normal((4, 24))
    assert_right(x, weight_of(24).astype(np.float64))


def test_any_rank_is_normalised_over_its_last_axis():
    """An axis counted from the front."""
    for shape in [(24,), (1, 24), (2, 3, 24)]:
        assert_right(rows(*shape), weight_of(24))


def test_a_transposed_view_is_read_by_its_strides():
    """Statistics gathered in memory order."""
    assert_right(rows(24, 4).T, weight_of(24))


def test_every_width_is_summed_to_its_end():
    """Columns behind the last full block, lost or weighted wrongly. Other widths here are multiples of 8."""
    assert_right(rows(2, 51), weight_of(51))


def test_zeros_count_in_the_width():
    """A mean over the non-zero entries only."""
    assert_right(np.maximum(rows(4, 24), 0), weight_of(24))


def test_inputs_are_left_alone():
    """Work in place. float32, where widening makes no copy."""
    inputs = rows(4, 24), weight_of(24)
    before = [each.copy() for each in inputs]
    rms_norm(*inputs, 1e-6)
    for each, copy in zip(inputs, before, strict=True):
        np.testing.assert_array_equal(each, copy)
