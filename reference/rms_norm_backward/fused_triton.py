"""Gradients of RMSNorm in Triton: dx row by row, then dweight column by column, over groups of rows."""

import torch
import triton
import triton.language as tl

MAX_BLOCK = 1024  # columns held in registers at a time; wider rows take several rounds
ROWS = 8  # rows that one program sums for dweight before it adds to what the others found


@triton.jit
def dx_kernel(
    grad_ptr, x_ptr, weight_ptr, dx_ptr, rstd_ptr,
    grad_stride, x_stride, dx_stride, columns, eps, BLOCK: tl.constexpr,
):  # fmt: skip
    """Strides are elements between two rows; the elements of a row lie together."""
    row = tl.program_id(0).to(tl.int64)  # row * stride passes 2^31 on large tensors
    grad_ptr += row * grad_stride
    x_ptr += row * x_stride
    dx_ptr += row * dx_stride

    squares = tl.zeros([BLOCK], tl.float32)
    products = tl.zeros([BLOCK], tl.float32)
    for start in range(0, columns, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        inside = offsets < columns
        grad = tl.load(grad_ptr + offsets, mask=inside, other=0.0).to(tl.float32)
        x = tl.load(x_ptr + offsets, mask=inside, other=0.0).to(tl.float32)
        weight = tl.load(weight_ptr + offsets, mask=inside, other=0.0).to(tl.float32)
        squares += x * x
        products += weight * grad * x
    rstd = 1 / tl.sqrt(tl.sum(squares, axis=0) / columns + eps)
    projection = tl.sum(products, axis=0) / columns
    tl.store(rstd_ptr + row, rstd)

    along_x = projection * rstd * rstd * rstd
    for start in range(0, columns, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        inside = offsets < columns
        grad = tl.load(grad_ptr + offsets, mask=inside, other=0.0).to(tl.float32)
        x = tl.load(x_ptr + offsets, mask=inside, other=0.0).to(tl.float32)
        weight = tl.load(weight_ptr + offsets, mask=inside, other=0.0).to(tl.float32)
        dx = rstd * (weight * grad) - along_x * x
        tl.store(dx_ptr + offsets, dx.to(dx_ptr.dtype.element_ty), mask=inside)


@triton.jit
def dweight_kernel(
    grad_ptr, x_ptr, rstd_ptr, dweight_ptr, grad_stride, x_stride, rows, columns,
    ROWS: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """Each program sums one group of rows over one block of columns."""
    first = tl.program_id(0) * ROWS
    last = tl.minimum(first + ROWS, rows)
    offsets = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < columns
    grad_ptr += first.to(tl.int64) * grad_stride
    x_ptr += first.to(tl.int64) * x_stride
    total = tl.zeros([BLOCK], tl.float32)
    for row in range(first, last):
        grad = tl.load(grad_ptr + offsets, mask=inside, other=0.0).to(tl.float32)
        x = tl.load(x_ptr + offsets, mask=inside, other=0.0).to(tl.float32)
        total += grad * (x * tl.load(rstd_ptr + row))
        grad_ptr += grad_stride
        x_ptr += x_stride
    # Other groups add to the same columns at the same time.
    tl.atomic_add(dweight_ptr + offsets, total, mask=inside)


def rows_of(tensor):
    """(rows, n), each row's elements together in memory; a copy only where the layout asks for one."""
    rows = tensor.reshape(-1, tensor.shape[-1])
    return rows if rows.stride(-1) == 1 else rows.contiguous()


def rms_norm_backward(grad, x, weight, eps):
    """Returns (dx, dweight). grad, x: (..., n) tensors of one dtype; weight: (n,); eps: positive float."""
    columns = x.shape[-1]
    grad_rows, x_rows = rows_of(grad), rows_of(x)
    rows = x_rows.shape[0]
    dx = torch.empty(x_rows.shape, dtype=x.dtype, device=x.device)
    rstd = torch.empty(rows, dtype=torch.float32, device=x.device)
    dweight = torch.zeros(columns, dtype=torch.float32, device=x.device)
    block = min(triton.next_power_of_2(columns), MAX_BLOCK)
    dx_kernel[(rows,)](
        grad_rows, x_rows, weight.contiguous(), dx, rstd,
        grad_rows.stride(0), x_rows.stride(0), dx.stride(0), columns, eps, BLOCK=block,
    )  # fmt: skip
    grid = (triton.cdiv(rows, ROWS), triton.cdiv(columns, block))
    dweight_kernel[grid](
        grad_rows, x_rows, rstd, dweight, grad_rows.stride(0), x_rows.stride(0), rows, columns,
        ROWS=ROWS, BLOCK=block,
    )  # fmt: skip
    return dx.view(x.shape), dweight.to(weight.dtype)
