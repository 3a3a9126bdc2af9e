"""Kills every mutant of the online softmax: one test for each regime, and what it alone can see."""

import pytest
import torch
from mutakata.backends import triton as backend
from mutakata.numerics import assert_keeps

backend.activate()  # before triton is imported: without a GPU, kernels run in a checked interpreter

from softmax import softmax  # noqa: E402

DEVICE = "cuda" if backend.on_gpu() else "cpu"
MASKED = -float("inf")


def normal(*shape, seed=0):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed)).to(DEVICE)


def far(values):
    """The same rows 2^30 elements apart, in memory that is reserved and hardly touched."""
    rows, n = values.shape
    storage = torch.UntypedStorage(((rows - 1) * 2**30 + n) * values.element_size(), device=DEVICE)
    spread = torch.empty(0, dtype=values.dtype, device=DEVICE).set_(storage, 0, (rows, n), (2**30, 1))
    return spread.copy_(values)


def assert_right(x):
    before = x.clone()
    assert_keeps(softmax(x), "softmax/online", x=before)


@pytest.mark.parametrize("level", [990, -200])
def test_scores_of_any_size(level):
    """Exponentials that overflow, or all vanish, unless the row's own maximum is subtracted."""
    assert_right(level + 4 * normal(2, 16))


@pytest.mark.parametrize("step", [5, -60])
def test_the_maximum_moves_along_a_row(step):
    """A sum that is not rescaled as the maximum rises; a maximum that is forgotten as scores fall."""
    assert_right(normal(1, 3072) + step * (torch.arange(3072, device=DEVICE) // 1024))


@pytest.mark.parametrize("width", [1, 100, 1100])
def test_every_width_to_its_end(width):
    """Padded lanes that take part, or a tail that does not. All scores are negative: 0 would be a maximum."""
    assert_right(normal(2, width) - 5)


def test_a_fully_masked_row_gives_zeros():
    """-inf - -inf and 0 / 0, or an even distribution over masked elements."""
    x = normal(2, 16)
    x[0] = MASKED
    assert_right(x)


def test_a_masked_first_block_is_forgotten():
    """A NaN that outlives the block in which nothing was visible."""
    x = normal(1, 2048)
    x[:, :1024] = MASKED
    assert_right(x)


def test_a_nan_makes_its_row_nan():
    """A NaN that is taken for a mask. The contract asks for a row of NaN, and for its neighbour as it is."""
    x = normal(2, 16)
    x[0, 3] = float("nan")
    assert_right(x)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_is_rounded_once(dtype):
    """A narrow sum, a quotient of rounded numbers, a result that stays wide."""
    assert_right(normal(2, 256).to(dtype))


def test_every_row_is_written():
    """More rows than a small grid has programs, along two axes."""
    assert_right(normal(2, 3, 8))


def test_a_slice_of_a_wider_buffer():
    """A row stride other than the width. Stays: the stride of every day, where a later test asks for 4 GiB."""
    assert_right(normal(2, 48)[:, 16:32])


def test_a_transposed_view():
    """Neighbours in a row that are no neighbours in memory."""
    assert_right(normal(16, 2).T)


def test_rows_beyond_the_reach_of_an_int32():
    """Row number times stride in 32 bits: the third row lies 2^31 elements from the first."""
    assert_right(far(normal(3, 8).half()))


def test_the_scores_are_left_alone():
    """A result written over them."""
    x = normal(2, 16)
    before = x.clone()
    softmax(x)
    assert torch.equal(x, before)
