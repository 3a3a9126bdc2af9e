"""LayerNorm in Triton: one program for each row, walked in blocks: mean, variance of what is left, result."""

import torch
import triton
import triton.language as tl

MAX_BLOCK = 1024  # columns held in registers at a time; wider rows take several rounds


@triton.jit
def layer_norm_kernel(
    x_ptr, gamma_ptr, beta_ptr, y_ptr, x_stride, y_stride, columns, eps, BLOCK: tl.constexpr
):  # fmt: skip
    """Strides are elements between two rows; the elements of a row lie together."""
    row = tl.program_id(0).to(tl.int64)  # row * stride passes 2^31 on large tensors
    x_ptr += row * x_stride
    y_ptr += row * y_stride

    sums = tl.zeros([BLOCK], tl.float32)  # one running sum for each lane, joined once at the end
    for start in range(0, columns, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        inside = offsets < columns
        x = tl.load(x_ptr + offsets, mask=inside, other=0.0).to(tl.float32)
        sums += x
    mean = tl.sum(sums, axis=0) / columns

    squares = tl.zeros([BLOCK], tl.float32)
    for start in range(0, columns, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        inside = offsets < columns
        values = tl.load(x_ptr + offsets, mask=inside, other=0.0).to(tl.float32)
        # A padded lane holds 0, and -mean once it is centred: it must not reach the sum.
        centred = tl.where(inside, values - mean, 0.0)
        squares += centred * centred
    variance = tl.sum(squares, axis=0) / columns
    rstd = 1 / tl.sqrt(variance + eps)

    for start in range(0, columns, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        inside = offsets < columns
        row_values = tl.load(x_ptr + offsets, mask=inside, other=0.0).to(tl.float32)
        gamma = tl.load(gamma_ptr + offsets, mask=inside, other=0.0).to(tl.float32)
        beta = tl.load(beta_ptr + offsets, mask=inside, other=0.0).to(tl.float32)
        y = (row_values - mean) * rstd * gamma + beta
        tl.store(y_ptr + offsets, y.to(y_ptr.dtype.element_ty), mask=inside)


def rows_of(tensor):
    """(rows, n), each row's elements together in memory; a copy only where the layout asks for one."""
    rows = tensor.reshape(-1, tensor.shape[-1])
    return rows if rows.stride(-1) == 1 else rows.contiguous()


def layer_norm(x, gamma, beta, eps):
    """Centre and scale the last axis of `x`. x: (..., n) tensor; gamma, beta: (n,); eps: positive float."""
    columns = x.shape[-1]
    rows = rows_of(x)
    y = torch.empty(rows.shape, dtype=x.dtype, device=x.device)
    block = min(triton.next_power_of_2(columns), MAX_BLOCK)
    grid = (rows.shape[0],)
    layer_norm_kernel[grid](
        rows, gamma.contiguous(), beta.contiguous(), y,
        rows.stride(0), y.stride(0), columns, eps, BLOCK=block,
    )  # fmt: skip
    return y.view(x.shape)
