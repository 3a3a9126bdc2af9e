"""Named inputs of the LayerNorm kernel; each docstring says which regime it is.

A row of up to 1024 columns is one block of the kernel; wider ones take several rounds.
"""

import torch

EPS = 1e-5


def _normal(*shape, seed=0):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


def _whole(*shape, low=-20, high=20, seed=0):
    return torch.randint(low, high + 1, shape, generator=torch.Generator().manual_seed(seed)).float()


def _case(x, eps=EPS):
    n = x.shape[-1]
    gamma, beta = (1 + 0.5 * _normal(n, seed=7)).to(x.dtype), (0.5 * _normal(n, seed=8)).to(x.dtype)
    return {"x": x, "gamma": gamma, "beta": beta, "eps": eps}


def _far(values):
    """The same rows 2^30 elements apart, in memory that is reserved and hardly touched."""
    rows, n = values.shape
    storage = torch.UntypedStorage(((rows - 1) * 2**30 + n) * values.element_size())
    far = torch.empty(0, dtype=values.dtype).set_(storage, 0, (rows, n), (2**30, 1))
    return far.copy_(values)


# What a hurried tester picks.


def ordinary():
    """N(0,1), 64 columns: one full block, no padding, a mean near 0, epsilon out of sight."""
    return _case(_normal(2, 64))


def one_row():
    """A single row: strides between rows are never used."""
    return _case(_normal(1, 64))


def two_blocks():
    """2048 columns of N(0,1): two rounds, alike."""
    return _case(_normal(1, 2048))


def half():
    """float16, 256 columns near unit variance."""
    return _case(_normal(2, 256).half())


def brain():
    """bfloat16, 256 columns near unit variance: eight bits of significand."""
    return _case(_normal(2, 256).bfloat16())


def fresh_module():
    """gamma of ones and beta of zeros, as a new module holds them: neither can be seen."""
    return _case(_normal(2, 64)) | {"gamma": torch.ones(64), "beta": torch.zeros(64)}


def balanced_odd():
    """100 columns in pairs of k and -k: the mean is exactly 0, so centring changes nothing."""
    half_row = _whole(2, 50, low=1)
    return _case(torch.cat([half_row, -half_row], dim=1))


# Where epsilon counts.


def tiny():
    """Rows of 3e-3: the variance is close to epsilon."""
    return _case(3e-3 * _normal(2, 64))


def tiny_eps_1e_6():
    """Rows of 3e-3 under the other customary epsilon: a literal in the code shows."""
    return _case(3e-3 * _normal(2, 64), 1e-6)


def constant_row():
    """A row of equal values between others: the variance is 0, the result beta."""
    x = _normal(2, 64)
    x[1] = 3
    return _case(x)


# A mean to remove.


def offset():
    """3 + 0.1 N(0,1), 64 columns: the mean is thirty times the deviation."""
    return _case(3 + 0.1 * _normal(2, 64))


def offset_odd():
    """3 + 0.1 N(0,1), 100 columns in a block of 128: padded lanes stand 3 away from the mean."""
    return _case(3 + 0.1 * _normal(2, 100))


def far_mean():
    """1000 + N(0,1): squares of a million, of which a variance of 1 is to be left."""
    return _case(1000 + _normal(2, 64))


def stepped_blocks():
    """2048 columns, the second 1024 of them 5 higher: most of the variance lies between the blocks."""
    return _case(_normal(1, 2048) + 5 * (torch.arange(2048) // 1024))


# Widths.


def odd_width():
    """100 columns in a block of 128: 28 padded lanes, and the next row lies behind them."""
    return _case(_normal(2, 100))


def odd_row():
    """One row of 100 columns: behind the padded lanes lies nothing at all."""
    return _case(_normal(1, 100))


def ragged_blocks():
    """2500 columns: two full rounds and a tail of 452."""
    return _case(_normal(1, 2500))


def width_one():
    """A single column: the result is beta."""
    return _case(_normal(2, 1))


# Shapes and memory.


def many_rows():
    """6 rows of 8: more than a small cap on the grid."""
    return _case(_normal(6, 8))


def three_axes():
    """(batch, sequence, width): the rows are not the first axis."""
    return _case(_normal(2, 2, 64))


def sliced():
    """A slice of a wider buffer: rows lie further apart than they are wide."""
    return _case(_normal(2, 192)[:, 64:128])


def transposed():
    """A transposed view: neighbours in a row are no neighbours in memory."""
    return _case(_normal(64, 2).T)


def far_rows():
    """float16, rows of x that lie 2^30 elements apart: the third begins beyond what an int32 can count."""
    return _case(_far(_normal(3, 8).half()))


# Precision.


def half_offset():
    """float16, 1024 whole numbers around 100: their sum of 102 400 is beyond float16."""
    return _case((100 + _whole(2, 1024)).half())


def half_large():
    """float16, deviations of up to 2000: their squares are beyond float16."""
    return _case((100 * _whole(2, 64)).half())


def brain_offset():
    """bfloat16, 1024 whole numbers around 101.3: a mean that bfloat16 cannot hold."""
    return _case((101 + _whole(2, 1024, low=-4, high=5)).bfloat16())
