"""Kills every mutant of LayerNorm: one test for each regime, and in its docstring what it alone can see."""

import numpy as np
import pytest
from layer_norm import layer_norm


def normal(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def rows(*shape):
    """Variances near 10: epsilon is out of sight, except where a test makes them small."""
    return 3 * normal(*shape)


def scale_and_shift(n):
    """No scale is 1 and no shift is 0, so a lost, early or repeated one shows in every test."""
    return 1 + np.float32(0.5) * normal(n, seed=1), np.float32(0.5) * normal(n, seed=2)


def allowed(x, gamma, beta, eps):
    """Lowest and highest output of a correct implementation, from the definition in float64.

    With u the unit roundoff of the statistics: the mean of n values, added in any order, errs by n*u times
    their mean magnitude (`slip`), and all deviations with it. The variance errs by n + 3 roundings and by the
    square of the slip, halved by the root; root, quotient and product are fewer than eight roundings more
    (`stretch`). The last product and sum round once each. All of it twice, for float64 inputs, where the
    definition below rounds as well. Rounding to the output's type keeps the order, so it may be applied to
    both ends.
    """
    n, u = x.shape[-1], np.finfo(np.promote_types(x.dtype, np.float32)).eps / 2
    values = x.astype(np.float64)
    centred = values - np.mean(values, axis=-1, keepdims=True)
    variance = np.mean(centred**2, axis=-1, keepdims=True) + eps
    scaled = gamma * centred / np.sqrt(variance)
    exact = scaled + beta
    slip = n * u * np.mean(np.abs(values), axis=-1, keepdims=True)
    stretch = ((n + 3) * u + slip**2 / variance) / 2 + 8 * u
    slack = np.abs(gamma) * slip / np.sqrt(variance) + stretch * np.abs(scaled)
    slack = 2 * (slack + 2 * u * (np.abs(scaled) + np.abs(exact)))
    return (exact - slack).astype(x.dtype), (exact + slack).astype(x.dtype)


def assert_right(x, eps=1e-5, dtype=np.float32):
    """`dtype` is that of scale and shift."""
    gamma, beta = (part.astype(dtype) for part in scale_and_shift(x.shape[-1]))
    low, high = allowed(x, gamma, beta, eps)
    y = layer_norm(x, gamma, beta, eps)
    assert (y.shape, y.dtype) == (x.shape, x.dtype)
    inside = np.count_nonzero((low <= y) & (y <= high))  # a NaN is never inside
    assert inside == y.size


@pytest.mark.parametrize("eps", [1e-5, 1e-6])
def test_rows_of_small_variance_feel_epsilon(eps):
    """Variances near epsilon: its place and size. Two values, so that no literal passes both."""
    assert_right(np.float32(3e-3) * normal(4, 24), eps)


def test_constant_rows_give_the_shift():
    """A division by zero before epsilon comes in, and an epsilon that is smaller than any float16."""
    assert_right(np.full((2, 8), 3, np.float16), eps=1e-12)


def test_half_precision_is_rounded_once():
    """Squares beyond 65504, narrow statistics, early or missing casts. float32 weights must not widen y."""
    x = np.array([[1], [100], [5000]]) * normal(3, 24)
    assert_right(x.astype(np.float16))


def test_double_precision_is_kept():
    """A detour through float32. The rows are so large that epsilon is below the last digit."""
    assert_right(1e6 * np.random.default_rng(3).standard_normal((4, 24)), dtype=np.float64)


def test_rows_far_from_zero_keep_their_variance():
    """The difference of two large numbers in place of a second pass."""
    assert_right(10_000 + normal(8, 24))


def test_any_rank_is_normalised_over_its_last_axis():
    """An axis counted from the front."""
    for shape in [(24,), (1, 24), (2, 3, 24)]:
        assert_right(rows(*shape))


def test_a_transposed_view_is_read_by_its_strides():
    """Statistics gathered in memory order."""
    assert_right(rows(24, 4).T)


def test_every_width_is_summed_to_its_end():
    """Columns lost behind the last full vector: the other widths here are multiples of eight."""
    assert_right(rows(2, 51))


def test_inputs_are_left_alone():
    """Work in place. float32, where widening makes no copy."""
    inputs = rows(4, 24), *scale_and_shift(24)
    before = [each.copy() for each in inputs]
    layer_norm(*inputs, 1e-5)
    for each, copy in zip(inputs, before, strict=True):
        np.testing.assert_array_equal(each, copy)
