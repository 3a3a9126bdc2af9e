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


def test_what_a_kernel_leaves_unwritten_shows():
    target = torch.empty(8)
    copy[(1,)](torch.ones(8), target, 7, BLOCK=8)
    assert target[:7].tolist() == [1] * 7 and target[7].isnan()


def test_a_right_kernel_raises_no_fault():
    source, target = torch.randn(1000), torch.full((1000,), torch.nan)
    copy[(4,)](source, target, 1000, BLOCK=256)
    assert torch.equal(source, target)


@triton.jit
def sort_and_flip(X, SORTED, FLIPPED, JOINED, N: tl.constexpr):
    lanes = tl.arange(0, N)
    x = tl.load(X + lanes)
    tl.store(SORTED + lanes, tl.sort(x))
    tl.store(FLIPPED + lanes, tl.flip(x, 0))
    joined = tl.interleave(x, -x)
    tl.store(JOINED + tl.arange(0, 2 * N), joined)


@triton.jit
def by_descriptor(X, Y, rows, columns, R: tl.constexpr, C: tl.constexpr):
    source = tl.make_tensor_descriptor(X, shape=[rows, columns], strides=[columns, 1], block_shape=[R, C])
    target = tl.make_tensor_descriptor(Y, shape=[rows, columns], strides=[columns, 1], block_shape=[R, C])
    for start in range(0, columns, C):
        target.store([0, start], source.load([0, start]))


@triton.jit
def with_more_atomics(X, MOST, LEAST, EITHER):
    x = tl.load(X + tl.program_id(0))
    tl.atomic_max(MOST, x)
    tl.atomic_min(LEAST, x)
    tl.atomic_or(EITHER, x)


@triton.jit
def distant(X, n, stride):
    offset = n * stride
    tl.store(X + offset, 1)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16, torch.int32])
def test_moving_data_about_keeps_it(dtype):
    x = torch.randperm(16, generator=torch.Generator().manual_seed(0)).to(dtype)
    ordered, flipped, joined = torch.empty_like(x), torch.empty_like(x), torch.empty(32, dtype=dtype)
    sort_and_flip[(1,)](x, ordered, flipped, joined, N=16)
    assert ordered.tolist() == list(range(16))
    assert torch.equal(flipped, x.flip(0))
    assert torch.equal(joined, torch.stack([x, -x], dim=-1).flatten())


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_tensor_descriptors_mask_by_themselves(dtype):
    x, y = torch.randn(3, 40).to(dtype), torch.empty(3, 40, dtype=dtype)
    by_descriptor[(1,)](x, y, 3, 40, R=4, C=16)
    assert torch.equal(x, y)


def test_integer_atomics():
    x = torch.tensor([5, 2, 9, 4], dtype=torch.int32)
    most, least, either = (torch.tensor([3], dtype=torch.int32) for _ in range(3))
    with_more_atomics[(4,)](x, most, least, either)
    assert [most.item(), least.item(), either.item()] == [9, 2, 15]


def test_an_offset_that_overflows_int32_is_out_of_bounds():
    # Two elements 2**31 apart: storage that nobody touches, of which the system hands out nothing.
    storage = torch.UntypedStorage(2**31 + 8)
    far = torch.empty(0, dtype=torch.int8).set_(storage, 0, (2,), (2**31,))
    with pytest.raises(Fault, match=r"store at X\[-2147483648\]"):
        distant[(1,)](far, 2**16, 2**15)
