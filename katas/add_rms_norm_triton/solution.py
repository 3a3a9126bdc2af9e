"""Kills every mutant of the fused residual addition and RMSNorm: one test for each regime."""

import pytest
import torch
from mutakata.backends import triton as backend
from mutakata.numerics import assert_keeps

backend.activate()  # before triton is imported: without a GPU, kernels run in a checked interpreter

from add_rms_norm import add_rms_norm  # noqa: E402

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
    """Whole numbers: every float32 sum of their squares is exact, so rounding excuses nothing in the statistic."""
    return torch.randint(-20, 21, shape, generator=torch.Generator().manual_seed(seed)).float().to(DEVICE)


def arguments(x, residual, eps=1e-6):
    """No weight is 1, so that a lost or misplaced weight shows everywhere."""
    weight = (1 + 0.5 * normal(x.shape[-1], seed=9)).to(x.dtype)
    return {"x": x, "residual": residual, "weight": weight, "eps": eps}


def assert_right(x, residual, eps=1e-6):
    inputs = arguments(x, residual, eps)
    before = inputs | {"x": x.clone(), "residual": residual.clone()}
    assert_keeps(add_rms_norm(**inputs), "add_rms_norm/numpy", **before)


@pytest.mark.parametrize("eps", [1e-6, 1e-5])
def test_small_rows_feel_epsilon(eps):
    """Mean squares near epsilon, its place and size. Two values, so that no literal passes both."""
    assert_right(1e-3 * normal(2, 64), 1e-3 * normal(2, 64, seed=1), eps)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_is_rounded_where_the_contract_says(dtype):
    """Squares, sums, statistics, products too narrow; casts too early. Stays: exact sums, so that little is excused."""
    assert_right(whole(2, 512).to(dtype), (normal(2, 512) / 8 + whole(2, 512, seed=1)).to(dtype))


def test_a_large_half_is_squared_in_single_precision():
    """The square of 300 is beyond float16. Stays: here the square alone is to blame, not its sum."""
    x = torch.tensor([[200.0, 0, 0, 0, 0, 0, 0, 0]], device=DEVICE).half()
    assert_right(x, x / 2)


@pytest.mark.parametrize("width", [1, 100, 1025, 2048])
def test_every_width_is_normalised_to_its_end(width):
    """Padded lanes, a ragged last block, several blocks, a single lane."""
    assert_right(normal(2, width), normal(2, width, seed=1))


def test_every_row_is_normalised():
    """More rows than a small grid has programs, along two axes."""
    assert_right(normal(2, 3, 8), normal(2, 3, 8, seed=1))


@pytest.mark.parametrize("x_start, residual_start", [(0, None), (None, 16)])
def test_slices_of_wider_buffers(x_start, residual_start):
    """Row strides other than the width. Stays: here the other input has its own, and no gigabytes are asked for."""
    x, residual = (
        normal(3, 16, seed=seed) if start is None else normal(3, 48, seed=seed)[:, start : start + 16]
        for seed, start in enumerate((x_start, residual_start))
    )
    assert_right(x, residual)


def test_transposed_views():
    """Neighbours in a row that are no neighbours in memory."""
    assert_right(normal(16, 3).T, normal(16, 3, seed=1).T)


def test_rows_beyond_the_reach_of_an_int32():
    """Row number times stride in 32 bits: the third row lies 2^31 elements from the first."""
    assert_right(far(normal(3, 8).half()), normal(3, 8, seed=1).half())


def test_inputs_are_left_alone():
    """Outputs written over the inputs. Contiguous, where the launcher makes no copy."""
    inputs = arguments(normal(2, 16), normal(2, 16, seed=1))
    before = {name: inputs[name].clone() for name in ("x", "residual", "weight")}
    add_rms_norm(**inputs)
    for name, value in before.items():
        assert torch.equal(inputs[name], value), name
