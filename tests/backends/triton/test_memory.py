"""What a GPU leaves undefined becomes a Fault that says where."""

import pytest
import torch
import triton
import triton.language as tl

from mutakata.backends.triton import Fault


@triton.jit
def copy(SOURCE, TARGET, n, BLOCK: tl.constexpr):
    lanes = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(TARGET + lanes, tl.load(SOURCE + lanes, mask=lanes < n), mask=lanes < n)


@triton.jit
def load_unmasked(SOURCE, TARGET, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    tl.store(TARGET, tl.sum(tl.load(SOURCE + lanes)))


@triton.jit
def store_unmasked(TARGET, BLOCK: tl.constexpr):
    lanes = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(TARGET + lanes, 1.0)  # no mask


def test_a_load_past_the_end_is_a_fault_even_where_memory_follows():
    whole = torch.ones(16)
    with pytest.raises(Fault) as caught:
        load_unmasked[(1,)](whole[:6], torch.empty(1), BLOCK=8)
    assert caught.value.kind == "out of bounds"
    assert "load at SOURCE[6] to SOURCE[7] (2 lanes); SOURCE ends after 6 elements" in str(caught.value)


def test_a_store_past_the_end_names_kernel_program_and_line():
    with pytest.raises(Fault) as caught:
        store_unmasked[(2,)](torch.empty(12), BLOCK=8)
    said = str(caught.value)
    assert "program 1 of store_unmasked, store at TARGET[12] to TARGET[15] (4 lanes)" in said
    assert "test_memory.py" in said and "tl.store(TARGET + lanes, 1.0)  # no mask" in said


def test_a_fault_fails_a_test_in_its_own_words():
    assert issubclass(Fault, AssertionError)


def test_a_right_kernel_raises_no_fault():
    source, target = torch.randn(1000), torch.full((1000,), torch.nan)
    copy[(4,)](source, target, 1000, BLOCK=256)
    assert torch.equal(source, target)
