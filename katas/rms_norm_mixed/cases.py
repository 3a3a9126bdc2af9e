"""Named inputs of the mixed-precision RMSNorm kata: each is a regime, its docstring the reason."""

import ml_dtypes
import numpy as np

BF16, FP16 = ml_dtypes.bfloat16, np.float16
EPS = 1e-6


def _normal(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def _case(x, dtype, eps=EPS, weight_dtype=None):
    """`x` rounded to `dtype`, with a weight of that type, or another one, that is 1 nowhere."""
    weight = 1 + np.float32(0.5) * _normal(x.shape[-1], seed=7)
    return {"x": x.astype(dtype), "weight": weight.astype(weight_dtype or dtype), "eps": eps}


# What a hurried tester picks.


def bf16():
    """N(0,1) rows in bfloat16: 8 bits, so that every early or late rounding moves some of the outputs."""
    return _case(_normal(4, 48), BF16)


def fp16():
    """N(0,1) rows in float16: 11 bits, nothing overflows."""
    return _case(_normal(4, 48), FP16)


def fp32():
    """N(0,1) rows in float32: rounding to the type of x changes nothing, so no cast order can be seen."""
    return _case(_normal(4, 48), np.float32)


def bf16_unit_weight():
    """A weight of ones, as in a fresh module: the product is exact, whenever it is rounded."""
    return bf16() | {"weight": np.ones(48, BF16)}


def fp16_unit_weight():
    """The fresh module in float16."""
    return fp16() | {"weight": np.ones(48, FP16)}


def bf16_small_integers():
    """Whole numbers up to 7: their squares, and many sums of them, are exact even in bfloat16."""
    return _case(np.random.default_rng(2).integers(-7, 8, (4, 48)).astype(np.float32), BF16)


# Where epsilon counts.


def bf16_tiny():
    """bfloat16 rows of 1e-3: the mean square is close to epsilon."""
    return _case(np.float32(1e-3) * _normal(4, 48), BF16)


def bf16_tiny_eps_1e_5():
    """bfloat16 rows of 1e-3 under the other customary epsilon: a literal in the code shows."""
    return _case(np.float32(1e-3) * _normal(4, 48), BF16, eps=1e-5)


def fp16_tiny():
    """float16 rows of 1e-3: their squares are subnormal in float16, and so is epsilon."""
    return _case(np.float32(1e-3) * _normal(4, 48), FP16)


def fp32_tiny():
    """float32 rows of 1e-3: epsilon shows and no cast does."""
    return _case(np.float32(1e-3) * _normal(4, 48), np.float32)


def fp16_zero_row():
    """float16, a row of zeros as padding leaves it, epsilon of 1e-8: below the smallest float16."""
    x = _normal(3, 48)
    x[1] = 0
    return _case(x, FP16, eps=1e-8)


def bf16_zero_row():
    """bfloat16, a row of zeros, the customary epsilon, which bfloat16 can hold."""
    x = _normal(3, 48)
    x[1] = 0
    return _case(x, BF16)


# Wide rows, where a narrow sum stops growing.


def bf16_wide():
    """bfloat16, 1024 columns: a bfloat16 accumulator of squares hardly grows from 512 on."""
    return _case(_normal(2, 1024), BF16)


def fp16_wide():
    """float16, 1024 columns: a float16 accumulator of squares loses the lower half of every term."""
    return _case(_normal(2, 1024), FP16)


def bf16_odd_width():
    """bfloat16, 263 columns: a width that takes nine bits."""
    return _case(_normal(2, 263), BF16)


# Values far apart.


def fp16_outlier():
    """float16 with one value of 300: its square does not fit, the mean square does."""
    x = _normal(4, 48)
    x[:, -1] = 300
    return _case(x, FP16)


def bf16_outlier():
    """bfloat16 with one value of 300: its square fits, and no epsilon can be seen beside it."""
    x = _normal(4, 48)
    x[:, -1] = 300
    return _case(x, BF16)


def fp16_loud():
    """float16 rows of about 10 000: not even the mean square fits."""
    return _case(np.float32(10_000) * _normal(4, 48), FP16)


def bf16_huge():
    """bfloat16 rows of about a million: the values themselves are beyond float16."""
    return _case(np.float32(1e6) * _normal(4, 48), BF16)


# A weight of another type.


def bf16_wide_weight():
    """bfloat16 rows, float32 weight, as where norms are kept wide: its lower digits count."""
    return _case(_normal(4, 48), BF16, weight_dtype=np.float32)


def fp16_wide_weight():
    """float16 rows, float32 weight."""
    return _case(_normal(4, 48), FP16, weight_dtype=np.float32)


def fp32_narrow_weight():
    """float32 rows, bfloat16 weight: the weight's type must not become that of the row."""
    return _case(_normal(4, 48), np.float32, weight_dtype=BF16)


# Shapes and memory.


def bf16_one_vector():
    """No batch axis at all."""
    return _case(_normal(48), BF16)


def fp16_strided():
    """Every second column of a wider float16 array."""
    return fp16() | {"x": _normal(4, 96).astype(FP16)[:, ::2]}
