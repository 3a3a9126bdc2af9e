from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest

from mutakata.numerics.rounding import DTYPES, compound, gamma, gaps, round_to, ulps_between, unit_roundoff


def test_bfloat16_is_rounded_once_where_astype_rounds_twice():
    just_above_a_tie = np.float64(1 + 2.0**-8 + 2.0**-40)
    assert float(round_to(just_above_a_tie, "bf16")) == 1 + 2.0**-7
    assert float(just_above_a_tie.astype(ml_dtypes.bfloat16)) == 1.0


@pytest.mark.parametrize("name", ["bf16", "fp16", "fp32"])
def test_round_to_is_the_nearest_number_with_ties_to_even(name):
    dtype = DTYPES[name]
    rng = np.random.default_rng(0)
    values = rng.standard_normal(500) * 2.0 ** rng.integers(-30, 15, 500)
    got = round_to(values, dtype)
    for value, rounded in zip(values, got, strict=True):
        near = Fraction(float(rounded))
        for side in (-np.inf, np.inf):
            other = Fraction(float(np.nextafter(rounded, np.array(side, dtype))))
            assert abs(near - Fraction(value)) <= abs(other - Fraction(value))


@pytest.mark.parametrize(("name", "largest"), [("fp16", 65504.0), ("bf16", 3.3895313892515355e38)])
def test_round_to_overflows_half_a_step_above_the_largest_number(name, largest):
    step = gaps(np.array(largest), name)[0]
    assert float(round_to(largest + 0.49 * step, name)) == largest
    assert np.isinf(float(round_to(largest + 0.5 * step, name)))


@pytest.mark.parametrize("name", ["bf16", "fp16", "fp32", "fp64"])
def test_gaps_are_the_distances_to_the_neighbours(name):
    dtype = DTYPES[name]
    for value in (1.0, 1.5, 0.75, float(ml_dtypes.finfo(dtype).smallest_subnormal), 2.0**-14, 3.0):
        away, towards = gaps(np.array(value), dtype)
        here = np.array(value, dtype)
        assert away == float(np.nextafter(here, np.array(np.inf, dtype))) - value
        assert towards == value - float(np.nextafter(here, np.array(0, dtype)))


def test_unit_roundoff_gamma_and_compound():
    assert unit_roundoff("bf16") == 2.0**-8 and unit_roundoff(np.float64) == 2.0**-53
    assert gamma(3, 2.0**-24) == 3 * 2.0**-24 / (1 - 3 * 2.0**-24)
    assert gamma(2**24, 2.0**-24) == float("inf")
    assert compound(0.5, 0.5) == 1.25


def test_ulps_between_counts_spacings_also_from_an_infinity():
    assert ulps_between(1.0, 1.0 + 2.0**-6, "bf16") == 2
    assert np.isfinite(ulps_between(65504.0, np.inf, "fp16"))
