"""Named inputs of the RMSNorm kernel: each is a regime, and its docstring says why it is here.

The launcher starts one thread for each column, up to 1024, and one block for each row, up to 6.
"""

import ml_dtypes
import numpy as np

EPS = 1e-6


def _normal(shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def _weight(n):
    return (1 + 0.5 * _normal(n, seed=7)).astype(np.float32)


def _case(x, dtype=np.float32, eps=EPS):
    return {"x": x.astype(dtype), "weight": _weight(x.shape[-1]).astype(dtype), "eps": eps}


# What a hurried tester picks.


def ordinary():
    """N(0,1), 64 columns: two whole warps, a row for each block, epsilon out of sight."""
    return _case(_normal((4, 64)))


def one_warp():
    """32 columns: the block is one warp, so nobody waits for anybody."""
    return _case(_normal((4, 32)))


def one_row():
    """A single row of 128: every block but one is missing."""
    return _case(_normal((1, 128)))


def half():
    """float16 near unit variance, 64 columns: one element for each thread, nothing overflows."""
    return _case(_normal((4, 64)), np.float16)


def brain():
    """bfloat16, 64 columns: eight bits of significand."""
    return _case(_normal((4, 64)), ml_dtypes.bfloat16)


def full_block():
    """1024 columns: 32 whole warps, one element for each thread."""
    return _case(_normal((1, 1024)))


def two_rounds():
    """2048 columns: every thread sums two elements, and no thread is left over."""
    return _case(_normal((1, 2048)))


# Partial warps and leftovers.


def part_of_a_warp():
    """19 columns: one warp of 19 lanes, which no power of two fits."""
    return _case(_normal((3, 19)))


def partial_last_warp():
    """83 columns: two whole warps and one of 19 lanes."""
    return _case(_normal((3, 83)))


def half_a_warp_more():
    """48 columns: a whole warp and one of 16 lanes; a power of two in each."""
    return _case(_normal((3, 48)))


def width_one():
    """A single column: a block of one thread."""
    return _case(_normal((4, 1)))


def leftover_columns():
    """1030 columns: six more than the block has threads."""
    return _case(_normal((2, 1030)))


def outlier_last():
    """float16, 1030 columns, 200 in the last one: a lost tail loses most of the sum."""
    x = _normal((2, 1030))
    x[:, -1] = 200
    return _case(x, np.float16)


# Rows.


def many_rows():
    """15 rows of 64 for 6 blocks: each block loops, two or three times."""
    return _case(_normal((15, 64)))


def padded_rows():
    """The left half of a wider buffer, as a fused projection leaves it: rows are 128 apart and 64 long."""
    return _case(_normal((4, 128))) | {"x": _normal((4, 128))[:, :64], "weight": _weight(64)}


def three_axes():
    """(batch, sequence, width): rows are counted over two axes."""
    return _case(_normal((2, 3, 40)))


# Where epsilon counts.


def tiny():
    """Rows of 1e-3: the mean square is close to epsilon."""
    return _case(1e-3 * _normal((4, 64)))


def tiny_eps_1e_5():
    """Rows of 1e-3 under the other customary epsilon."""
    return _case(1e-3 * _normal((4, 64)), eps=1e-5)


def zero_row():
    """A row of zeros between others: it must give zeros."""
    x = _normal((3, 64))
    x[1] = 0
    return _case(x)


# Precision.


def half_outlier():
    """float16 with one value of 300: its square does not fit, the mean square does."""
    x = _normal((2, 64))
    x[:, 5] = 300
    return _case(x, np.float16)


def half_rounds():
    """float16, 5000 columns of about 120: squares fit, but not the sum of the five that a thread adds up."""
    return _case(120 + 3 * _normal((1, 5000)), np.float16)


def brain_rounds():
    """bfloat16, 5000 columns: every thread adds up five squares."""
    return _case(_normal((1, 5000)), ml_dtypes.bfloat16)


def brain_unlucky_root():
    """bfloat16, a reciprocal root of 1.0038: half-way between two bfloat16 numbers, 1 and 1.0078."""
    x = _normal((2, 640))
    x /= 1.0038 * np.sqrt(np.mean(x * x, axis=-1, keepdims=True))
    return _case(x, ml_dtypes.bfloat16)
