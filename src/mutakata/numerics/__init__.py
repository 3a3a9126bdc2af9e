"""Numeric verdicts: an output is right when a correct implementation, summing in any order, could produce it.

In a test:

    from mutakata.numerics import assert_keeps, bound, expected

    want = expected("rms_norm/numpy", x=x, weight=weight, eps=1e-6).value
    assert (abs(got - want) <= bound("rms_norm/numpy", x=x, weight=weight, eps=1e-6)).all()
    assert_keeps(got, "rms_norm/numpy", x=x, weight=weight, eps=1e-6)        # the same, with a message
"""

from mutakata.numerics.contracts import Contract, LayerNorm, RmsNorm
from mutakata.numerics.expectation import Expected, Quantity
from mutakata.numerics.guards import check, mistrusted
from mutakata.numerics.inputs import WIDTHS, Case, fixed_inputs
from mutakata.numerics.models import assert_contract, compare_models
from mutakata.numerics.ops import OPERATIONS, expected
from mutakata.numerics.presets import PRESETS, contract, presets
from mutakata.numerics.rounding import dtype_of, gamma, round_to, ulps_between, unit_roundoff
from mutakata.numerics.tolerances import looks_right
from mutakata.numerics.verdict import Verdict, Worst, assert_keeps, bound, judge, judge_expected, same

__all__ = [
    "OPERATIONS",
    "PRESETS",
    "WIDTHS",
    "Case",
    "Contract",
    "Expected",
    "LayerNorm",
    "Quantity",
    "RmsNorm",
    "Verdict",
    "Worst",
    "assert_contract",
    "assert_keeps",
    "bound",
    "check",
    "compare_models",
    "contract",
    "dtype_of",
    "expected",
    "fixed_inputs",
    "gamma",
    "judge",
    "judge_expected",
    "looks_right",
    "mistrusted",
    "presets",
    "round_to",
    "same",
    "ulps_between",
    "unit_roundoff",
]
