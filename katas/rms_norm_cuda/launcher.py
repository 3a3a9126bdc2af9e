"""Launches the kernels of fused_cuda.cu on NumPy arrays; bfloat16 is that of ml_dtypes."""

import numpy as np

from mutakata.backends.cuda import kernels

MOST_BLOCKS = 6  # more rows than blocks: a block loops
MOST_THREADS = 1024  # more columns than threads: a thread loops


def rms_norm(x, weight, eps):
    """y = weight * x / sqrt(mean(x^2) + eps) over the last axis of x: (..., n); weight: (n,), of x's dtype.

    float32, float16 or bfloat16. Returns a new array of x's shape and dtype.
    """
    width = x.shape[-1]
    rows = x.reshape(-1, width)
    if rows.strides[1] != x.itemsize or rows.strides[0] % x.itemsize or rows.strides[0] < 0:
        rows = np.ascontiguousarray(rows)  # the kernel takes rows at any distance, but not columns
    y = np.full((len(rows), width), np.nan, x.dtype)
    kernel = getattr(kernels("fused_cuda.cu"), f"rms_norm_{x.dtype.name}")
    grid, block = min(len(rows), MOST_BLOCKS), min(width, MOST_THREADS)
    kernel[grid, block](rows, weight, y, len(rows), width, rows.strides[0] // x.itemsize, eps)
    return y.reshape(x.shape)
