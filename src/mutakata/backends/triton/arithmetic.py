"""What a GPU computes, on NumPy arrays: rounding after every operation, tree reductions, scans, dot."""

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Arrays = tuple[Array, ...]
Combine = Callable[[Arrays, Arrays], Arrays]

BF16: np.dtype[Any] = np.dtype(ml_dtypes.bfloat16)


def reduce_tree(arrays: Arrays, axis: int | None, combine: Combine) -> Arrays:
    """Reduce along an axis (all axes if None) by halves, each level rounded to the operands' dtypes.

    The hardware adds within a thread, then by shuffles, then across warps; every such order is a tree of
    roundings in the operand's dtype, and this is one of them.
    """
    rows = tuple(a.reshape(-1) if axis is None else np.moveaxis(a, axis, 0) for a in arrays)
    while (length := rows[0].shape[0]) > 1:
        half, odd = divmod(length, 2)
        joined = combine(tuple(r[:half] for r in rows), tuple(r[half : 2 * half] for r in rows))
        joined = tuple(j.astype(r.dtype, copy=False) for j, r in zip(joined, rows, strict=True))
        rows = tuple(np.concatenate([j, r[-1:]]) if odd else j for j, r in zip(joined, rows, strict=True))
    return tuple(row[0] for row in rows)


def scan_tree(arrays: Arrays, axis: int, combine: Combine) -> Arrays:
    """Inclusive scan along an axis by doubling strides, rounded to the operands' dtypes at each step."""
    rows = tuple(np.moveaxis(a, axis, 0) for a in arrays)
    step = 1
    while step < rows[0].shape[0]:
        joined = combine(tuple(r[:-step] for r in rows), tuple(r[step:] for r in rows))
        rows = tuple(np.concatenate([r[:step], j.astype(r.dtype)]) for j, r in zip(joined, rows, strict=True))
        step *= 2
    return tuple(np.ascontiguousarray(np.moveaxis(row, 0, axis)) for row in rows)


def elementwise(function: Callable[[Array, Array], Array]) -> Combine:
    """A combine step on one array."""
    return lambda left, right: (function(left[0], right[0]),)


def better(compare: Callable[[Array, Array], Array], leftmost: bool) -> Combine:
    """A combine step on (value, index) for argmax and argmin; as in Triton, NaN never wins a comparison."""

    def combine(left: Arrays, right: Arrays) -> Arrays:
        wins = compare(left[0], right[0])
        if leftmost:
            wins = wins | ((left[0] == right[0]) & (left[1] < right[1]))
        return np.where(wins, left[0], right[0]), np.where(wins, left[1], right[1])

    return combine


def round_tf32(x: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """fp32 to the 10 mantissa bits of tf32: nearest, ties away from zero (cvt.rna.tf32). NaN and inf stay."""
    bits = np.ascontiguousarray(x, np.float32).view(np.uint32)
    rounded = (bits + np.uint32(1 << 12)) & np.uint32(0xFFFFE000)
    kept: npt.NDArray[np.float32] = np.where(np.isfinite(x), rounded, bits).view(np.float32)
    return kept


def dot(a: Array, b: Array, accumulator: Array, *, tf32: bool) -> Array:
    """a @ b + accumulator. 16-bit products are exact in fp32, where they are summed, as in a tensor core."""
    if a.dtype.itemsize == 2:
        a, b = a.astype(np.float32), b.astype(np.float32)
    elif tf32 and a.dtype == np.float32:
        a, b = round_tf32(a), round_tf32(b)
    wide = np.promote_types(a.dtype, np.float32) if a.dtype.kind == "f" else accumulator.dtype
    total: Array = np.matmul(a, b, dtype=wide) + accumulator.astype(wide)
    return total.astype(accumulator.dtype)


def fused_multiply_add(x: Array, y: Array, z: Array) -> Array:
    """x * y + z with one rounding, for 16-bit operands: the product is exact in fp64, and so is the tie."""
    exact = x.astype(np.float64) * y.astype(np.float64) + z.astype(np.float64)
    return exact.astype(z.dtype)
