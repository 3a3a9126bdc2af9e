"""Kills every mutant of the SwiGLU kernel: one test for each regime, and what it alone can see."""

import pytest
import torch
from mutakata.backends import triton as backend
from mutakata.numerics import assert_keeps

backend.activate()  # before triton is imported: without a GPU, kernels run in a checked interpreter

from swiglu import swiglu  # noqa: E402

DEVICE = "cuda" if backend.on_gpu() else "cpu"


def normal(*shape, seed=0):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed)).to(DEVICE)


def far(values):
    """The same rows 2^30 elements apart, in memory that is reserved and hardly touched."""
    rows, n = values.shape
    storage = torch.UntypedStorage(((rows - 1) * 2**30 + n) * values.element_size(), device=DEVICE)
    spread = torch.empty(0, dtype=values.dtype, device=DEVICE).set_(storage, 0, (rows, n), (2**30, 1))
    return spread.copy_(values)


def assert_right(gate, up):
    before = {"gate": gate.clone(), "up": up.clone()}
    assert_keeps(swiglu(gate, up), "swiglu/numpy", **before)


def test_both_tails_of_the_activation():
    """Gates from -40 to 40: its shape, its small values, and which of the two inputs it is applied to."""
    assert_right(torch.linspace(-40, 40, 256, device=DEVICE).reshape(2, 128), normal(2, 128))


def test_an_exponential_that_overflows():
    """inf / inf on one side or the other."""
    assert_right(torch.tensor([[-120.0, 120, -89, 89]], device=DEVICE), normal(1, 4))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_is_rounded_once(dtype):
    """A rounding in the middle; a result that stays wide."""
    assert_right(normal(2, 256).to(dtype), normal(2, 256, seed=1).to(dtype))


def test_a_row_ends_inside_a_block():
    """Padded lanes that read or write beyond the row; a tail without a program."""
    assert_right(normal(2, 100), normal(2, 100, seed=1))


def test_a_row_of_several_blocks():
    """Programs that are missing along a row."""
    assert_right(normal(1, 2048), normal(1, 2048, seed=1))


def test_every_row_is_written():
    """More rows than a small grid has programs, along two axes."""
    assert_right(normal(2, 3, 8), normal(2, 3, 8, seed=1))


@pytest.mark.parametrize("which", ["gate", "up"])
def test_one_input_is_a_slice_of_a_wider_buffer(which):
    """A row stride other than the width. Stays: here each input in turn, and no gigabytes are asked for."""
    inputs = {"gate": normal(2, 16), "up": normal(2, 16, seed=1)}
    inputs[which] = normal(2, 48, seed=2)[:, 16:32]
    assert_right(**inputs)


def test_transposed_views():
    """Neighbours in a row that are no neighbours in memory."""
    assert_right(normal(16, 2).T, normal(16, 2, seed=1).T)


def test_rows_beyond_the_reach_of_an_int32():
    """Row number times stride in 32 bits: the third row lies 2^31 elements from the first."""
    assert_right(far(normal(3, 8).half()), normal(3, 8, seed=1).half())


def test_inputs_are_left_alone():
    """A result written over one of them. Halves of one projection, as a model has them."""
    gate, up = normal(2, 32).chunk(2, dim=-1)
    before = gate.clone(), up.clone()
    swiglu(gate, up)
    assert torch.equal(gate, before[0]) and torch.equal(up, before[1])
