"""Each block of a row has a program: partial maxima and sums first, joined by everyone who needs them."""

import torch
import triton
import triton.language as tl


@triton.jit
def partial_kernel(X, TOPS, TOTALS, n, blocks, BLOCK: tl.constexpr):
    row, part = tl.program_id(0).to(tl.int64), tl.program_id(1)
    at = part * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(X + row * n + at, mask=at < n, other=float("-inf")).to(tl.float32)
    top = tl.max(x)
    tl.store(TOPS + row * blocks + part, top)
    tl.store(TOTALS + row * blocks + part, tl.sum(tl.exp(x - tl.where(top == float("-inf"), 0.0, top))))


@triton.jit
def scale_kernel(X, Y, TOPS, TOTALS, n, blocks, BLOCK: tl.constexpr, PARTS: tl.constexpr):
    row, part = tl.program_id(0).to(tl.int64), tl.program_id(1)
    parts = tl.arange(0, PARTS)
    tops = tl.load(TOPS + row * blocks + parts, mask=parts < blocks, other=float("-inf"))
    totals = tl.load(TOTALS + row * blocks + parts, mask=parts < blocks, other=0.0)
    top = tl.max(tops)
    top = tl.where(top == float("-inf"), 0.0, top)
    total = tl.sum(totals * tl.exp(tops - top))
    at = part * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(X + row * n + at, mask=at < n, other=0.0).to(tl.float32)
    y = tl.exp(x - top) / tl.where(total == 0, 1.0, total)
    tl.store(Y + row * n + at, y.to(Y.dtype.element_ty), mask=at < n)


def softmax(x):
    n = x.shape[-1]
    rows, blocks = x.numel() // n, triton.cdiv(n, 1024)
    data = x.contiguous()
    y = torch.empty(x.shape, dtype=x.dtype, device=x.device)
    tops, totals = torch.empty(2, rows, blocks, dtype=torch.float32, device=x.device)
    partial_kernel[(rows, blocks)](data, tops, totals, n, blocks, BLOCK=1024)
    parts = triton.next_power_of_2(blocks)
    scale_kernel[(rows, blocks)](data, y, tops, totals, n, blocks, BLOCK=1024, PARTS=parts)
    return y
