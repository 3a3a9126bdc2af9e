"""Tiles of four rows: dx along one axis of the tile, a partial dweight along the other."""

import torch
import triton
import triton.language as tl


@triton.jit
def kernel(G, X, W, DX, PARTIAL, rows, n, eps, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * ROWS + tl.arange(0, ROWS)[:, None]
    column = tl.arange(0, BLOCK)[None, :]
    mask = (row < rows) & (column < n)
    g = tl.load(G + row * n + column, mask=mask, other=0).to(tl.float32)
    x = tl.load(X + row * n + column, mask=mask, other=0).to(tl.float32)
    w = tl.load(W + column, mask=column < n, other=0).to(tl.float32)
    rstd = (1 / tl.sqrt(tl.sum(x * x, axis=1) / n + eps))[:, None]
    projection = (tl.sum(w * g * x, axis=1) / n)[:, None]
    dx = rstd * (w * g) - x * (projection * rstd * rstd * rstd)
    tl.store(DX + row * n + column, dx.to(DX.dtype.element_ty), mask=mask)
    dw = tl.sum(g * (x * rstd), axis=0)
    lanes = tl.arange(0, BLOCK)
    tl.store(PARTIAL + tl.program_id(0) * n + lanes, dw, mask=lanes < n)


def rms_norm_backward(grad, x, weight, eps):
    n = x.shape[-1]
    rows = x.numel() // n
    programs = triton.cdiv(rows, 4)
    dx = torch.empty(x.shape, dtype=x.dtype, device=x.device)
    partial = torch.empty(programs, n, dtype=torch.float32, device=x.device)
    kernel[(programs,)](
        grad.contiguous(), x.contiguous(), weight.contiguous(), dx, partial, rows, n, eps,
        ROWS=4, BLOCK=triton.next_power_of_2(n),
    )
    return dx, partial.sum(0).to(weight.dtype)
