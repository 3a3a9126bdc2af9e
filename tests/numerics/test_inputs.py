import numpy as np
import pytest

from mutakata.numerics import OPERATIONS, fixed_inputs
from mutakata.numerics.sums import order_exact

U = 2.0**-24


@pytest.mark.parametrize("op", OPERATIONS)
def test_the_same_call_gives_the_same_bits_and_every_case_has_a_reason(op):
    first, second = (fixed_inputs(op, "bf16", 63) for _ in range(2))
    assert len({case.name for case in first}) == len(first) >= 4
    for a, b in zip(first, second, strict=True):
        assert a.reason and a.name == b.name
        for name, value in a.inputs.items():
            assert np.asarray(value).tobytes() == np.asarray(b.inputs[name]).tobytes()


@pytest.mark.parametrize("dtype", ["fp32", "fp16", "bf16"])
@pytest.mark.parametrize("n", [1, 63, 1000, 8192])
def test_grids_are_exact_in_every_order(dtype, n):
    cases = {case.name: case.inputs for case in fixed_inputs("rms_norm", dtype, n)}
    for name in ("grid", "grid_tiny", "balanced"):
        assert order_exact(cases[name]["x"].astype(float) ** 2, U).all(), name
    assert (cases["balanced"]["x"].astype(float).sum(-1) == 0).all()
    for name in ("grid", "grid_tiny", "balanced"):
        case = {c.name: c.inputs for c in fixed_inputs("rms_norm_backward", dtype, n)}[name]
        terms = case["x"].astype(float) * case["grad"].astype(float) * case["weight"].astype(float)
        assert order_exact(terms, U).all(), name


@pytest.mark.parametrize("op", ["rms_norm", "add_rms_norm", "rms_norm_backward"])
def test_no_weight_is_one_and_no_width_has_one_row_only(op):
    for n in (1, 64):
        for case in fixed_inputs(op, "bf16", n):
            assert (case.inputs["weight"].astype(float) != 1).mean() > 0.9, case.name
            assert case.inputs["x"].size // n > 1
