"""The arithmetic of a GPU: every operation rounds to its dtype, reductions are trees in it."""

import ml_dtypes
import numpy as np
import pytest
import torch
import triton
import triton.language as tl


@triton.jit
def sequential_sum(X, Y, N: tl.constexpr):
    one = tl.load(X)
    total = one - one
    for _ in range(N):
        total += one
    tl.store(Y, total)


@triton.jit
def tree_sum(X, Y, N: tl.constexpr):
    tl.store(Y, tl.sum(tl.load(X + tl.arange(0, N))))


@triton.jit
def scan(X, Y, N: tl.constexpr):
    tl.store(Y + tl.arange(0, N), tl.cumsum(tl.load(X + tl.arange(0, N)), 0))


@triton.jit
def convert(X, Y, N: tl.constexpr):
    lanes = tl.arange(0, N)
    tl.store(Y + lanes, tl.load(X + lanes).to(Y.dtype.element_ty))


@triton.jit
def operate(X, Y, ADD, MUL, N: tl.constexpr):
    lanes = tl.arange(0, N)
    x, y = tl.load(X + lanes), tl.load(Y + lanes)
    tl.store(ADD + lanes, x + y)
    tl.store(MUL + lanes, x * y)


def bits(tensor):
    return tensor.view(torch.uint16).numpy()


@pytest.mark.parametrize(("dtype", "stalls"), [(torch.bfloat16, 256), (torch.float16, 2048)])
def test_ones_summed_one_by_one_stall_where_the_spacing_reaches_two(dtype, stalls):
    ones, total = torch.ones(4096, dtype=dtype), torch.empty(1, dtype=dtype)
    sequential_sum[(1,)](ones, total, N=4096)
    assert total.item() == stalls


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.float32])
def test_ones_summed_as_a_tree_are_exact(dtype):
    ones, total = torch.ones(4096, dtype=dtype), torch.empty(1, dtype=dtype)
    tree_sum[(1,)](ones, total, N=4096)
    assert total.item() == 4096


def test_a_scan_of_ones_does_not_stall():
    ones, sums = torch.ones(4096, dtype=torch.bfloat16), torch.empty(4096, dtype=torch.bfloat16)
    scan[(1,)](ones, sums, N=4096)
    assert torch.equal(sums[[255, 511, 4095]], torch.tensor([256.0, 512, 4096], dtype=torch.bfloat16))


def test_tree_sum_rounds_at_every_level():
    # Between 256 and 512 bf16 holds even numbers only: 256 + 1 is 256. Levels: 256 1 1 1, then 256 2, then 258.
    # Summed in fp32 and rounded at the end, 259 would become 260.
    x = torch.tensor([256.0, 1, 1, 1, 0, 0, 0, 0], dtype=torch.bfloat16)
    total = torch.empty(1, dtype=torch.bfloat16)
    tree_sum[(1,)](x, total, N=8)
    assert total.item() == 258


@pytest.mark.parametrize(
    ("dtype", "numpy_dtype"), [(torch.bfloat16, ml_dtypes.bfloat16), (torch.float16, np.float16)]
)
def test_stores_round_to_nearest_even(dtype, numpy_dtype):
    x = torch.randn(4096, generator=torch.Generator().manual_seed(0)) * 10.0 ** torch.randint(-8, 5, (4096,))
    x[:6] = torch.tensor([1 + 2**-8, 1 + 3 * 2**-8, 1 + 2**-11, 1 + 3 * 2**-11, 1e39, -0.0])
    rounded = torch.empty(4096, dtype=dtype)
    convert[(1,)](x, rounded, N=4096)
    with np.errstate(over="ignore"):
        expected = x.numpy().astype(numpy_dtype).view(np.uint16)
    assert np.array_equal(bits(rounded), expected)


def test_all_bf16_bit_patterns_survive_a_round_trip():
    patterns = torch.arange(65536, dtype=torch.int32).to(torch.uint16).view(torch.bfloat16)
    wide = torch.empty(65536)
    convert[(1,)](patterns, wide, N=65536)
    assert torch.equal(wide.isnan(), patterns.isnan())
    back = torch.empty_like(patterns)
    convert[(1,)](wide, back, N=65536)
    number = ~patterns.isnan()
    assert np.array_equal(bits(back)[number], bits(patterns)[number])


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_each_operation_rounds_as_torch_does(dtype):
    generator = torch.Generator().manual_seed(1)
    x, y = (torch.randn(1024, generator=generator).to(dtype) for _ in range(2))
    added, multiplied = torch.empty_like(x), torch.empty_like(x)
    operate[(1,)](x, y, added, multiplied, N=1024)
    assert torch.equal(added, x + y)
    assert torch.equal(multiplied, x * y)


@triton.jit
def truncate(X, Y, N: tl.constexpr):
    lanes = tl.arange(0, N)
    tl.store(Y + lanes, tl.load(X + lanes).to(Y.dtype.element_ty, fp_downcast_rounding="rtz"))


@triton.jit
def fuse(X, Y, FUSED, N: tl.constexpr):
    lanes = tl.arange(0, N)
    x, y = tl.load(X + lanes), tl.load(Y + lanes)
    tl.store(FUSED + lanes, tl.fma(x, x, y))


def test_truncation_happens_where_it_is_asked_for():
    x = torch.tensor([1 + 3 * 2.0**-9, -1 - 3 * 2.0**-9, 2 - 2.0**-10, 0.0])
    cut = torch.empty(4, dtype=torch.bfloat16)
    truncate[(1,)](x, cut, N=4)
    assert cut.tolist() == [1, -1, 2 - 2.0**-7, 0]


@pytest.mark.parametrize(
    ("dtype", "bits_kept"), [(torch.bfloat16, 8), (torch.float16, 11), (torch.float32, 24)]
)
def test_a_fused_multiply_add_rounds_once(dtype, bits_kept):
    # (1 + s)**2 - (1 + 2s) is s**2 exactly; two roundings lose it, where s is the spacing at 1.
    s = 2.0 ** (1 - bits_kept)
    x, y = torch.full((8,), 1 + s, dtype=dtype), torch.full((8,), -1 - 2 * s, dtype=dtype)
    fused = torch.empty_like(x)
    fuse[(1,)](x, y, fused, N=8)
    assert torch.all(fused == torch.tensor(s * s, dtype=dtype)) and fused.any()
