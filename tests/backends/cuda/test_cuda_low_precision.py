"""fp16 and bf16 of the simulation against NumPy and ml_dtypes, on every bit pattern."""

from fractions import Fraction
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from mutakata.backends.cuda import available, kernels

pytestmark = [
    pytest.mark.skipif(not available(), reason="no C++ compiler"),
    pytest.mark.filterwarnings("ignore:invalid value encountered in cast:RuntimeWarning"),
]

module = kernels(Path(__file__).parent / "conversions.cu", checked=False)
TYPES = {"half": np.float16, "bfloat16": ml_dtypes.bfloat16}
ALL = np.arange(65536, dtype=np.uint16)
both = pytest.mark.parametrize("name", TYPES)


def run(kernel, x, out):
    y = np.zeros(x.size, out)
    getattr(module, kernel)[-(-x.size // 256), 256](x, y, x.size)
    return y


def same(found, expected):
    """Equal bits; any NaN equals any NaN, as CUDA gives one of its own."""
    nan = np.isnan(expected.astype(np.float64))
    assert np.array_equal(np.isnan(found.astype(np.float64)), nan)
    assert found[~nan].tobytes() == expected[~nan].tobytes()


@both
def test_every_pattern_widens_to_the_same_float(name):
    x = ALL.view(TYPES[name])
    same(run(f"{name}_to_float", x, np.float32), x.astype(np.float32))


@both
def test_every_pattern_comes_back_from_float_and_double(name):
    x = ALL.view(TYPES[name])
    same(run(f"float_to_{name}", x.astype(np.float32), TYPES[name]), x)
    same(run(f"double_to_{name}", x.astype(np.float64), TYPES[name]), x)


@both
def test_random_and_halfway_floats_round_alike(name):
    random = np.random.default_rng(3).integers(0, 2**32, 100_000, dtype=np.uint64).astype(np.uint32)
    exact = ALL.view(TYPES[name]).astype(np.float32).view(np.uint32)
    drop = {"half": 13, "bfloat16": 16}[name]
    halfway = exact + np.uint32(1 << (drop - 1))
    bits = np.concatenate([random, halfway, halfway + np.uint32(1), halfway - np.uint32(1)])
    x = bits.view(np.float32)
    with np.errstate(over="ignore", invalid="ignore"):
        same(run(f"float_to_{name}", x, TYPES[name]), x.astype(TYPES[name]))


@both
def test_double_rounds_once(name):
    # Just above halfway between 1 and the next number: by way of float it would round to the even 1.
    digits = {"half": 11, "bfloat16": 8}[name]
    x = np.array([1 + 2.0**-digits + 2.0**-50, -(1 + 2.0**-digits + 2.0**-50), 1 + 2.0**-digits])
    step = 2.0 ** (1 - digits)
    assert run(f"double_to_{name}", x, TYPES[name]).astype(float).tolist() == [1 + step, -1 - step, 1.0]


@both
def test_arithmetic_rounds_the_exact_result_once(name):
    dtype, n = TYPES[name], 4096
    rng = np.random.default_rng(5)
    a, b, c = (ALL[rng.integers(0, 65536, n)].view(dtype) for _ in range(3))
    a, b, c = (np.where(np.isfinite(v.astype(np.float64)), v, dtype(1.5)) for v in (a, b, c))
    b = np.where(b == 0, dtype(1), b)
    y = np.zeros(5 * n, dtype)
    getattr(module, f"{name}_arithmetic")[16, 256](a, b, c, y, n)
    wide = [v.astype(np.float64) for v in (a, b, c)]
    with np.errstate(over="ignore"):
        expected = [wide[0] + wide[1], wide[0] - wide[1], wide[0] * wide[1]]
        for k, exact in enumerate(expected):
            same(y[k * n : (k + 1) * n], run(f"double_to_{name}", exact, dtype))
    fused = [nearest(Fraction(p) * Fraction(q) + Fraction(r), dtype) for p, q, r in zip(*wide, strict=True)]
    same(y[4 * n :], np.array(fused, dtype))


def nearest(exact, dtype):
    """The number of the type nearest to a fraction, ties to even, by comparing with its neighbours."""
    with np.errstate(over="ignore"):
        guess = dtype(float(exact))
    if not np.isfinite(float(guess)):
        return guess
    bits = int(np.array(guess).view(np.uint16))
    near = [np.array(b & 0xFFFF, np.uint16).view(dtype)[()] for b in (bits - 1, bits, bits + 1)]
    finite = [v for v in near if np.isfinite(float(v))]
    return min(finite, key=lambda v: (abs(Fraction(float(v)) - exact), int(np.array(v).view(np.uint16)) & 1))
