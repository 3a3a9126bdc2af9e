"""One kernel, one program for each row, which adds its own contribution to dweight by an atomic."""

import torch
import triton
import triton.language as tl


@triton.jit
def kernel(G, X, W, DX, DW, n, eps, BLOCK: tl.constexpr):
    first = tl.program_id(0).to(tl.int64) * n
    squares, products = 0.0, 0.0
    for start in range(0, n, BLOCK):
        at = start + tl.arange(0, BLOCK)
        g = tl.load(G + first + at, mask=at < n, other=0).to(tl.float32)
        x = tl.load(X + first + at, mask=at < n, other=0).to(tl.float32)
        w = tl.load(W + at, mask=at < n, other=0).to(tl.float32)
        squares += tl.sum(x * x)
        products += tl.sum(x * (g * w))
    rstd = 1 / tl.sqrt(squares / n + eps)
    for start in range(0, n, BLOCK):
        at = start + tl.arange(0, BLOCK)
        g = tl.load(G + first + at, mask=at < n, other=0).to(tl.float32)
        x = tl.load(X + first + at, mask=at < n, other=0).to(tl.float32)
        w = tl.load(W + at, mask=at < n, other=0).to(tl.float32)
        dx = w * g * rstd - x * (products / n * (rstd * rstd * rstd))
        tl.store(DX + first + at, dx.to(DX.dtype.element_ty), mask=at < n)
        tl.atomic_add(DW + at, g * x * rstd, mask=at < n, sem="relaxed")


def rms_norm_backward(grad, x, weight, eps):
    n = x.shape[-1]
    dx = torch.empty(x.shape, dtype=x.dtype, device=x.device)
    dweight = torch.zeros(n, dtype=torch.float32, device=x.device)
    grid = (x.numel() // n,)
    kernel[grid](grad.contiguous(), x.contiguous(), weight.contiguous(), dx, dweight, n, eps, BLOCK=512)
    return dx, dweight.to(weight.dtype)
