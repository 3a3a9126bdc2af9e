"""Kills every mutant of the backward kernels of RMSNorm: one test for each regime, and what it alone can see."""

import pytest
import torch
from mutakata.backends import triton as backend
from mutakata.numerics import assert_keeps

backend.activate()  # before triton is imported: without a GPU, kernels run in a checked interpreter

from rms_norm_backward import rms_norm_backward  # noqa: E402

DEVICE = "cuda" if backend.on_gpu() else "cpu"


def normal(*shape, seed=0):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed)).to(DEVICE)


def far(values):
    """The same rows 2^30 elements apart, in memory that is reserved and hardly touched."""
    rows, n = values.shape
    storage = torch.UntypedStorage(((rows - 1) * 2**30 + n) * values.element_size(), device=DEVICE)
    spread = torch.empty(0, dtype=values.dtype, device=DEVICE).set_(storage, 0, (rows, n), (2**30, 1))
    return spread.copy_(values)


def whole(*shape, seed=0):
    """Whole numbers from 1 to 8: every float32 sum of products of them is exact, so rounding excuses nothing."""
    return torch.randint(1, 9, shape, generator=torch.Generator().manual_seed(seed)).float().to(DEVICE)


def assert_right(grad, x, eps=1e-6, weight=None):
    """No weight is 1, so that a lost or misplaced weight shows everywhere."""
    weight = (1 + 0.5 * normal(x.shape[-1], seed=9)).to(x.dtype) if weight is None else weight
    before = {"grad": grad.clone(), "x": x.clone(), "weight": weight, "eps": eps}
    assert_keeps(rms_norm_backward(grad, x, weight, eps), "rms_norm_backward/numpy", **before)


@pytest.mark.parametrize("eps", [1e-6, 1e-5])
def test_small_rows_feel_epsilon(eps):
    """Mean squares near epsilon, its place and size. Two values, so that no literal passes both."""
    assert_right(normal(2, 16, seed=1), 1e-3 * normal(2, 16), eps)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_dx_along_x_in_half_precision(dtype):
    """Squares and products kept too narrow. Stays: nothing cancels in their sum, so that small errors show."""
    x = whole(2, 64) * torch.sign(normal(2, 64))
    assert_right((whole(2, 64, seed=1) * torch.sign(x)).to(dtype), x.to(dtype), weight=(whole(64) / 8).to(dtype))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_dweight_over_many_rows_in_half_precision(dtype):
    """Sums over rows kept too narrow, within a group and between groups: all contributions have one sign."""
    assert_right((1 + normal(10, 64, seed=1) / 100).to(dtype), normal(10, 64).abs().to(dtype))


def test_a_large_half_is_squared_in_single_precision():
    """The square of 300 is beyond float16. Stays: here the square alone is to blame, not a sum."""
    x = torch.tensor([[300.0, 1, 2, 3]], device=DEVICE).half().expand(2, 4)
    assert_right(normal(2, 4).half(), x)


@pytest.mark.parametrize("width", [1, 100])
def test_a_row_ends_inside_a_block(width):
    """Padded lanes that take part in a sum or reach memory behind the row."""
    assert_right(normal(2, width, seed=1), normal(2, width))


def test_a_row_of_several_blocks():
    """Blocks that do not reach a sum, or have no program."""
    assert_right(normal(2, 2048, seed=1), normal(2, 2048))


def test_groups_of_rows_meet():
    """Rows along two axes, in two groups, the second not full: every row counts once."""
    assert_right(normal(2, 5, 8, seed=1), normal(2, 5, 8))


@pytest.mark.parametrize("which", ["grad", "x"])
def test_one_input_is_a_slice_of_a_wider_buffer(which):
    """A row stride other than the width, and not the same for both."""
    inputs = {"grad": normal(2, 8, seed=1), "x": normal(2, 8)}
    inputs[which] = normal(2, 24, seed=2)[:, 8:16]
    assert_right(**inputs)


def test_the_gradient_of_a_sum():
    """One number with strides of 0 for all elements."""
    assert_right(torch.ones((), device=DEVICE).expand(2, 8), normal(2, 8))


def test_rows_beyond_the_reach_of_an_int32():
    """Row number times stride in 32 bits: the third row lies 2^31 elements from the first."""
    assert_right(normal(3, 8, seed=1).half(), far(normal(3, 8).half()))


def test_inputs_are_left_alone():
    """dx written over grad. Stays: a kernel that is done with grad before it writes would pass all other tests."""
    grad, x = normal(2, 8, seed=1), normal(2, 8)
    before = grad.clone(), x.clone()
    rms_norm_backward(grad, x, torch.ones(8, device=DEVICE), 1e-6)
    assert torch.equal(grad, before[0]) and torch.equal(x, before[1])
