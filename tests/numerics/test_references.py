"""Each reference definition keeps its contract, in NumPy and in PyTorch, so the two are equal under it."""

import ml_dtypes
import numpy as np
import pytest

from mutakata.numerics import OPERATIONS, check, fixed_inputs, judge, mistrusted

from .conftest import load_reference

# PyTorch's own layer_norm is differentiated there, which reduces over normalised rows with Welford's moments.
EAGER = {"layer_norm_backward": "layer_norm_backward/torch"}


@pytest.mark.parametrize("dtype", ["fp64", "fp32", "fp16", "bf16"])
@pytest.mark.parametrize("op", OPERATIONS)
def test_the_spec_keeps_its_contract_on_every_fixed_input(op, dtype):
    function = getattr(load_reference(op), op)
    for n in (1, 63, 128):
        for case in fixed_inputs(op, dtype, n):
            verdict = check(function, f"{op}/numpy", case.inputs)
            assert verdict.right, f"{case.name}, n = {n}: {verdict}"


def to_torch(value, torch):
    if not isinstance(value, np.ndarray):
        return value
    if value.dtype == ml_dtypes.bfloat16:
        return torch.from_numpy(value.astype(np.float32)).bfloat16()
    return torch.from_numpy(np.array(value))


def to_numpy(tensor):
    if str(tensor.dtype) == "torch.bfloat16":
        return tensor.float().numpy().astype(ml_dtypes.bfloat16)
    return tensor.numpy()


@pytest.mark.parametrize("dtype", ["fp64", "fp32", "fp16", "bf16"])
@pytest.mark.parametrize("op", OPERATIONS)
def test_eager_keeps_the_same_contract(op, dtype):
    torch = pytest.importorskip("torch")
    function = getattr(load_reference(op, "eager"), op)
    for n in (63, 128):
        for case in fixed_inputs(op, dtype, n):
            got = function(**{name: to_torch(value, torch) for name, value in case.inputs.items()})
            arrays = tuple(map(to_numpy, got)) if isinstance(got, tuple) else to_numpy(got)
            verdict = judge(EAGER.get(op, f"{op}/numpy"), case.inputs, arrays)
            assert verdict.right, f"{case.name}, n = {n}: {verdict}"


@pytest.mark.parametrize("op", OPERATIONS)
def test_no_fixed_input_proves_nothing_from_width_63_on(op):
    for case in fixed_inputs(op, "bf16", 63):
        assert mistrusted(f"{op}/numpy", case.inputs) == [], case.name


def test_a_fully_masked_row_gives_zeros_and_a_nan_stays_one():
    softmax = load_reference("softmax").softmax
    x = np.array([[-np.inf] * 3, [0.0, np.nan, 1.0], [-np.inf, 2.0, 2.0]], np.float32)
    got = softmax(x)
    assert got[0].tolist() == [0, 0, 0] and np.isnan(got[1]).all() and got[2].tolist() == [0, 0.5, 0.5]
    assert judge("softmax/numpy", {"x": x}, got).right
    hidden = np.nan_to_num(got, nan=0.0)
    assert not judge("softmax/numpy", {"x": x}, hidden).right


def test_a_turned_pair_keeps_its_length_and_position_0_its_value():
    rope = load_reference("rope").rope
    x = np.random.default_rng(0).standard_normal((3, 8)).astype(np.float32)
    got = rope(x, np.array([0, 5, 4095]), 1e4)
    assert np.array_equal(got[0], x[0])
    assert np.allclose(got[:, :4] ** 2 + got[:, 4:] ** 2, x[:, :4] ** 2 + x[:, 4:] ** 2)


@pytest.mark.parametrize("op", ["rms_norm_backward", "layer_norm_backward"])
def test_gradients_are_those_of_the_forward_pass(op):
    """Central differences of the forward definition in float64, step 1e-5: error near 1e-9."""
    forward = getattr(load_reference(op.removesuffix("_backward")), op.removesuffix("_backward"))
    rng = np.random.default_rng(0)
    x, grad = rng.standard_normal((2, 3, 5))
    names = ("x", "weight") if op.startswith("rms") else ("x", "gamma", "beta")
    arguments = {name: rng.standard_normal(5) for name in names} | {"x": x, "eps": 1e-3}
    given = {name: value for name, value in arguments.items() if name != "beta"}
    got = getattr(load_reference(op), op)(grad=grad, **given)
    for name, gradient in zip(names, got, strict=True):
        for index in np.ndindex(arguments[name].shape):
            step = np.zeros(arguments[name].shape)
            step[index] = 1e-5
            ahead, behind = (forward(**{**arguments, name: arguments[name] + s * step}) for s in (1, -1))
            slope = ((ahead - behind) * grad).sum() / 2e-5
            assert abs(slope - gradient[index]) < 1e-7
