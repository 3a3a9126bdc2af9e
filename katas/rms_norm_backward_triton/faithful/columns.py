"""dweight by programs that own their columns and walk all rows: neither atomics nor buffers."""

import torch
import triton
import triton.language as tl


@triton.jit
def rows_kernel(G, X, W, DX, RSTD, n, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    lanes = tl.arange(0, BLOCK)
    mask = lanes < n
    g = tl.load(G + row * n + lanes, mask=mask, other=0).to(tl.float32)
    x = tl.load(X + row * n + lanes, mask=mask, other=0).to(tl.float32)
    g *= tl.load(W + lanes, mask=mask, other=0).to(tl.float32)
    rstd = tl.rsqrt(tl.sum(x * x) / n + eps)
    dx = g * rstd - x * (rstd * rstd * rstd * (tl.sum(g * x) / n))
    tl.store(RSTD + row, rstd)
    tl.store(DX + row * n + lanes, dx.to(DX.dtype.element_ty), mask=mask)


@triton.jit
def columns_kernel(G, X, RSTD, DW, rows, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    total = tl.zeros([BLOCK], tl.float32)
    for row in range(0, rows):
        g = tl.load(G + at, mask=at < n, other=0).to(tl.float32)
        x = tl.load(X + at, mask=at < n, other=0).to(tl.float32)
        total += g * (x * tl.load(RSTD + row))
        G += n
        X += n
    tl.store(DW + at, total.to(DW.dtype.element_ty), mask=at < n)


def rms_norm_backward(grad, x, weight, eps):
    n = x.shape[-1]
    rows = x.numel() // n
    g, a = grad.contiguous(), x.contiguous()
    dx = torch.empty(x.shape, dtype=x.dtype, device=x.device)
    rstd = torch.empty(rows, dtype=torch.float32, device=x.device)
    dweight = torch.empty(n, dtype=weight.dtype, device=x.device)
    rows_kernel[(rows,)](g, a, weight.contiguous(), dx, rstd, n, eps, BLOCK=triton.next_power_of_2(n))
    columns_kernel[(triton.cdiv(n, 256),)](g, a, rstd, dweight, rows, n, BLOCK=256)
    return dx, dweight
