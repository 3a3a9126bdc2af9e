import time

import ml_dtypes
import numpy as np
import pytest

from mutakata.numerics import (
    assert_keeps,
    bound,
    contract,
    expected,
    judge,
    looks_right,
    same,
)

from .conftest import load_reference, normal

rms_norm = load_reference("rms_norm").rms_norm
layer_norm = load_reference("layer_norm").layer_norm
DTYPES = [np.float64, np.float32, np.float16, ml_dtypes.bfloat16]


def rms_inputs(dtype=np.float32, shape=(4, 63), scale=1.0):
    weight = (1 + 0.5 * normal(shape[-1], np.float64, 7)).astype(dtype)
    return {"x": normal(shape, dtype, 1, scale), "weight": weight, "eps": 1e-6}


def ln_inputs(dtype=np.float32, shape=(4, 63)):
    return {"x": (3 + normal(shape, np.float64)).astype(dtype), "gamma": normal(shape[-1], dtype, 2),
            "beta": normal(shape[-1], dtype, 3), "eps": 1e-5}  # fmt: skip


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(1,), (63,), (4, 1), (4, 63), (2, 3, 128), (2, 1000)])
def test_the_specs_keep_their_contracts(dtype, shape):
    inputs = rms_inputs(dtype, shape)
    assert_keeps(rms_norm(**inputs), "rms_norm/numpy", **inputs)
    inputs = ln_inputs(dtype, shape)
    assert_keeps(layer_norm(**inputs), "layer_norm/numpy", **inputs)


def test_non_contiguous_input_is_judged_by_its_values():
    x = normal((63, 8), np.float32).T[::2]
    inputs = {**rms_inputs(), "x": x}
    assert not x.flags.c_contiguous
    assert judge("rms_norm/numpy", inputs, rms_norm(**inputs)).right


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_wrong_eps_differs_on_tiny_rows_and_looks_right_on_ordinary_ones(dtype):
    tiny, ordinary = rms_inputs(dtype, scale=1e-3), rms_inputs(dtype)
    wrong = {"eps": 2e-6}
    assert judge("rms_norm/numpy", tiny, rms_norm(**{**tiny, **wrong})).differs
    if dtype != np.float64:
        assert looks_right(rms_norm(**ordinary), rms_norm(**{**ordinary, **wrong}))


def test_cast_order_is_a_contract():
    inputs = rms_inputs(ml_dtypes.bfloat16, (8, 128))
    once = rms_norm(**inputs)
    normed = rms_norm(inputs["x"], np.ones_like(inputs["weight"]), 1e-6)
    twice = (normed.astype(np.float32) * inputs["weight"].astype(np.float32)).astype(once.dtype)
    assert judge("rms_norm/numpy", inputs, once).right and judge("rms_norm/llama", inputs, twice).right
    assert judge("rms_norm/numpy", inputs, twice).differs and judge("rms_norm/llama", inputs, once).differs


def test_a_nan_is_an_infinite_ratio_and_says_so():
    inputs = rms_inputs()
    got = rms_norm(**inputs)
    got[2, 5] = np.nan
    verdict = judge("rms_norm/numpy", inputs, got)
    assert verdict.ratio == np.inf and verdict.worst.index == (2, 5) and "1 NaN" in verdict.problems[0]
    assert verdict.differs and not verdict.right


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda y: y[:2], "shape (2, 63); expected (4, 63)"),
        (lambda y: y.astype(np.float64), "fp64; expected fp32"),
        (lambda y: np.zeros_like(y), "zero everywhere"),
        (lambda y: (y, y), "returned 2 outputs; expected y"),
    ],
)
def test_what_no_tolerance_sees_is_said_in_words(spoil, words):
    inputs = rms_inputs()
    verdict = judge("rms_norm/numpy", inputs, spoil(rms_norm(**inputs)))
    assert verdict.differs and not verdict.right
    assert any(words in problem for problem in verdict.problems)


def test_zeros_are_right_for_a_zero_row():
    inputs = {**rms_inputs(), "x": np.zeros((2, 63), np.float32)}
    assert judge("rms_norm/numpy", inputs, rms_norm(**inputs)).right


def test_overflow_is_expected_where_the_exact_result_overflows():
    inputs = {
        "x": np.array([[1, 1, 1, 8]], np.float16),
        "weight": np.array([1, 1, 1, 6e4], np.float16),
        "eps": 1e-6,
    }
    with np.errstate(over="ignore"):
        got = rms_norm(**inputs)
    assert np.isinf(got[0, 3]) and judge("rms_norm/numpy", inputs, got).right
    got[0, 3] = 65504
    assert not judge("rms_norm/numpy", inputs, got).right


def test_bound_is_the_edge_of_what_is_right():
    inputs = rms_inputs()
    want, allowed = expected("rms_norm/numpy", **inputs), bound("rms_norm/numpy", **inputs)
    assert judge("rms_norm/numpy", inputs, (want.value + 0.9 * allowed).astype(np.float32)).right
    assert not judge("rms_norm/numpy", inputs, (want.value + 1.5 * allowed).astype(np.float32)).right


def test_statistics_are_judged_when_they_are_given():
    inputs = rms_inputs()
    rstd = 1 / np.sqrt(np.mean(inputs["x"] ** 2, -1) + np.float32(1e-6))
    good = {"y": rms_norm(**inputs), "rstd": rstd}
    assert judge("rms_norm/numpy", inputs, good).right
    verdict = judge("rms_norm/numpy", inputs, {**good, "rstd": rstd * np.float32(1.0001)})
    assert not verdict.right and verdict.worst.quantity == "rstd"


def test_same_separates_rounding_from_a_difference():
    inputs = rms_inputs(scale=1e-3)
    y = rms_norm(**inputs)
    assert same("rms_norm/numpy", inputs, y, np.nextafter(y, np.float32(9)))
    assert not same("rms_norm/numpy", inputs, y, rms_norm(**{**inputs, "eps": 2e-6}))


def test_same_allows_few_neighbours_by_chance_and_not_many():
    inputs = rms_inputs(ml_dtypes.bfloat16)
    y = rms_norm(**inputs)
    for count, expected_same in ((0, True), (1, True), (60, False)):
        other = y.copy()
        other.view(np.uint16).reshape(-1)[:count] += 1  # the next number away from zero
        assert same("rms_norm/numpy", inputs, y, other) == expected_same


def test_assert_keeps_says_where_and_how_far():
    inputs = rms_inputs()
    with pytest.raises(AssertionError, match=r"breaks rms_norm/numpy\n  y\[\d, \d+\] is .*expected .*ulp"):
        assert_keeps(2 * rms_norm(**inputs), "rms_norm/numpy", **inputs)


def test_every_problem_with_the_arguments_is_reported_at_once():
    inputs = {"x": np.full((2, 3), np.nan, np.float32), "weight": np.ones(4, np.int32), "eps": None}
    with pytest.raises(ValueError) as caught:
        expected("rms_norm/numpy", **inputs)
    for words in ("NaN", "dtype int32", "shape (4,); expected (3,)", "eps is None"):
        assert words in str(caught.value)


def test_an_unknown_contract_lists_those_of_its_operation():
    with pytest.raises(KeyError, match="rms_norm/gemma"):
        contract("rms_norm/nonesuch")


@pytest.mark.parametrize("name", ["float16", "bfloat16", "float32", "float64"])
def test_looks_right_decides_as_assert_close_does(name):
    torch = pytest.importorskip("torch")
    want = torch.tensor([100.0, -1e-6, 3.0]).to(getattr(torch, name))
    for factor in (1.0, 1 + 5e-8, 1 + 1e-6, 1 + 3e-6, 1.0007, 1.004, 1.01, 1.03):
        got = (want.double() * factor).to(want.dtype)
        try:
            torch.testing.assert_close(got, want)
            close = True
        except AssertionError:
            close = False
        arrays = [
            a.float().numpy().astype(ml_dtypes.bfloat16) if name == "bfloat16" else a.numpy()
            for a in (want, got)
        ]
        assert looks_right(*arrays) == close, factor


def test_looks_right_asks_for_the_dtype_the_shape_and_a_number():
    want = np.array([1.0], np.float32)
    assert looks_right((want, want), (want, want)) and not looks_right((want, want), (want,))
    for wrong in (want.astype(np.float64), want[None], np.array([np.nan], np.float32)):
        assert not looks_right(want, wrong)


def test_fifty_judgements_of_a_small_case_take_less_than_a_quarter_of_a_second():
    inputs = rms_inputs()
    got = rms_norm(**inputs)
    start = time.perf_counter()
    for _ in range(50):
        judge("rms_norm/numpy", inputs, got)
    assert time.perf_counter() - start < 0.25
