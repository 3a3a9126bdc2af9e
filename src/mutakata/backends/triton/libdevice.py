"""NumPy bodies for the libdevice functions that kernels use, by symbol.

Computed in float64 and rounded once, so at most as wrong as libdevice, which is documented to a few ulp.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


def _scalarwise(function: Callable[..., float]) -> Callable[..., Array]:
    return np.vectorize(function, otypes=[np.float64])


def _gamma(x: float) -> float:
    return math.gamma(x) if not (x <= 0 and x == int(x)) else math.nan


def _lgamma(x: float) -> float:
    return math.lgamma(x) if not (x <= 0 and x == int(x)) else math.inf


def _guarded(function: Callable[[float], float]) -> Callable[..., Array]:
    def call(x: float) -> float:
        try:
            return function(x) if math.isfinite(x) else x if x != -math.inf else math.nan
        except OverflowError:
            return math.inf

    return _scalarwise(call)


def _away_from_zero(x: Array) -> Array:
    return np.copysign(np.floor(np.abs(x) + 0.5), x)


def _fma(x: Array, y: Array, z: Array) -> Array:
    return x * y + z


_UNARY: dict[str, Callable[..., Any]] = {
    "fabs": np.abs, "abs": np.abs, "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc, "rint": np.rint,
    "nearbyint": np.rint, "round": _away_from_zero, "sqrt": np.sqrt, "rsqrt": lambda x: 1 / np.sqrt(x),
    "cbrt": np.cbrt, "rcbrt": lambda x: 1 / np.cbrt(x), "exp": np.exp, "exp2": np.exp2,
    "exp10": lambda x: np.power(10.0, x), "expm1": np.expm1, "log": np.log, "log2": np.log2,
    "log10": np.log10, "log1p": np.log1p, "sin": np.sin, "cos": np.cos, "tan": np.tan,
    "asin": np.arcsin, "acos": np.arccos,
    "atan": np.arctan, "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh, "asinh": np.arcsinh,
    "acosh": np.arccosh, "atanh": np.arctanh, "sinpi": lambda x: np.sin(np.pi * x),
    "cospi": lambda x: np.cos(np.pi * x), "erf": _scalarwise(math.erf), "erfc": _scalarwise(math.erfc),
    "tgamma": _guarded(_gamma), "lgamma": _guarded(_lgamma), "isnan": np.isnan, "isinf": np.isinf,
    "isfinite": np.isfinite, "finite": np.isfinite, "signbit": np.signbit,
}  # fmt: skip

_OTHERS: dict[str, Callable[..., Any]] = {
    "fmin": np.fmin, "fmax": np.fmax, "min": np.minimum, "max": np.maximum, "fmod": np.fmod, "pow": np.power,
    "powi": np.power, "atan2": np.arctan2, "hypot": np.hypot, "copysign": np.copysign,
    "fdim": lambda x, y: np.where(x > y, x - y, 0.0), "ldexp": np.ldexp, "fma": _fma, "fma_rn": _fma,
    "add_rn": np.add, "fadd_rn": np.add, "dadd_rn": np.add, "sub_rn": np.subtract, "fsub_rn": np.subtract,
    "dsub_rn": np.subtract, "fmul_rn": np.multiply, "dmul_rn": np.multiply, "fdiv_rn": np.divide,
    "ddiv_rn": np.divide, "fsqrt_rn": np.sqrt, "dsqrt_rn": np.sqrt, "frcp_rn": np.reciprocal,
    "drcp_rn": np.reciprocal, "frsqrt_rn": lambda x: 1 / np.sqrt(x), "fast_fdivide": np.divide,
    "fast_exp": np.exp, "fast_exp10": lambda x: np.power(10.0, x), "fast_log": np.log, "fast_log2": np.log2,
    "fast_log10": np.log10, "fast_sin": np.sin, "fast_cos": np.cos, "fast_tan": np.tan, "fast_pow": np.power,
}  # fmt: skip

_BODIES = _UNARY | _OTHERS


def call(symbol: str, arguments: list[Array], result: np.dtype[Any]) -> Array:
    """The value of `__nv_<name>` on these arrays, broadcast against each other and rounded to `result`.

    Raises NotImplementedError, naming the symbol, where no body is known.
    """
    body = _BODIES.get(_root(symbol))
    if body is None:
        raise NotImplementedError(f"libdevice {symbol} has no body in the interpreter; it runs on a GPU only")
    wide = [a.astype(np.float64) if a.dtype.kind == "f" else a for a in arguments]
    if _root(symbol) in ("fma", "fma_rn") and result == np.float32:
        return _fma_float32(*wide)
    return np.asarray(body(*wide)).astype(result)


def _root(symbol: str) -> str:
    """The name without its prefix and its precision suffix: __nv_expf and __nv_exp are both exp."""
    name = symbol.removeprefix("__nv_")
    for candidate in (name, name.removesuffix("f"), name.removesuffix("d"), name.removesuffix("l")):
        if candidate in _BODIES:
            return candidate
    return name


def _fma_float32(x: Array, y: Array, z: Array) -> Array:
    """One rounding: the product of two fp32 is exact in fp64, and the sum is rounded to odd before fp32."""
    product = x * y
    total = product + z
    high = total - product
    error = (product - (total - high)) + (z - high)
    bits = np.asarray(total).view(np.int64)
    toward = np.where((error > 0) == (total > 0), 1, -1)
    odd = np.where((error != 0) & (bits & 1 == 0) & np.isfinite(error), bits + toward, bits)
    return odd.view(np.float64).astype(np.float32)
