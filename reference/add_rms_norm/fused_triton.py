"""Residual addition fused with RMSNorm: one Triton program for each row, walked in blocks of columns."""

import torch
import triton
import triton.language as tl

MAX_BLOCK = 1024  # columns held in registers at a time; wider rows take several rounds


@triton.jit
def added(x_ptr, residual_ptr, offsets, inside):
    """x + residual for one block, rounded to the stream's type: the norm sees what the stream carries on."""
    x = tl.load(x_ptr + offsets, mask=inside, other=0.0).to(tl.float32)
    residual = tl.load(residual_ptr + offsets, mask=inside, other=0.0).to(tl.float32)
    return (x + residual).to(residual_ptr.dtype.element_ty)


@triton.jit
def add_rms_norm_kernel(
    x_ptr, residual_ptr, weight_ptr, y_ptr, updated_ptr,
    x_stride, residual_stride, y_stride, updated_stride,
    columns, eps, BLOCK: tl.constexpr,
):  # fmt: skip
    """Strides are elements between two rows; the elements of a row lie together."""
    row = tl.program_id(0).to(tl.int64)  # row * stride passes 2^31 on large tensors
    x_ptr += row * x_stride
    residual_ptr += row * residual_stride
    y_ptr += row * y_stride
    updated_ptr += row * updated_stride

    squares = tl.zeros([BLOCK], tl.float32)  # one running sum for each lane, joined once at the end
    for start in range(0, columns, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        inside = offsets < columns
        updated = added(x_ptr, residual_ptr, offsets, inside)
        tl.store(updated_ptr + offsets, updated, mask=inside)
        wide = updated.to(tl.float32)
        squares += wide * wide
    mean_square = tl.sum(squares, axis=0) / columns
    rstd = 1 / tl.sqrt(mean_square + eps)

    for start in range(0, columns, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        inside = offsets < columns
        # Added once more: what was stored above may come from another thread, which nothing waits for.
        stream = added(x_ptr, residual_ptr, offsets, inside).to(tl.float32)
        weight = tl.load(weight_ptr + offsets, mask=inside, other=0.0).to(tl.float32)
        y = stream * rstd * weight
        tl.store(y_ptr + offsets, y.to(y_ptr.dtype.element_ty), mask=inside)


def rows_of(tensor):
    """(rows, n), each row's elements together in memory; a copy only where the layout asks for one."""
    rows = tensor.reshape(-1, tensor.shape[-1])
    return rows if rows.stride(-1) == 1 else rows.contiguous()


def add_rms_norm(x, residual, weight, eps):
    """Returns (y, updated residual). x, residual: (..., n) tensors of one dtype; weight: (n,)."""
    columns = x.shape[-1]
    x_rows, residual_rows = rows_of(x), rows_of(residual)
    y = torch.empty(x_rows.shape, dtype=x.dtype, device=x.device)
    updated = torch.empty_like(y)
    block = min(triton.next_power_of_2(columns), MAX_BLOCK)
    grid = (x_rows.shape[0],)
    add_rms_norm_kernel[grid](
        x_rows, residual_rows, weight.contiguous(), y, updated,
        x_rows.stride(0), residual_rows.stride(0), y.stride(0), updated.stride(0),
        columns, eps, BLOCK=block,
    )  # fmt: skip
    return y.view(x.shape), updated.view(x.shape)
