"""Launches the kernels of fused_cuda.cu on NumPy arrays; bfloat16 is that of ml_dtypes."""

import numpy as np

from mutakata.backends.cuda import kernels

MOST_BLOCKS = 6  # more rows than blocks: a block loops
MOST_THREADS = 256  # more columns than threads: a thread loops


def softmax(x):
    """Exponentials of the last axis of x: (..., n), divided by their sum. -inf masks an element.

    float32, float16 or bfloat16. Returns a new array of x's shape and dtype.
    """
    width = x.shape[-1]
    rows = x.reshape(-1, width)
    if rows.strides[1] != x.itemsize or rows.strides[0] % x.itemsize or rows.strides[0] < 0:
        rows = np.ascontiguousarray(rows)  # the kernel takes rows at any distance, but not columns
    y = np.full((len(rows), width), np.nan, x.dtype)
    kernel = getattr(kernels("fused_cuda.cu"), f"softmax_{x.dtype.name}")
    warps = -(-min(width, MOST_THREADS) // 32)  # whole warps: the last lanes may have no column
    grid = min(len(rows), MOST_BLOCKS)
    kernel[grid, 32 * warps](rows, y, len(rows), width, rows.strides[0] // x.itemsize)
    return y.reshape(x.shape)
