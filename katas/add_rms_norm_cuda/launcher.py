"""Launches the kernels of fused_cuda.cu on NumPy arrays; bfloat16 is that of ml_dtypes."""

import numpy as np

from mutakata.backends.cuda import kernels

MOST_BLOCKS = 6  # more rows than blocks: a block loops
MOST_THREADS = 128  # more vectors than threads: a thread loops
VECTOR = 16  # bytes that a thread loads at once


def add_rms_norm(x, residual, weight, eps):
    """The sum residual + x and its RMSNorm over the last axis. x, residual: (..., n); weight: (n,).

    One dtype: float32, float16 or bfloat16. Returns (y, updated residual), new arrays of x's shape and dtype.
    The kernel updates its residual in place, so it is given a copy.
    """
    width = x.shape[-1]
    rows = x.reshape(-1, width)
    if rows.strides[1] != x.itemsize or rows.strides[0] % x.itemsize or rows.strides[0] < 0:
        rows = np.ascontiguousarray(rows)  # the kernel takes rows at any distance, but not columns
    updated = np.array(residual.reshape(-1, width), order="C")
    y = np.full((len(rows), width), np.nan, x.dtype)
    kernel = getattr(kernels("fused_cuda.cu"), f"add_rms_norm_{x.dtype.name}")
    grid = min(len(rows), MOST_BLOCKS)
    block = min(-(-width * x.itemsize // VECTOR), MOST_THREADS)
    kernel[grid, block](rows, updated, weight, y, len(rows), width, rows.strides[0] // x.itemsize, eps)
    return y.reshape(x.shape), updated.reshape(x.shape)
