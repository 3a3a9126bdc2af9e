import itertools

import numpy as np
import pytest

from mutakata.numerics import check, fixed_inputs, mistrusted
from mutakata.numerics.guards import clone

from .conftest import load_reference, normal

rms_norm = load_reference("rms_norm").rms_norm
INPUTS = fixed_inputs("rms_norm", "fp32", 64)[0].inputs


def edits(x, weight, eps):
    x *= 1
    x[0, 0] = 9
    return rms_norm(**INPUTS)


def aliases(x, weight, eps):
    x[...] = rms_norm(x, weight, eps)
    return x


counter = itertools.count()


def wavers(x, weight, eps):
    y = rms_norm(x, weight, eps)
    return y if next(counter) % 2 else np.nextafter(y, np.float32(0))


def raises(x, weight, eps):
    raise RuntimeError("no kernel for this width")


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (edits, "edited its input x"),
        (aliases, "shares memory with its input x"),
        (wavers, "two runs on the same inputs give different bits"),
        (raises, "raised RuntimeError: no kernel for this width"),
    ],
)
def test_what_a_function_does_besides(function, words):
    verdict = check(function, "rms_norm/numpy", INPUTS)
    assert not verdict.right and verdict.differs
    assert any(words in problem for problem in verdict.problems)


def test_a_correct_function_has_no_findings_and_its_inputs_are_clones():
    before = INPUTS["x"].copy()
    verdict = check(rms_norm, "rms_norm/numpy", INPUTS)
    assert verdict.right and verdict.problems == () and verdict.mistrusted == ()
    check(edits, "rms_norm/numpy", INPUTS)
    assert np.array_equal(INPUTS["x"], before)


def test_in_place_is_allowed_when_declared():
    assert check(aliases, "rms_norm/numpy", INPUTS, in_place=("x",)).right


def test_an_output_buffer_left_unwritten_is_found():
    def kernel(x, weight, eps, y, *, tail):
        y[:, : x.shape[1] - tail] = rms_norm(x, weight, eps)[:, : x.shape[1] - tail]

    assert check(lambda **k: kernel(**k, tail=0), "rms_norm/numpy", INPUTS, out=("y",)).right
    verdict = check(lambda **k: kernel(**k, tail=1), "rms_norm/numpy", INPUTS, out=("y",))
    assert verdict.ratio == np.inf and "6 NaN" in verdict.problems[0]


@pytest.mark.parametrize(
    "view",
    [lambda a: a[:, ::2], lambda a: a.T, lambda a: a[::-1, ::-3], lambda a: np.broadcast_to(a[:1], a.shape)],
)
def test_a_clone_has_the_same_values_and_strides_in_memory_of_its_own(view):
    original = view(normal((6, 8), np.float32))
    copy = clone(original)
    assert np.array_equal(copy, original) and copy.strides == original.strides
    assert not np.shares_memory(copy, original)


def test_a_case_that_proves_nothing_says_why():
    x = normal((4, 64), np.float32)
    ones = {"x": x, "weight": np.ones(64, np.float32), "eps": 1e-6}
    assert "leaving out weight would pass as well" in mistrusted("rms_norm/numpy", ones)
    zeros = {**INPUTS, "x": np.zeros_like(x)}
    assert "an output of zeros would pass as well" in mistrusted("rms_norm/numpy", zeros)
    assert "MISTRUSTED" in str(check(rms_norm, "rms_norm/numpy", zeros))
