"""Checks on the arguments of an operation, all reported at once."""

from typing import Any

import numpy as np

from mutakata.numerics.rounding import FORMATS, Array


def check_arrays(rows: Array, *, finite: bool = True, per_column: dict[str, Any]) -> list[str]:
    """What is wrong with data of shape (..., n) and its vectors of shape (n,); empty when nothing is."""
    problems = []
    if rows.ndim == 0 or rows.shape[-1] == 0:
        return [f"the data have shape {rows.shape}; the last axis must hold at least one element"]
    for name, array in {"the data": rows, **per_column}.items():
        found = np.asarray(array)
        if found.dtype not in FORMATS:
            problems.append(f"{name}: dtype {found.dtype}; expected one of bf16, fp16, fp32, fp64")
        elif finite and not np.isfinite(found.astype(np.float64)).all():
            problems.append(f"{name}: holds a NaN or an infinity, for which no bound exists")
        if name in per_column and found.shape != rows.shape[-1:]:
            problems.append(f"{name}: shape {found.shape}; expected {rows.shape[-1:]}")
    return problems


def check_like(name: str, array: Array, data: Array) -> list[str]:
    """What is wrong with an array that must look like the data."""
    problems = []
    if array.shape != data.shape or array.dtype != data.dtype:
        problems.append(f"{name}: {array.dtype} {array.shape}; expected {data.dtype} {data.shape}, as x has")
    elif not np.isfinite(array.astype(np.float64)).all():
        problems.append(f"{name}: holds a NaN or an infinity, for which no bound exists")
    return problems


def check_eps(eps: Any) -> list[str]:
    """None is refused: what it means has changed between releases of torch (pytorch/pytorch#142848)."""
    if eps is None:
        return ["eps is None, which means different numbers in different releases of torch; name the number"]
    return [] if float(eps) > 0 else [f"eps is {eps}; it must be positive, or a zero row has no answer"]


def refuse(problems: list[str]) -> None:
    """Raise ValueError with every problem, if there is one."""
    if problems:
        raise ValueError("; ".join(problems))
