"""Named inputs of the LayerNorm kernel: each is a regime, and its docstring says why it is here.

The launcher starts one thread for each column in whole warps, up to 512, and one block for each row, up to 6.
"""

import ml_dtypes
import numpy as np

EPS = 1e-5


def _normal(shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def _case(x, dtype=np.float32, eps=EPS):
    n = x.shape[-1]
    gamma, beta = 1 + 0.5 * _normal(n, seed=7), 0.5 * _normal(n, seed=8)
    return {"x": x.astype(dtype), "gamma": gamma.astype(dtype), "beta": beta.astype(dtype), "eps": eps}


# What a hurried tester picks.


def ordinary():
    """N(0,1), 64 columns: two whole warps, a row for each block, a mean near zero."""
    return _case(_normal((4, 64)))


def one_warp():
    """32 columns: the block is one warp, so nobody waits for anybody."""
    return _case(_normal((4, 32)))


def narrow():
    """16 columns: half a warp has work."""
    return _case(_normal((4, 16)))


def one_row():
    """A single row of 128: every block but one is missing."""
    return _case(_normal((1, 128)))


def half():
    """float16 near unit variance, 64 columns: one element for each thread."""
    return _case(_normal((4, 64)), np.float16)


def half_wide():
    """float16, 1024 columns: an error of 1/n hides below half a unit in the last place."""
    return _case(_normal((2, 1024)), np.float16)


def brain():
    """bfloat16, 64 columns: eight bits of significand."""
    return _case(_normal((4, 64)), ml_dtypes.bfloat16)


def two_rounds():
    """1024 columns: every thread has two, and no thread is left over."""
    return _case(_normal((1, 1024)))


def fresh():
    """Scale of ones and shift of zeros, as every layer begins: neither can be seen."""
    return _case(_normal((4, 64))) | {"gamma": np.ones(64, np.float32), "beta": np.zeros(64, np.float32)}


def balanced():
    """Each value with its negative: the mean is exactly 0."""
    half_of_it = _normal((4, 24))
    return _case(np.concatenate([half_of_it, -half_of_it], axis=1))


def half_offset():
    """float16, 3 + 0.1 N(0,1), 96 columns: a mean that float16 cannot hold."""
    return _case(3 + 0.1 * _normal((4, 96)), np.float16)


def offset():
    """3 + 0.1 N(0,1), 64 columns: the mean is thirty times the standard deviation."""
    return _case(3 + 0.1 * _normal((4, 64)))


# Lanes without a column.


def padded_lanes():
    """83 columns in 96 threads, mean near zero: 13 lanes have no column."""
    return _case(_normal((3, 83)))


def padded_lanes_offset():
    """83 columns of 1 + N(0,1): a lane without a column is one standard deviation from the mean."""
    return _case(1 + _normal((3, 83)))


def last_row_padded():
    """One row of 51 columns: behind it there is nothing."""
    return _case(_normal((1, 51)))


def width_one():
    """A single column: the variance is 0, so y is beta."""
    return _case(_normal((4, 1)))


def leftover_columns():
    """515 columns: three more than the block has threads."""
    return _case(1 + _normal((2, 515)))


# Rows.


def many_rows():
    """15 rows of 64 for 6 blocks: each block loops, two or three times."""
    return _case(_normal((15, 64)))


def padded_rows():
    """The left half of a wider buffer, as a fused projection leaves it: rows are 128 apart and 64 long."""
    return _case(_normal((4, 64))) | {"x": _normal((4, 128))[:, :64]}


def three_axes():
    """(batch, sequence, width): rows are counted over two axes."""
    return _case(_normal((2, 3, 40)))


# Where epsilon counts.


def tiny():
    """Rows of 3e-3: the variance is close to epsilon."""
    return _case(3e-3 * _normal((4, 64)))


def tiny_eps_1e_12():
    """Rows of 1e-3 under BERT's epsilon, which is far below their variance."""
    return _case(1e-3 * _normal((4, 64)), eps=1e-12)


def half_constant_row():
    """float16, a constant row, epsilon of 1e-8: below the smallest float16."""
    x = _normal((3, 64))
    x[1] = 2.5
    return _case(x, np.float16, eps=1e-8)


# Precision.


def far_offset():
    """1e4 + N(0,1): the square of the mean takes all digits of a one-pass variance."""
    return _case(1e4 + _normal((2, 64)))


def brain_rounds():
    """bfloat16, 2600 columns of 3 + 0.1 N(0,1): every thread adds up five values or six."""
    return _case(3 + 0.1 * _normal((1, 2600)), ml_dtypes.bfloat16)


def half_rounds():
    """float16, 2600 columns of about 20 000: the sum of five does not fit."""
    return _case(20_000 + 3000 * _normal((1, 2600)), np.float16)
