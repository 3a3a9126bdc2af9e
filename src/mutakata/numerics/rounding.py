"""Floating-point formats: unit roundoff, spacing, correct rounding, and the error of the basic steps.

Errors are relative unless a name says otherwise, and are counted in unit roundoffs u of the type that the
statistics are kept in: u = 2^-24 for float32, 2^-53 for float64.
"""

from typing import Any, NamedTuple

import ml_dtypes
import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
DTypeLike = npt.DTypeLike


class Format(NamedTuple):
    """A binary floating-point format: bits of significand, smallest positive number, first overflow, log2."""

    precision: int
    smallest: int
    overflow: int


BF16 = np.dtype(ml_dtypes.bfloat16)
FORMATS = {
    BF16: Format(8, -133, 128),
    np.dtype(np.float16): Format(11, -24, 16),
    np.dtype(np.float32): Format(24, -149, 128),
    np.dtype(np.float64): Format(53, -1074, 1024),
}
DTYPES = {
    "fp64": np.dtype(np.float64),
    "fp32": np.dtype(np.float32),
    "fp16": np.dtype(np.float16),
    "bf16": BF16,
}

# What one step may cost, in u. A correctly rounded operation costs 1. GPU compilers pick cheaper ones, and a
# contract that names float32 does not forbid them (PTX ISA, "Floating Point Instructions"):
DIVIDE = 4  # div.full.f32 is off by 2 ulp; a multiplication by the rounded reciprocal costs 2
ROOT = 6  # sqrt.approx.f32 (2^-23) followed by div.full; rsqrtf (2 ulp = 4 u) is within it
EXP = 4  # ex2.approx.ftz.f32 (2^-22); expf (1 ulp) is within it


def dtype_of(name: DTypeLike) -> np.dtype[Any]:
    """The NumPy dtype for "bf16", "fp16", "fp32", "fp64", or for anything that NumPy itself understands."""
    return DTYPES[name] if isinstance(name, str) and name in DTYPES else np.dtype(name)


def short_name(dtype: DTypeLike) -> str:
    """bf16, fp16, fp32 or fp64; the dtype's own name where it is none of these."""
    found = np.dtype(dtype)
    return next((short for short, known in DTYPES.items() if known == found), found.name)


def wide(dtype: DTypeLike) -> np.dtype[Any]:
    """The type of the statistics: float32, or float64 where the data are float64."""
    return np.promote_types(dtype_of(dtype), np.float32)


def unit_roundoff(dtype: DTypeLike) -> float:
    """u, the largest relative error of rounding to nearest: 2^-8 for bf16, 2^-11 fp16, 2^-24 fp32."""
    return float(2.0 ** -FORMATS[dtype_of(dtype)].precision)


def gamma(k: float, u: float) -> float:
    """The error of k roundings in a row, k*u/(1 - k*u) (Higham 2002, lemma 3.1). Infinite from k*u = 1 on."""
    return k * u / (1 - k * u) if k * u < 1 else float("inf")


def compound(*errors: Any) -> Any:
    """The relative error of a product of factors that are each off by at most the given relative error."""
    total: Any = 1.0
    for error in errors:
        total = total * (1.0 + error)
    return total - 1.0


def gaps(values: Floats, dtype: DTypeLike) -> tuple[Floats, Floats]:
    """Distance from each float64 value to the next number of `dtype` away from zero, and towards zero."""
    return gap(values, dtype), gap(values, dtype, np.True_)


def gap(values: Floats, dtype: DTypeLike, inward: Any = None) -> Floats:
    """Distance to the next number of `dtype` away from zero, or towards zero where `inward` holds.

    It is a power of two, made from the exponent bits of the value; half as large just below a power of two.
    """
    form = FORMATS[dtype_of(dtype)]
    bits = np.abs(np.asarray(values, np.float64)).view(np.int64)
    exponent = (bits >> 52) - (1022 + form.precision)
    if inward is not None:
        exponent = exponent - (inward & (bits & (2**52 - 1) == 0))
    exponent = np.maximum(exponent, form.smallest)
    if form.smallest < -1022:
        return np.asarray(np.ldexp(1.0, exponent))
    return np.asarray((exponent + 1023) << 52).view(np.float64)


def round_to(values: Any, dtype: DTypeLike) -> Array:
    """Round float64 values to `dtype` once, to nearest, ties to even.

    Not astype: ml_dtypes takes float64 to bfloat16 by way of float32, which rounds twice.
    """
    target, exact = dtype_of(dtype), np.asarray(values, np.float64)
    if target.itemsize > 4:
        return exact.astype(target)
    with np.errstate(over="ignore", invalid="ignore"):
        step = gap(exact, target)
        return np.where(np.isfinite(exact), np.rint(exact / step) * step, exact).astype(target)


def as_exact(values: Any, dtype: DTypeLike) -> Floats:
    """float64 copy in which what overflows is the first number that does: distances stay finite."""
    exact = np.asarray(values).astype(np.float64)
    limit = FORMATS[dtype_of(dtype)].overflow
    if limit >= 1024:
        return exact
    return np.clip(exact, -(2.0**limit), 2.0**limit)


def ulps_between(a: Any, b: Any, dtype: DTypeLike) -> Floats:
    """|a - b| in units of the spacing of `dtype` at the larger of the two."""
    x, y = as_exact(a, dtype), as_exact(b, dtype)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.abs(x - y) / gap(np.maximum(np.abs(x), np.abs(y)), dtype))
