"""Named inputs of the mixed-precision LayerNorm kata: each is a regime, its docstring the reason."""

import ml_dtypes
import numpy as np

BF16, FP16, FP32 = ml_dtypes.bfloat16, np.float16, np.float32
EPS = 1e-5


def _normal(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(FP32)


def _case(x, dtype, eps=EPS, params=None):
    """`x` rounded to `dtype`, with a scale and a shift of that type, or another one: never 1, never 0."""
    n = x.shape[-1]
    gamma, beta = 1 + _normal(n, seed=7) / 2, _normal(n, seed=8) / 2
    gamma, beta = (part.astype(params or dtype) for part in (gamma, beta))
    return {"x": x.astype(dtype), "gamma": gamma, "beta": beta, "eps": eps}


def _fresh(case):
    """With a scale of ones and a shift of zeros, as a fresh module has them."""
    return case | {"gamma": np.ones_like(case["gamma"]), "beta": np.zeros_like(case["beta"])}


# What a hurried tester picks.


def bf16():
    """N(0,1) rows in bfloat16: 8 bits, so that every early or late rounding moves some of the outputs."""
    return _case(_normal(4, 48), BF16)


def fp16():
    """N(0,1) rows in float16: 11 bits, nothing overflows."""
    return _case(_normal(4, 48), FP16)


def fp32():
    """N(0,1) rows in float32: rounding to the type of x changes nothing, so no cast can be seen."""
    return _case(_normal(4, 48), FP32)


def bf16_fresh_module():
    """Scale of ones, shift of zeros: neither product nor sum rounds, so it does not matter what does."""
    return _fresh(bf16())


def fp16_fresh_module():
    """The fresh module in float16."""
    return _fresh(fp16())


def bf16_balanced():
    """Whole numbers and their negatives: the mean is zero and every square is exact, even in bfloat16."""
    half = np.random.default_rng(2).integers(1, 8, (4, 24))
    return _case(np.concatenate([half, -half], axis=1), BF16)


# Where epsilon counts.


def fp32_tiny():
    """float32 rows of 3e-3: the variance is close to epsilon, and no cast can be seen."""
    return _case(FP32(3e-3) * _normal(4, 48), FP32)


def bf16_tiny():
    """bfloat16 rows of 3e-3: the variance is close to epsilon."""
    return _case(FP32(3e-3) * _normal(4, 48), BF16)


def fp16_tiny():
    """float16 rows of 3e-3: their squares are subnormal in float16."""
    return _case(FP32(3e-3) * _normal(4, 48), FP16)


def bf16_tiny_eps_1e_12():
    """bfloat16 rows of 3e-3 under BERT's epsilon: nothing may stand in for it."""
    return _case(FP32(3e-3) * _normal(4, 48), BF16, eps=1e-12)


def fp16_constant_row():
    """float16, a row of threes, BERT's epsilon: 1e-12 is no float16, so it must be held wider."""
    x = _normal(3, 48)
    x[1] = 3
    return _case(x, FP16, eps=1e-12)


def bf16_constant_row():
    """bfloat16, a row of threes: the row must give the shift."""
    x = _normal(3, 48)
    x[1] = 3
    return _case(x, BF16)


# Far from zero.


def bf16_offset():
    """bfloat16, 3 + 0.1 N: deviations of a few units in the last place of the mean."""
    return _case(3 + _normal(4, 48) / 10, BF16)


def bf16_far_offset():
    """bfloat16, 200 + 10 N: the square of the mean takes more bits than bfloat16 has."""
    return _case(200 + 10 * _normal(4, 48), BF16)


def fp16_offset():
    """float16, 2000 + 100 N: the sum of a row does not fit."""
    return _case(2000 + 100 * _normal(4, 48), FP16)


def fp32_far_offset():
    """float32, 10 000 + N: the square of the mean takes more bits than float32 has."""
    return _case(10_000 + _normal(4, 48), FP32)


# Wide rows.


def bf16_wide():
    """bfloat16, 1024 columns, 1 + N: narrow sums of values and of squares stop growing."""
    return _case(1 + _normal(2, 1024), BF16)


def fp16_wide():
    """float16, 1024 columns, 1 + N: narrow sums lose the lower half of every term."""
    return _case(1 + _normal(2, 1024), FP16)


def bf16_odd_width():
    """bfloat16, 263 columns, 1 + N: a width that takes nine bits."""
    return _case(1 + _normal(2, 263), BF16)


# Values far apart.


def fp16_outlier():
    """float16 with one value of 600: its square does not fit, the variance does."""
    x = _normal(4, 48)
    x[:, -1] = 600
    return _case(x, FP16)


def fp16_loud():
    """float16 rows of about 1000: not even the variance fits."""
    return _case(FP32(1000) * _normal(4, 48), FP16)


def bf16_huge():
    """bfloat16 rows of about a million: the values themselves are beyond float16."""
    return _case(FP32(1e6) * _normal(4, 48), BF16)


def bf16_outlier():
    """bfloat16 with one value of 600: no epsilon can be seen beside it."""
    return _case(fp16_outlier()["x"].astype(FP32), BF16)


# Parameters of another type.


def bf16_wide_parameters():
    """bfloat16 rows, float32 scale and shift, as where norms are kept wide: their lower digits count."""
    return _case(_normal(4, 48), BF16, params=FP32)


def fp16_wide_parameters():
    """float16 rows, float32 scale and shift."""
    return _case(_normal(4, 48), FP16, params=FP32)


def bf16_wide_gamma():
    """Only the scale is wider than the row."""
    return bf16_wide_parameters() | {"beta": bf16()["beta"]}


def fp32_narrow_parameters():
    """float32 rows, bfloat16 scale and shift."""
    return _case(_normal(4, 48), FP32, params=BF16)


# Shapes and memory.


def bf16_one_vector():
    """No batch axis at all."""
    return _case(_normal(48), BF16)


def fp16_strided():
    """Every second column of a wider float16 array."""
    return fp16() | {"x": _normal(4, 96).astype(FP16)[:, ::2]}
