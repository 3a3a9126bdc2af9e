"""SwiGLU's elementwise part in Triton: a grid of rows and blocks of columns, every element on its own."""

import torch
import triton
import triton.language as tl

MAX_BLOCK = 1024  # columns of one program


@triton.jit
def swiglu_kernel(
    gate_ptr, up_ptr, y_ptr, gate_stride, up_stride, y_stride, columns, BLOCK: tl.constexpr
):  # fmt: skip
    """Strides are elements between two rows; the elements of a row lie together."""
    row = tl.program_id(0).to(tl.int64)  # row * stride passes 2^31 on large tensors
    offsets = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < columns
    gate = tl.load(gate_ptr + row * gate_stride + offsets, mask=inside, other=0.0).to(tl.float32)
    up = tl.load(up_ptr + row * up_stride + offsets, mask=inside, other=0.0).to(tl.float32)
    # Far below 0 the exponential is infinite, and gate / inf is 0, the limit. exp(gate) would give inf / inf.
    silu = gate / (1 + tl.exp(-gate))
    y = silu * up
    tl.store(y_ptr + row * y_stride + offsets, y.to(y_ptr.dtype.element_ty), mask=inside)


def rows_of(tensor):
    """(rows, n), each row's elements together in memory; a copy only where the layout asks for one."""
    rows = tensor.reshape(-1, tensor.shape[-1])
    return rows if rows.stride(-1) == 1 else rows.contiguous()


def swiglu(gate, up):
    """silu(gate) * up. gate, up: (..., n) tensors of one dtype, such as the halves of one projection."""
    columns = gate.shape[-1]
    gate_rows, up_rows = rows_of(gate), rows_of(up)
    y = torch.empty(gate_rows.shape, dtype=gate.dtype, device=gate.device)
    block = min(triton.next_power_of_2(columns), MAX_BLOCK)
    # Rows on the first axis: the others end at 65 535.
    grid = (gate_rows.shape[0], triton.cdiv(columns, block))
    swiglu_kernel[grid](
        gate_rows, up_rows, y, gate_rows.stride(0), up_rows.stride(0), y.stride(0), columns, BLOCK=block
    )
    return y.view(gate.shape)
