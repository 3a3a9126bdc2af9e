"""Named inputs of the softmax kernel: each is a regime, and its docstring says why it is here.

The launcher starts one thread for each column in whole warps, up to 256, and one block for each row, up to 6.
"""

import ml_dtypes
import numpy as np


def _normal(shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def _case(x, dtype=np.float32):
    return {"x": np.asarray(x, np.float32).astype(dtype)}


# What a hurried tester picks.


def ordinary():
    """N(0,1), 64 columns: two whole warps, a row for each block, a maximum above 0."""
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


def flat():
    """Equal scores in 64 columns: every maximum is the maximum, and every y is 1/64."""
    return _case(np.full((2, 64), 0.75))


def half():
    """float16, N(0,1), 64 columns."""
    return _case(_normal((4, 64)), np.float16)


def brain():
    """bfloat16, N(0,1), 64 columns."""
    return _case(_normal((4, 64)), ml_dtypes.bfloat16)


def two_rounds():
    """512 columns: every thread has two, and no thread is left over."""
    return _case(_normal((1, 512)))


# Lanes without a column, columns without a thread.


def padded_lanes():
    """83 columns in 96 threads: 13 lanes have no column."""
    return _case(_normal((3, 83)))


def last_row_padded():
    """One row of 51 columns: behind it there is nothing."""
    return _case(_normal((1, 51)))


def width_one():
    """A single column: y is 1, whatever the score."""
    return _case(3 * _normal((4, 1)))


def leftover_columns():
    """259 columns: three more than the block has threads."""
    return _case(_normal((2, 259)))


def peak_at_the_end():
    """600 columns, the largest score in the last one: a lost tail loses nearly all of the sum."""
    x = _normal((2, 600))
    x[:, -1] = 12
    return _case(x)


# Levels.


def large():
    """Scores near 990: exp overflows unless the maximum is subtracted."""
    return _case(990 + 4 * _normal((2, 64)))


def negative():
    """Scores near -100, 64 columns: a 0 among them would be the maximum."""
    return _case(-100 + _normal((3, 64)))


def negative_padded():
    """Scores near -100, 83 columns."""
    return _case(-100 + _normal((3, 83)))


def far_negative():
    """Scores near -20 000: below what is often written for minus infinity."""
    return _case(-20_000 + _normal((2, 64)))


def rising():
    """Sorted scores from about -9 to 9, 600 columns: each round of a thread brings a new maximum."""
    return _case(np.sort(3 * _normal((1, 600))))


def falling():
    """Scores from large to small, 600 columns: the maximum comes first."""
    return _case(-np.sort(3 * _normal((1, 600))))


# Masks.


def causal():
    """A causal mask of -inf over 40 columns: row i sees i + 1 of them."""
    return _case(np.where(np.tri(5, 40, dtype=bool), _normal((5, 40)), -np.inf))


def first_columns_masked():
    """The first 32 of 64 columns are masked, as padding on the left is: a whole warp sees nothing."""
    x = _normal((2, 64))
    x[:, :32] = -np.inf
    return _case(x)


def empty_row():
    """A fully masked row between others: zeros, not NaN."""
    x = _normal((3, 64))
    x[1] = -np.inf
    return _case(x)


def lost_row():
    """A NaN in one row: the row is NaN, the others are not."""
    x = _normal((3, 64))
    x[1, 5] = np.nan
    return _case(x)


def lost_masked_row():
    """A NaN in a row that is masked otherwise: it must not be taken for an empty one."""
    x = _normal((3, 64))
    x[1] = -np.inf
    x[1, 5] = np.nan
    return _case(x)


# Rows.


def many_rows():
    """15 rows of 64 for 6 blocks: each block loops, two or three times."""
    return _case(_normal((15, 64)))


def padded_rows():
    """The left half of a wider buffer: rows are 128 apart and 64 long."""
    return {"x": _normal((4, 128))[:, :64]}


def three_axes():
    """(batch, heads, width): rows are counted over two axes."""
    return _case(_normal((2, 3, 40)))


# Precision.


def half_spread():
    """float16, scores between -12 and 12: their differences need more digits than float16 has."""
    return _case(4 * _normal((2, 64)), np.float16)


def brain_wide():
    """bfloat16, 2600 columns: every thread adds up ten exponentials."""
    return _case(_normal((1, 2600)), ml_dtypes.bfloat16)


def brain_many_small():
    """bfloat16, 256 scores of 0 and 2304 of -6.25: each small one alone is lost beside a 1, not all nine."""
    return _case(np.where(np.arange(2560) < 256, 0, -6.25)[None], ml_dtypes.bfloat16)
