"""The diagnosis: known defects are named on kernels that are written otherwise, correct ones get none."""

import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from mutakata.numerics import contract
from mutakata.numerics.compare import compare, questions
from mutakata.numerics.diagnose import diagnose, predictions
from mutakata.numerics.expectation import quantity
from mutakata.numerics.likeness import likeness
from mutakata.numerics.zoo import ZOO

ROOT = Path(__file__).resolve().parents[2]
FEW = {"dtypes": ("fp32", "bf16"), "widths": (63,), "rows": 3}


def diagnosed(function, promise="rms_norm/numpy", known=None, **asked):
    found = contract(promise)
    return diagnose(compare(function, found, questions(found.op, **(FEW | asked))), known)


def with_settings(op, *names):
    mutants = [ZOO[op].mutants[name].function for name in names]
    settings = {key: value for one in mutants for key, value in one.keywords.items()}
    return partial(mutants[0].func, contract(f"{op}/numpy"), **settings)


@pytest.fixture(scope="module")
def unknown():
    pytest.importorskip("torch")
    sys.path.insert(0, str(ROOT / "benchmarks"))
    try:
        import unknown
    finally:
        sys.path.pop(0)
    return unknown


@pytest.mark.parametrize(
    ("op", "name"),
    [
        ("rms_norm", "eps_outside_root"),
        ("rms_norm", "products_bf16"),
        ("rms_norm", "truncated"),
        ("add_rms_norm", "residual_stale"),
        ("layer_norm", "mean_bf16"),
        ("softmax", "exp_bf16"),
        ("swiglu", "swapped"),
        ("rope", "positions_bf16"),
        ("rms_norm_backward", "last_row_dropped"),
    ],
)
def test_a_defect_written_otherwise_is_named_alone(unknown, op, name):
    from mutakata.backends.adapt import How, adapt

    found = diagnosed(adapt(unknown.UNKNOWN[op][name], How(arrays="torch")), f"{op}/numpy")
    assert [one.suspect.id for one in found.remaining] == [name]
    assert name not in [one.suspect.id for one in found.excluded] and len(found.excluded) > 5


def test_every_defect_of_the_zoo_is_written_anew(unknown):
    for op, zoo in ZOO.items():
        assert zoo.mutants.keys() == unknown.UNKNOWN[op].keys()


@pytest.mark.parametrize("op", ["rms_norm", "softmax", "swiglu", "rope", "layer_norm_backward"])
def test_a_correct_kernel_is_given_no_defect(unknown, op):
    from mutakata.backends.adapt import How, adapt

    for kernel in unknown.CORRECT[op].values():
        found = diagnosed(adapt(kernel, How(arrays="torch")), f"{op}/numpy", widths=(63,), dtypes=("bf16",))
        assert not found.ranked and found.reason == "the contract is not left"


def test_public_bugs_are_named():
    (found,) = diagnosed(with_settings("rms_norm", "eps_outside_root")).remaining
    assert found.suspect.seen == ("apache/tvm#15856",)


def test_two_defects_at_once_are_found_as_a_pair():
    found = diagnosed(with_settings("rms_norm", "eps_outside_root", "other_cast"))
    assert found.remaining[0].suspect.id in ("eps_outside_root+other_cast", "other_cast+eps_outside_root")
    assert found.remaining[0].suspect.kind == "pair"


def test_what_cannot_be_told_apart_is_listed_with_the_input_that_decides():
    # in float32 alone nothing shows a cast order, and one width alone no padded lane
    asked = {"dtypes": ("bf16",), "widths": (128,), "rows": 3}
    found = diagnosed(with_settings("rms_norm", "eps_dropped"), **asked)
    names = [one.suspect.id for one in found.remaining]
    assert {"eps_dropped", "eps_in_count"} == set(names) and found.decider is None
    fixed = diagnosed(with_settings("rms_norm", "sum_bf16_pairwise"), **asked)
    assert {"sum_bf16_pairwise", "sum_bf16_blocked"} == {one.suspect.id for one in fixed.remaining}
    assert fixed.decider is not None and fixed.decider.question.width > 256
    assert len(set(fixed.decider.outputs.values())) == 2


def test_another_contract_is_a_suspect_by_its_own_bound():
    found = diagnosed(with_settings("layer_norm", "variance_moments"), "layer_norm/numpy")
    assert {"variance_moments", "layer_norm/flax"} <= {one.suspect.id for one in found.remaining}


def test_an_epsilon_is_named_where_no_defect_is():
    plain = ZOO["rms_norm"].faithful["sequential"].function
    promise = contract("rms_norm/llama")
    found = diagnosed(lambda **given: plain(promise, **{**given, "eps": 1e-12}), "rms_norm/llama")
    assert [one.suspect.id for one in found.remaining] == ["eps=1e-12"]


def test_an_unknown_defect_is_explained_by_nothing():
    plain = ZOO["rms_norm"].faithful["pairwise"].function
    found = diagnosed(
        lambda **given: plain(contract("rms_norm/numpy"), **given) * given["x"].dtype.type(1.25)
    )
    assert not found.remaining and len(found.ranked) > 10


def test_without_usable_output_there_is_no_diagnosis():
    found = diagnosed(lambda x, weight, eps: x[:1])
    assert found.reason == "no output has the right number, shape and dtype" and not found.ranked


def test_predictions_are_made_once():
    asked = questions("swiglu", **FEW)
    known = predictions(contract("swiglu/numpy"), asked)
    mutant = with_settings("swiglu", "gelu")
    first = diagnosed(mutant, "swiglu/numpy", known)
    made = dict(known.made)
    second = diagnosed(mutant, "swiglu/numpy", known)
    assert first == second and known.made.keys() == made.keys()
    assert all(known.made[key] is made[key] for key in made)


def test_one_ulp_in_many_16_bit_elements_is_no_rounding():
    value = np.random.default_rng(0).standard_normal(2000)
    wanted = quantity(value, 2.0**-22 * np.abs(value), np.float16)
    near = value.astype(np.float16)
    up = np.nextafter(near, np.float16(np.inf))
    assert likeness(wanted, near, [near]).explained
    assert not likeness(wanted, up, [near]).explained  # each within an ulp, all of them together not
    assert likeness(wanted, near, [near]).likelihood > likeness(wanted, up, [near]).likelihood
    few = near.copy()
    few[:3] = up[:3]
    assert likeness(wanted, few, [near]).explained


def test_the_chances_of_all_outputs_sum_to_one():
    wanted = quantity(np.array([1.3]), np.array([2.0**-9]), np.float16)
    near = np.array([1.3], np.float16)
    around = [near + np.float16(k * 2.0**-10) for k in range(-60, 61)]
    chances = [np.exp(likeness(wanted, one, [near]).likelihood) for one in around]
    assert sum(chances) == pytest.approx(1, abs=0.01)
