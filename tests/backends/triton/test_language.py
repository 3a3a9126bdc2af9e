"""Poisoned lanes, libdevice, operators and arguments: the language as the compiler reads it."""

import math

import numpy as np
import pytest
import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice
from triton.language.extra.cuda.libdevice import rsqrt as cuda_rsqrt

WIDTH = 64


@triton.jit
def reduce_masked(X, SUM, MAX, MIN, n, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    x = tl.load(X + lanes, mask=lanes < n)
    tl.store(SUM, tl.sum(x))
    tl.store(MAX, tl.max(x))
    tl.store(MIN, tl.min(x))


@triton.jit
def masked_integers(X, Y, n, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    tl.store(Y, tl.sum(tl.load(X + lanes, mask=lanes < n)))


@triton.jit
def scans(X, SUM, REVERSED, PRODUCT, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    x = tl.load(X + lanes)
    tl.store(SUM + lanes, tl.cumsum(x, 0))
    tl.store(REVERSED + lanes, tl.cumsum(x, 0, reverse=True))
    tl.store(PRODUCT + lanes, tl.cumprod(x, 0))


@triton.jit
def _longer(left, right):
    return tl.where((left > right) and (left > 0.0), left, right)


@triton.jit
def rows_and_columns(X, Y, INDEX, LONGER, rows, columns, R: tl.constexpr, C: tl.constexpr):
    r, c = tl.arange(0, R)[:, None], tl.arange(0, C)[None, :]
    mask = (r < rows) and (c < columns)
    x = tl.load(X + r * columns + c, mask=mask, other=-1.0)
    tl.store(Y + tl.arange(0, R), tl.max(x, axis=1), mask=tl.arange(0, R) < rows)
    tl.store(INDEX + tl.arange(0, R), tl.argmax(x, axis=1), mask=tl.arange(0, R) < rows)
    tl.store(LONGER + tl.arange(0, R), tl.reduce(x, 1, _longer), mask=tl.arange(0, R) < rows)


@triton.jit
def library(X, RSQRT, CUDA, TANH, ERF, EXP, FMA, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    x = tl.load(X + lanes)
    tl.store(RSQRT + lanes, libdevice.rsqrt(x))
    tl.store(CUDA + lanes, cuda_rsqrt(x))
    tl.store(TANH + lanes, libdevice.tanh(x))
    tl.store(ERF + lanes, tl.math.erf(x))
    tl.store(EXP + lanes, libdevice.exp(x))
    tl.store(FMA + lanes, libdevice.fma(x, x, -x * x))


@triton.jit
def scalar_argument(Y, value):
    tl.store(Y, (value + 1.0).to(tl.float64))


@triton.jit
def matrix_product(A, B, C, N: tl.constexpr, PRECISION: tl.constexpr):
    r, c = tl.arange(0, N)[:, None], tl.arange(0, N)[None, :]
    product = tl.dot(tl.load(A + r * N + c), tl.load(B + r * N + c), input_precision=PRECISION)
    tl.store(C + r * N + c, product)


@triton.jit
def largest(X, Y, PAIR, PROPAGATED, ALL, CLAMPED, N: tl.constexpr):
    lanes = tl.arange(0, N)
    x, y = tl.load(X + lanes), tl.load(Y + lanes)
    tl.store(PAIR + lanes, tl.maximum(x, y))
    tl.store(PROPAGATED + lanes, tl.maximum(x, y, propagate_nan=tl.PropagateNan.ALL))
    tl.store(ALL, tl.max(x))
    tl.store(CLAMPED + lanes, tl.clamp(x, 0.0, 2.0))


@triton.jit
def optional(X, BIAS, HAS_BIAS: tl.constexpr):
    if HAS_BIAS and tl.load(BIAS) > 0:
        tl.store(X, 1.0)
    if not HAS_BIAS or tl.load(BIAS) > 0:
        tl.store(X, 2.0)


@triton.jit
def nothing(X):
    tl.store(X, 1.0)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
def test_lanes_masked_without_other_reach_every_reduction(dtype):
    x = torch.ones(61, dtype=dtype)
    total, most, least = (torch.zeros(1, dtype=dtype) for _ in range(3))
    reduce_masked[(1,)](x, total, most, least, 61, BLOCK=WIDTH)
    assert not any(math.isfinite(value.item()) for value in (total, most, least))
    reduce_masked[(1,)](torch.ones(64, dtype=dtype), total, most, least, 64, BLOCK=WIDTH)
    assert [value.item() for value in (total, most, least)] == [64, 1, 1]


def test_a_maximum_ignores_nan_unless_asked():
    x, y = torch.tensor([1.0, torch.nan, 3.0, torch.nan]), torch.tensor([torch.nan, 2.0, 4.0, torch.nan])
    pair, propagated, most, clamped = (torch.zeros(4) for _ in range(4))
    largest[(1,)](x, y, pair, propagated, most, clamped, N=4)
    assert pair[:3].tolist() == [1, 2, 4] and pair[3].isnan()
    assert propagated.isnan().tolist() == [True, True, False, True]
    assert most[0].item() == 3
    assert clamped.tolist() == [1, 0, 2, 0]


def test_masked_integers_are_poisoned_too():
    total = torch.zeros(1, dtype=torch.int64)
    masked_integers[(1,)](torch.ones(63, dtype=torch.int64), total, 63, BLOCK=WIDTH)
    assert abs(total.item()) > 2**60


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
def test_scans_of_exact_values(dtype):
    x = torch.tensor([1.0, 2, 1, 1, 2, 1, 1, 1], dtype=dtype)
    forward, backward, product = (torch.empty_like(x) for _ in range(3))
    scans[(1,)](x, forward, backward, product, BLOCK=8)
    assert forward.tolist() == [1, 3, 4, 5, 7, 8, 9, 10]
    assert backward.tolist() == [10, 9, 7, 6, 5, 3, 2, 1]
    assert product.tolist() == [1, 2, 2, 2, 4, 4, 4, 4]


def test_and_on_blocks_is_elementwise_and_reductions_keep_the_first_of_equals():
    x = torch.tensor([[3.0, 7, 7, 1, 0], [5, 0, 0, 5, 5], [1, 2, 3, 4, 9]])
    most, index, longer = torch.empty(3), torch.empty(3, dtype=torch.int32), torch.empty(3)
    rows_and_columns[(1,)](x, most, index, longer, 3, 5, R=4, C=8)
    assert most.tolist() == longer.tolist() == [7, 5, 9]
    assert index.tolist() == [1, 0, 4]


def test_a_constant_cuts_short_as_in_the_compiler():
    x = torch.zeros(1)
    optional[(1,)](x, None, HAS_BIAS=False)
    assert x.item() == 2
    optional[(1,)](x, torch.zeros(1), HAS_BIAS=True)
    assert x.item() == 2


def test_library_functions_have_bodies():
    x = torch.rand(WIDTH, generator=torch.Generator().manual_seed(0)) * 4 + 0.1
    out = [torch.empty(WIDTH) for _ in range(6)]
    library[(1,)](x, *out, BLOCK=WIDTH)
    wide = x.double()
    square = (x * x).double()
    expected = [wide.rsqrt(), wide.rsqrt(), wide.tanh(), wide.erf(), wide.exp(), wide * wide - square]
    for value, exact in zip(out, expected, strict=True):
        # One rounding in fp32: half a spacing, 2**-24 relative.
        assert torch.all((value.double() - exact).abs() <= 2.0**-24 * exact.abs())
    assert out[5].any(), "a fused multiply-add keeps what the product's rounding loses"


def test_float_arguments_are_fp32():
    seen = torch.zeros(1, dtype=torch.float64)
    scalar_argument[(1,)](seen, 0.1)
    assert seen.item() == float(np.float32(np.float32(0.1) + np.float32(1)))


def test_dot_sums_16_bit_products_in_fp32_and_rounds_fp32_operands_to_tf32():
    n = 16
    low = torch.full((n, n), 1 + 2.0**-7, dtype=torch.bfloat16)
    product = torch.empty(n, n)
    matrix_product[(1,)](low, low, product, N=n, PRECISION="ieee")
    assert torch.all(product == n * (1 + 2.0**-7) ** 2)
    fine = torch.full((n, n), 1 + 2.0**-12)
    matrix_product[(1,)](fine, torch.ones(n, n), product, N=n, PRECISION="tf32")
    assert torch.all(product == n)
    matrix_product[(1,)](fine, torch.ones(n, n), product, N=n, PRECISION="ieee")
    assert torch.all(product == n * (1 + 2.0**-12))


@pytest.mark.parametrize("warps", [3, 6, 0])
def test_a_number_of_warps_that_the_compiler_refuses_is_refused(warps):
    with pytest.raises(ValueError, match="powers of two"):
        nothing[(1,)](torch.zeros(1), num_warps=warps)


def test_a_grid_that_no_gpu_takes_is_refused():
    with pytest.raises(ValueError, match="65535"):
        nothing[(1, 70000)](torch.zeros(1))
