"""Comparing a callable with a contract: five verdicts, what is reported, and what the guards see."""

from functools import partial

import numpy as np
import pytest

from mutakata.numerics import contract
from mutakata.numerics.compare import alternatives, compare, meaning, outcome, questions
from mutakata.numerics.zoo import ZOO

SMALL = {"dtypes": ("fp32", "bf16"), "widths": (63,), "rows": 3}


def faithful(promise, name="pairwise"):
    found = contract(promise)
    return partial(ZOO[found.op].faithful[name].function, found)


def test_a_faithful_function_keeps_its_contract():
    found = compare(faithful("rms_norm/llama"), "rms_norm/llama", questions("rms_norm", **SMALL))
    assert found.verdict == "keeps" and not found.wrong and found.other is None
    assert len(found.answers) == 20 and all(one.parts[0].quantity == "y" for one in found.answers)


@pytest.mark.parametrize(
    ("kept", "promised"),
    [
        ("rms_norm/gemma", "rms_norm/llama"),
        ("rms_norm/llama", "rms_norm/numpy"),
        ("swiglu/llama", "swiglu/numpy"),
        ("rope/interleaved", "rope/numpy"),
    ],
)
def test_another_contract_is_named(kept, promised):
    op = kept.split("/")[0]
    name = next(iter(ZOO[op].faithful))
    found = compare(faithful(kept, name), promised, questions(op, **SMALL))
    assert found.verdict == "other-contract" and found.other.name == kept


def test_float32_cannot_tell_a_cast_order():
    asked = questions("rms_norm", ("fp32",), (63,), 3)
    assert compare(faithful("rms_norm/llama"), "rms_norm/numpy", asked).verdict == "keeps"


def test_a_defect_breaks_and_the_worst_element_is_named():
    broken = partial(ZOO["rms_norm"].mutants["tail_dropped"].function, contract("rms_norm/numpy"))
    found = compare(broken, "rms_norm/numpy", questions("rms_norm", **SMALL))
    assert found.verdict == "breaks" and found.other is None
    (part,) = found.wrong[0].parts
    assert part.ratio > 1e3 and 0 < part.outside <= 1 and part.worst.got != part.worst.expected


def test_another_eps_reaches_every_case_and_has_one_of_its_own():
    asked = questions("rms_norm", eps=1e-12, **SMALL)
    assert {one.case.inputs["eps"] for one in asked} == {1e-12}
    near = next(one.case.inputs["x"] for one in asked if one.id == "fp32/63/near_eps")
    assert 0.25 < np.mean(np.square(near.astype(np.float64))) / 1e-12 < 4
    fixed = faithful("rms_norm/numpy")
    other_eps = compare(lambda **given: fixed(**{**given, "eps": 1e-6}), "rms_norm/numpy", asked)
    assert other_eps.verdict == "breaks"
    assert compare(fixed, "rms_norm/numpy", asked).verdict == "keeps"


def test_statistics_are_judged_where_they_are_returned():
    right = faithful("rms_norm/numpy")

    def with_statistic(factor):
        def function(x, weight, eps):
            wide = x.astype(np.float32)
            rstd = 1 / np.sqrt(np.mean(wide * wide, axis=-1) + np.float32(eps))
            return {"y": right(x=x, weight=weight, eps=eps), "rstd": rstd * np.float32(factor)}

        return function

    asked = questions("rms_norm", **SMALL)
    assert compare(with_statistic(1), "rms_norm/numpy", asked).verdict == "keeps"
    wrong = compare(with_statistic(1.01), "rms_norm/numpy", asked).wrong[0]
    assert [(part.quantity, part.right) for part in wrong.parts] == [("y", True), ("rstd", False)]


def test_a_run_that_proves_nothing_is_mistrusted_or_not_proved():
    case = next(one for one in questions("layer_norm", ("fp32",), (1,), 3) if one.case.name == "ordinary")
    found = compare(faithful("layer_norm/numpy"), "layer_norm/numpy", [case])
    assert found.verdict == "mistrusted" and found.answers[0].mistrusted
    assert outcome([]) == "not-proved"

    def needs(**given):
        raise RuntimeError("Found no NVIDIA driver on your system")

    assert compare(needs, "rms_norm/numpy", questions("rms_norm", **SMALL)[:1]).verdict == "not-proved"


def shape(x, weight, eps):
    return x[:, :-1]


def dtype(x, weight, eps):
    return x.astype(np.float64)


def count(x, weight, eps):
    return x, x


def nothing(x, weight, eps):
    return None


def nan(x, weight, eps):
    return np.full_like(x, np.nan)


def edits(x, weight, eps):
    weight += 1
    return x * 1


def shares(x, weight, eps):
    return x


def raises(x, weight, eps):
    raise ValueError("no such width")


def changes(x, weight, eps, seen=[]):  # noqa: B006
    seen.append(0)
    return x + np.asarray(len(seen), x.dtype)


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (shape, "has shape (3, 62); expected (3, 63)"),
        (dtype, "is fp64; expected fp32"),
        (count, "returned 2 outputs"),
        (nothing, "returned None"),
        (nan, "holds 189 NaN"),
        (edits, "edited its input weight"),
        (shares, "shares memory with its input x"),
        (raises, "raised ValueError: no such width"),
        (changes, "different bits"),
    ],
)
def test_bad_behaviour_breaks_the_contract_in_words(function, words):
    (case,) = [one for one in questions("rms_norm", **SMALL) if one.id == "fp32/63/ordinary"]
    found = compare(function, "rms_norm/numpy", [case])
    said = [*found.answers[0].problems, *(text for part in found.answers[0].parts for text in part.problems)]
    assert found.verdict == "breaks" and any(words in text for text in said), said


def test_each_meaning_is_an_alternative_once():
    found = alternatives(contract("rms_norm/llama"))
    assert len({meaning(one) for one in found}) == len(found) == 3
    assert "rms_norm/gemma" in [one.name for one in found]
