"""Named inputs of the online softmax; each docstring says which regime it is.

A row of up to 1024 columns is one block of the kernel; wider ones take several rounds.
"""

import torch

MASKED = -float("inf")


def _normal(*shape, seed=0):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


def _far(values):
    """The same rows 2^30 elements apart, in memory that is reserved and hardly touched."""
    rows, n = values.shape
    storage = torch.UntypedStorage(((rows - 1) * 2**30 + n) * values.element_size())
    far = torch.empty(0, dtype=values.dtype).set_(storage, 0, (rows, n), (2**30, 1))
    return far.copy_(values)


# What a hurried tester picks.


def ordinary():
    """N(0,1), 64 columns: one full block, no padding, and a maximum above 0."""
    return {"x": _normal(2, 64)}


def one_row():
    """A single row: strides between rows are never used."""
    return {"x": _normal(1, 64)}


def two_blocks():
    """2048 columns of N(0,1): two rounds, whose maxima are nearly the same."""
    return {"x": _normal(2, 2048)}


def half():
    """float16, 256 columns of N(0,1)."""
    return {"x": _normal(2, 256).half()}


def brain():
    """bfloat16, 256 columns of N(0,1): eight bits of significand."""
    return {"x": _normal(2, 256).bfloat16()}


def causal():
    """A causal mask: every row sees at least one score."""
    hidden = torch.arange(64) > 21 * torch.arange(1, 3)[:, None]
    return {"x": _normal(2, 64).masked_fill(hidden, MASKED)}


def flat():
    """Equal scores: every y is 1/n, whatever the base of the exponential."""
    return {"x": torch.full((2, 64), 0.75)}


# The size of the scores.


def large():
    """Scores near 1000: their exponentials overflow unless the maximum is subtracted."""
    return {"x": 990 + 4 * _normal(2, 64)}


def negative():
    """Scores near -200: a maximum of 0, wherever it comes from, leaves nothing but zeros."""
    return {"x": -200 + 4 * _normal(2, 64)}


def negative_odd():
    """100 scores near -20 in a block of 128: padded lanes of 0 would win."""
    return {"x": -20 + _normal(2, 100)}


def peaked_last():
    """One score of 12 in the last column of 100: a dropped tail loses nearly everything."""
    x = _normal(2, 100)
    x[:, -1] = 12
    return {"x": x}


# Widths.


def odd_width():
    """100 columns in a block of 128: 28 padded lanes, and the next row lies behind them."""
    return {"x": _normal(2, 100)}


def odd_row():
    """One row of 100 columns: behind the padded lanes lies nothing at all."""
    return {"x": _normal(1, 100)}


def ragged_blocks():
    """2500 columns: two full rounds and a tail of 452."""
    return {"x": _normal(1, 2500)}


def width_one():
    """A single column: y is 1."""
    return {"x": _normal(2, 1)}


# What an online maximum has to go through.


def rising():
    """3072 columns in three steps of 5: the maximum rises with every block."""
    return {"x": _normal(1, 3072) + 5 * (torch.arange(3072) // 1024)}


def falling():
    """3072 columns in three steps of -60: the maximum stands in the first block."""
    return {"x": _normal(1, 3072) - 60 * (torch.arange(3072) // 1024)}


# Masks.


def empty_row():
    """A fully masked row between others: zeros, not NaN."""
    x = _normal(3, 64)
    x[1] = MASKED
    return {"x": x}


def late_start():
    """The whole first block is masked, as under left padding; the second is not."""
    x = _normal(1, 2048)
    x[:, :1024] = MASKED
    return {"x": x}


def lost_row():
    """A NaN among scores makes its row NaN, and no other."""
    x = _normal(2, 64)
    x[1, 5] = float("nan")
    return {"x": x}


# Shapes and memory.


def many_rows():
    """6 rows of 8: more than a small cap on the grid."""
    return {"x": _normal(6, 8)}


def three_axes():
    """(heads, queries, keys): the rows are not the first axis."""
    return {"x": _normal(2, 2, 64)}


def sliced():
    """A slice of a wider buffer: rows lie further apart than they are wide."""
    return {"x": _normal(2, 192)[:, 64:128]}


def transposed():
    """A transposed view: neighbours in a row are no neighbours in memory."""
    return {"x": _normal(64, 2).T}


def far_rows():
    """float16, rows of x that lie 2^30 elements apart: the third begins beyond what an int32 can count."""
    return {"x": _far(_normal(3, 8).half())}


# Precision.


def half_wide():
    """float16, 1000 columns: one large term and many small ones, which a narrow sum absorbs."""
    x = torch.zeros(2, 1000)
    x[:, 0] = 6
    return {"x": x.half()}
