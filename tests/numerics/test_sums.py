from fractions import Fraction

import numpy as np

from mutakata.numerics.sums import exact_sum, order_exact, sum_error

U = 2.0**-24


def test_exact_sum_is_rounded_once():
    terms = np.array([[1e16, 1.0, -1e16, 0.1], [0.1] * 4])
    for row, total in zip(terms, exact_sum(terms), strict=True):
        assert total == float(sum(map(Fraction, row)))


def test_order_exact_by_row():
    whole = np.arange(1.0, 101)
    assert order_exact(np.stack([whole, whole * 2.0**-20, whole / 3, 0 * whole]), U).tolist() == [1, 1, 0, 1]


def test_order_exact_ends_where_a_partial_sum_needs_another_bit():
    assert order_exact(np.array([2.0**23, 2.0**23 - 1, 1.0]), U)
    assert not order_exact(np.array([2.0**23, 2.0**23, 1.0]), U)


def test_every_order_stays_within_the_sum_error():
    rng = np.random.default_rng(0)
    terms = rng.standard_normal(200).astype(np.float32)
    exact, allowed = exact_sum(terms.astype(float)), sum_error(terms.astype(float), U)
    for _ in range(50):
        shuffled = np.add.accumulate(rng.permutation(terms))[-1]
        assert abs(float(shuffled) - exact) <= allowed
    grid = rng.integers(-100, 100, 200).astype(np.float32)
    assert sum_error(grid.astype(float), U) == 0
    assert {float(np.add.accumulate(rng.permutation(grid))[-1]) for _ in range(50)} == {float(grid.sum())}
