"""Named inputs of the kata on RMSNorm's gradients: each is a regime, its docstring the reason."""

import ml_dtypes
import numpy as np

BF16, FP16, FP32 = ml_dtypes.bfloat16, np.float16, np.float32
EPS = 1e-6


def _normal(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(FP32)


def _case(x, grad=None, dtype=FP32, eps=EPS, weight_dtype=None):
    """`x` and a gradient that has nothing to do with it, with a weight that is 1 nowhere."""
    grad = _normal(*x.shape, seed=5) if grad is None else grad
    weight = 1 + _normal(x.shape[-1], seed=7) / 2
    weight = weight.astype(weight_dtype or dtype)
    return {"grad": grad.astype(dtype), "x": x.astype(dtype), "weight": weight, "eps": eps}


# What a hurried tester picks.


def ordinary():
    """N(0,1) rows and gradients: the mean square is near 1, so epsilon cannot be seen."""
    return _case(_normal(4, 48))


def unit_weight():
    """A weight of ones, as in a fresh module: it cannot be seen where it is missing."""
    return ordinary() | {"weight": np.ones(48, FP32)}


def one_row():
    """A single row: nothing is summed over rows."""
    return _case(_normal(1, 48))


def one_vector():
    """No batch axis at all."""
    return _case(_normal(48))


def summed_loss():
    """Ones of stride 0, what the loss y.sum() sends back. The array cannot be written to."""
    return ordinary() | {"grad": np.broadcast_to(FP32(1), (4, 48))}


# Gradients of another layout or direction.


def aligned():
    """A gradient with the signs of x: all products are positive, and the projection is as large as dx."""
    x = _normal(4, 48)
    return _case(x, np.abs(_normal(4, 48, seed=5)) * np.sign(x))


def orthogonal():
    """weight * grad stands at a right angle to x: the projection is zero."""
    x = np.tile([1, 2, 3, 4], (3, 12)).astype(FP32)
    return _case(x, np.tile([2, -1, 4, -3], (3, 12)).astype(FP32)) | {"weight": np.full(48, 2, FP32)}


def expanded_over_columns():
    """One number for each row, expanded along it: a loss that weights rows."""
    return ordinary() | {"grad": np.broadcast_to(_normal(4, 1, seed=5), (4, 48))}


def sliced():
    """Every second column of a wider gradient: what lies between belongs to someone else."""
    return ordinary() | {"grad": _normal(4, 96, seed=5)[:, ::2]}


# Where epsilon counts.


def tiny():
    """Rows of 1e-3: the mean square is close to epsilon."""
    return _case(FP32(1e-3) * _normal(4, 48))


def tiny_eps_1e_5():
    """Rows of 1e-3 under the other customary epsilon: a literal in the code shows."""
    return _case(FP32(1e-3) * _normal(4, 48), eps=1e-5)


def zero_row():
    """A row of zeros between others: its gradient is weight * grad / sqrt(eps)."""
    x = _normal(3, 48)
    x[1] = 0
    return _case(x)


def width_one():
    """A single column: without epsilon its gradient would be zero."""
    return _case(_normal(4, 1), eps=0.1)


# Values far apart.


def outlier():
    """A value of 200 in the last column, which dominates the projection."""
    x = _normal(4, 48)
    x[:, -1] = 200
    return _case(x)


def mixed_scales():
    """Rows of 0.01, 1, 30 and 1000 in one batch."""
    return _case(np.array([[0.01], [1], [30], [1000]], FP32) * _normal(4, 48))


# Shapes.


def three_axes():
    """(batch, sequence, width): rows are counted by two axes."""
    return _case(_normal(2, 3, 48))


def seven_rows():
    """Seven rows, no multiple of any block."""
    return _case(_normal(7, 48))


def square():
    """As many rows as columns: a sum over the wrong axis has the right shape."""
    return _case(_normal(16, 16))


def transposed():
    """x is a transposed view: rows do not lie together in memory."""
    return ordinary() | {"x": _normal(48, 4).T}


# Precision.


def bf16():
    """N(0,1) in bfloat16."""
    return _case(_normal(4, 48), dtype=BF16)


def fp16():
    """N(0,1) in float16."""
    return _case(_normal(4, 48), dtype=FP16)


def bf16_aligned():
    """bfloat16, a gradient with the signs of x."""
    x = _normal(4, 48)
    return _case(x, np.abs(_normal(4, 48, seed=5)) * np.sign(x), BF16)


def fp16_tiny():
    """float16 rows of 1e-3: squares and epsilon are subnormal in float16."""
    return _case(FP32(1e-3) * _normal(4, 48), dtype=FP16)


def bf16_many_rows():
    """bfloat16, 200 rows whose contributions to the weight's gradient share a sign: a narrow sum stops."""
    return _case(np.abs(_normal(200, 64)), 1 + _normal(200, 64, seed=5) / 8, BF16)


def bf16_many_random_rows():
    """bfloat16, 200 rows whose contributions have both signs: what remains is smaller than its parts."""
    return _case(_normal(200, 64), dtype=BF16)


def fp16_many_rows():
    """float16, 200 rows whose contributions to the weight's gradient share a sign."""
    return _case(np.abs(_normal(200, 64)), 1 + _normal(200, 64, seed=5) / 8, FP16)


def fp16_outlier():
    """float16 with one value of 300: its square does not fit, the mean square does."""
    x = _normal(4, 48)
    x[:, -1] = 300
    return _case(x, dtype=FP16)


def fp16_loud_gradient():
    """float16 rows of about 100 and gradients of about 1000, as under loss scaling: products do not fit."""
    return _case(100 * _normal(4, 48), 1000 * _normal(4, 48, seed=5), FP16)


def bf16_wide_weight():
    """bfloat16 rows, float32 weight: the two gradients have different types."""
    return _case(_normal(4, 48), dtype=BF16, weight_dtype=FP32)


def double():
    """float64 throughout: nothing may pass through float32."""
    return _case(np.random.default_rng(3).standard_normal((4, 48)), dtype=np.float64)
