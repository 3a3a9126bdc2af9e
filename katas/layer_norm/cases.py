"""Named inputs of the LayerNorm kata: each is a regime, and its docstring says why it is here."""

import numpy as np

EPS = 1e-5


def _normal(shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def _case(x, eps=EPS):
    """`x` with a scale and a shift of x's own precision, neither of which is 1 or 0 anywhere."""
    n = x.shape[-1]
    gamma, beta = 1 + 0.5 * _normal(n, seed=7), 0.5 * _normal(n, seed=8)
    return {"x": x, "gamma": gamma.astype(x.dtype), "beta": beta.astype(x.dtype), "eps": eps}


# What a hurried tester picks.


def ordinary():
    """N(0,1) rows: the variance is near 1, so epsilon can hardly be seen."""
    return _case(_normal((4, 48)))


def one_row():
    """A single row: nothing shows which rows a statistic was taken over."""
    return _case(_normal((1, 48)))


def one_vector():
    """No batch axis at all: the first axis is the last one."""
    return _case(_normal(48))


def fresh_module():
    """A scale of ones and a shift of zeros, as a fresh module has them: neither can be seen."""
    return _case(_normal((4, 48))) | {"gamma": np.ones(48, np.float32), "beta": np.zeros(48, np.float32)}


def unit_gamma():
    """A scale of ones with a real shift: it does not matter which comes first."""
    return _case(_normal((4, 48))) | {"gamma": np.ones(48, np.float32)}


def zero_beta():
    """A shift of zeros with a real scale, as in a layer trained without bias."""
    return _case(_normal((4, 48))) | {"beta": np.zeros(48, np.float32)}


def balanced_signs():
    """As many +1 as -1 in each row, in both halves: mean 0, variance 1, mean deviation 1."""
    rows = [np.tile(pattern, 12) for pattern in ([1, -1, 1, -1], [1, 1, -1, -1], [-1, 1, 1, -1])]
    return _case(np.array(rows, np.float32))


def symmetric_ramp():
    """-8 … 8: the mean is exactly zero, so a forgotten mean changes nothing."""
    return _case(np.outer([1, 3], np.arange(-8, 9)).astype(np.float32))


def power_of_two():
    """A width of 64: full blocks only, and no padding."""
    return _case(_normal((4, 64)))


def half():
    """float16 near unit variance: nothing overflows, one rounding at the end."""
    return _case(_normal((4, 48)).astype(np.float16))


def half_fresh_module():
    """float16, scale of ones, shift of zeros: both steps are exact, so it does not matter when one rounds."""
    ones, zeros = np.ones(48, np.float16), np.zeros(48, np.float16)
    return half() | {"gamma": ones, "beta": zeros}


def half_wide():
    """float16, 1024 columns, no shift: an error of 1/n hides below half a unit in the last place."""
    return _case(_normal((2, 1024)).astype(np.float16)) | {"beta": np.zeros(1024, np.float16)}


# Where epsilon counts.


def tiny():
    """Rows of 3e-3: the variance is close to epsilon, so its size and place decide the result."""
    return _case(np.float32(3e-3) * _normal((4, 48)))


def tiny_eps_1e_6():
    """Rows of 3e-3 under the other customary epsilon: a literal in the code shows."""
    return _case(np.float32(3e-3) * _normal((4, 48)), eps=1e-6)


def tiny_eps_1e_12():
    """Rows of 3e-3 under BERT's epsilon: it is no part of the result, and nothing may stand in for it."""
    return _case(np.float32(3e-3) * _normal((4, 48)), eps=1e-12)


def large_eps():
    """Epsilon of 0.1 on N(0,1) rows: every wrong use of it has an effect of its own size."""
    return _case(_normal((4, 48)), eps=0.1)


def constant_row():
    """A row of threes between others (their sum is exact): no variance, so the row must give the shift."""
    x = _normal((3, 48))
    x[1] = 3
    return _case(x)


# Where values are far apart.


def offset():
    """3 + 0.1 N(0,1): the mean is thirty times the standard deviation."""
    return _case(3 + np.float32(0.1) * _normal((4, 48)))


def far_offset():
    """10 000 + N(0,1): the square of the mean needs more digits than float32 has."""
    return _case(10_000 + _normal((4, 48)))


def step():
    """The right half lies 4 above the left: the two halves have different means."""
    return _case(_normal((4, 48)) + np.repeat([0, 4], 24).astype(np.float32))


def outlier_last():
    """A value of 200 in the last column: a lost tail loses nearly all of the sum."""
    x = _normal((4, 48))
    x[:, -1] = 200
    return _case(x)


def mixed_rows():
    """Rows of different scale and offset in one batch: a statistic shared between rows shows."""
    scales, offsets = np.array([[[0.1], [1], [5], [30]], [[0], [1], [-20], [50]]], np.float32)
    return _case(scales * _normal((4, 48)) + offsets)


# Shapes and memory.


def square():
    """As many rows as columns: a statistic without its axis broadcasts along the wrong one."""
    scales = np.linspace(0.5, 2, 16, dtype=np.float32)[:, None]
    return _case(scales * _normal((16, 16)) + scales)


def three_axes():
    """(batch, sequence, width): the last axis is not axis 1."""
    scales = np.linspace(0.5, 2, 6, dtype=np.float32).reshape(2, 3, 1)
    return _case(scales * _normal((2, 3, 48)) + scales)


def transposed():
    """A transposed view: rows do not lie together in memory."""
    return _case(_normal((48, 4)).T)


def strided():
    """Every second column of a wider array: neighbours in memory belong to someone else."""
    return _case(_normal((4, 96))[:, ::2])


def width_one():
    """A single column: it is its own mean, so the row must give the shift."""
    gamma, beta = np.array([1.5], np.float32), np.array([0.25], np.float32)
    return _case(_normal((4, 1))) | {"gamma": gamma, "beta": beta}


def odd_width():
    """51 columns: no multiple of any vector width."""
    return _case(1 + _normal((4, 51)))


# Precision.


def half_large():
    """float16 rows of about 1000: no square fits, the sum of the row does."""
    return _case((1000 * _normal((4, 48))).astype(np.float16))


def half_offset():
    """float16 rows of 2000 + 100 N(0,1): the sum of the row does not fit."""
    return _case((2000 + 100 * _normal((4, 48))).astype(np.float16))


def half_constant_row():
    """float16, a row of threes, BERT's epsilon: 1e-12 is no float16, so it must be held wider."""
    x = _normal((3, 48)).astype(np.float16)
    x[1] = 3
    return _case(x, eps=1e-12)


def half_mixed():
    """float16 activations, float32 scale and shift, as in a model whose norms are kept wide."""
    case = _case(_normal((4, 48)))
    return case | {"x": case["x"].astype(np.float16)}


def double():
    """float64 throughout: nothing may pass through float32."""
    return _case(np.random.default_rng(3).standard_normal((4, 48)))
