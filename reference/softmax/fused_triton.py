"""Softmax in Triton, online: maximum and sum in one pass over the row, the quotients in a second."""

import torch
import triton
import triton.language as tl

MAX_BLOCK = 1024  # columns held in registers at a time; wider rows take several rounds


@triton.jit
def softmax_kernel(x_ptr, y_ptr, x_stride, y_stride, columns, BLOCK: tl.constexpr):
    """Strides are elements between two rows; the elements of a row lie together."""
    row = tl.program_id(0).to(tl.int64)  # row * stride passes 2^31 on large tensors
    x_ptr += row * x_stride
    y_ptr += row * y_stride

    highest = -float("inf")
    total = 0.0
    for start in range(0, columns, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        inside = offsets < columns
        x = tl.load(x_ptr + offsets, mask=inside, other=-float("inf")).to(tl.float32)
        raised = tl.maximum(highest, tl.max(x, axis=0))
        # While every score so far is masked, the maximum is -inf, and -inf - -inf would be NaN.
        level = tl.where(raised == -float("inf"), 0.0, raised)
        terms = tl.exp(x - level)
        total = total * tl.exp(highest - level) + tl.sum(terms, axis=0)
        highest = raised

    level = tl.where(highest == -float("inf"), 0.0, highest)
    divisor = tl.where(total == 0.0, 1.0, total)  # a fully masked row gives zeros; a NaN stays
    for start in range(0, columns, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        inside = offsets < columns
        scores = tl.load(x_ptr + offsets, mask=inside, other=-float("inf")).to(tl.float32)
        y = tl.exp(scores - level) / divisor
        tl.store(y_ptr + offsets, y.to(y_ptr.dtype.element_ty), mask=inside)


def rows_of(tensor):
    """(rows, n), each row's elements together in memory; a copy only where the layout asks for one."""
    rows = tensor.reshape(-1, tensor.shape[-1])
    return rows if rows.stride(-1) == 1 else rows.contiguous()


def softmax(x):
    """Softmax over the last axis. x: (..., n) tensor; -inf masks; a fully masked row gives zeros."""
    columns = x.shape[-1]
    rows = rows_of(x)
    y = torch.empty(rows.shape, dtype=x.dtype, device=x.device)
    block = min(triton.next_power_of_2(columns), MAX_BLOCK)
    grid = (rows.shape[0],)
    softmax_kernel[grid](rows, y, rows.stride(0), y.stride(0), columns, BLOCK=block)
    return y.view(x.shape)
