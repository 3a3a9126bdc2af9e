"""Named inputs of the RMSNorm kata: each is a regime, and its docstring says why it is here."""

import numpy as np

EPS = 1e-6


def _normal(shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def _weight(n):
    return (1 + 0.5 * _normal(n, seed=7)).astype(np.float32)


# What a hurried tester picks.


def ordinary():
    """N(0,1) rows: the mean square is near 1, so epsilon cannot be seen."""
    return {"x": _normal((4, 48)), "weight": _weight(48), "eps": EPS}


def one_row():
    """A single row: nothing shows which rows a statistic was taken over."""
    return {"x": _normal((1, 48)), "weight": _weight(48), "eps": EPS}


def one_vector():
    """No batch axis at all: the first axis is the last one."""
    return {"x": _normal(48), "weight": _weight(48), "eps": EPS}


def unit_weight():
    """A weight of ones, which is what a fresh module holds: the scale cannot be seen."""
    return {"x": _normal((4, 48)), "weight": np.ones(48, np.float32), "eps": EPS}


def signs():
    """Entries of +1 and -1: every power mean of every row, and of the whole batch, is 1."""
    return {"x": np.sign(_normal((4, 48))), "weight": _weight(48), "eps": EPS}


def symmetric_ramp():
    """-8 … 8: the mean is exactly zero, so centring changes nothing."""
    return {"x": np.outer([1, 3], np.arange(-8, 9)).astype(np.float32), "weight": _weight(17), "eps": EPS}


def power_of_two():
    """A width of 64: full blocks only, and no padding."""
    return {"x": _normal((4, 64)), "weight": _weight(64), "eps": EPS}


def half():
    """float16 near unit variance, weight in float16 too: nothing overflows, one rounding at the end."""
    return {"x": _normal((4, 48)).astype(np.float16), "weight": _weight(48).astype(np.float16), "eps": EPS}


def half_unit_weight():
    """float16 with a weight of ones: the product is exact, so it does not matter when it is rounded."""
    return {"x": _normal((4, 48)).astype(np.float16), "weight": np.ones(48, np.float16), "eps": EPS}


def half_wide():
    """float16, 1024 columns: an error of 1/n hides below half a unit in the last place."""
    x = _normal((2, 1024)).astype(np.float16)
    return {"x": x, "weight": _weight(1024).astype(np.float16), "eps": EPS}


# Where epsilon counts.


def tiny():
    """Rows of 1e-3: the mean square is close to epsilon, so its size and place decide the result."""
    return {"x": 1e-3 * _normal((4, 48)), "weight": _weight(48), "eps": EPS}


def tiny_eps_1e_5():
    """Rows of 1e-3 under the other customary epsilon: a literal in the code shows."""
    return {"x": 1e-3 * _normal((4, 48)), "weight": _weight(48), "eps": 1e-5}


def below_eps():
    """Rows of 1e-5: the mean square is far below epsilon, which is the whole denominator."""
    return {"x": 1e-5 * _normal((4, 48)), "weight": _weight(48), "eps": EPS}


def large_eps():
    """Epsilon of 0.1 on N(0,1) rows: every wrong use of it has an effect of its own size."""
    return {"x": _normal((4, 48)), "weight": _weight(48), "eps": 0.1}


def zero_row():
    """A row of zeros between others, as padding leaves behind: it must give zeros."""
    x = _normal((3, 48))
    x[1] = 0
    return {"x": x, "weight": _weight(48), "eps": EPS}


# Where values are far apart.


def offset():
    """3 + 0.1 N(0,1): the mean is thirty times the standard deviation."""
    return {"x": 3 + np.float32(0.1) * _normal((4, 48)), "weight": _weight(48), "eps": EPS}


def outlier_last():
    """A value of 200 in the last column: a lost tail loses nearly all of the sum."""
    x = _normal((4, 48))
    x[:, -1] = 200
    return {"x": x, "weight": _weight(48), "eps": EPS}


def mixed_scales():
    """Rows of 0.01, 1, 30 and 1000 in one batch: a statistic shared between rows shows."""
    scales = np.array([[0.01], [1], [30], [1000]], np.float32)
    return {"x": scales * _normal((4, 48)), "weight": _weight(48), "eps": EPS}


def sparse():
    """Half of the entries are zero, as after a ReLU: they count in the width."""
    return {"x": np.maximum(_normal((4, 48)), 0), "weight": _weight(48), "eps": EPS}


# Shapes and memory.


def square():
    """As many rows as columns: a statistic without its axis broadcasts along the wrong one."""
    scales = np.linspace(0.5, 2, 16, dtype=np.float32)[:, None]
    return {"x": scales * _normal((16, 16)), "weight": _weight(16), "eps": EPS}


def three_axes():
    """(batch, sequence, width): the last axis is not axis 1."""
    scales = np.linspace(0.5, 2, 6, dtype=np.float32).reshape(2, 3, 1)
    return {"x": scales * _normal((2, 3, 48)), "weight": _weight(48), "eps": EPS}


def transposed():
    """A transposed view: rows do not lie together in memory."""
    return {"x": _normal((48, 4)).T, "weight": _weight(48), "eps": EPS}


def strided():
    """Every second column of a wider array: neighbours in memory belong to someone else."""
    return {"x": _normal((4, 96))[:, ::2], "weight": _weight(48), "eps": EPS}


def width_one():
    """A single column: mean, sum and largest value are the same."""
    return {"x": _normal((4, 1)), "weight": np.array([1.5], np.float32), "eps": EPS}


def odd_width():
    """51 columns: no multiple of any vector width."""
    return {"x": _normal((4, 51)), "weight": _weight(51), "eps": EPS}


# Precision.


def half_outlier():
    """float16 with one value of 300: its square does not fit, the mean square does."""
    x = _normal((4, 48)).astype(np.float16)
    x[:, -1] = 300
    return {"x": x, "weight": _weight(48).astype(np.float16), "eps": EPS}


def half_large():
    """float16 rows of about 10 000: not even the mean square fits."""
    return {"x": (10_000 * _normal((4, 48))).astype(np.float16), "weight": _weight(48), "eps": EPS}


def half_zero_row():
    """float16, a zero row, epsilon of 1e-8: below the smallest float16, so it must be held wider."""
    x = _normal((3, 48)).astype(np.float16)
    x[1] = 0
    return {"x": x, "weight": _weight(48).astype(np.float16), "eps": 1e-8}


def half_mixed():
    """float16 activations, float32 weight, as in a model whose norms are kept wide."""
    return {"x": _normal((4, 48)).astype(np.float16), "weight": _weight(48), "eps": EPS}


def double():
    """float64 throughout: nothing may pass through float32."""
    x = np.random.default_rng(3).standard_normal((4, 48))
    return {"x": x, "weight": _weight(48).astype(np.float64), "eps": EPS}
