"""Named inputs of the fused residual addition and RMSNorm; each docstring says which regime it is.

A row of up to 1024 columns is one block of the kernel; wider ones take several rounds.
"""

import torch

EPS = 1e-6


def _normal(*shape, seed=0, dtype=torch.float32):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed)).to(dtype)


def _case(x, residual, eps=EPS):
    n = x.shape[-1]
    weight = (1 + 0.5 * _normal(n, seed=7)).to(x.dtype)
    return {"x": x, "residual": residual, "weight": weight, "eps": eps}


def _whole(*shape, seed=0):
    return torch.randint(-20, 21, shape, generator=torch.Generator().manual_seed(seed)).float()


def _ordinary(rows, n, dtype=torch.float32, eps=EPS, scale=1.0):
    x, residual = scale * _normal(rows, n), scale * _normal(rows, n, seed=1)
    return _case(x.to(dtype), residual.to(dtype), eps)


def _far(values):
    """The same rows 2^30 elements apart, in memory that is reserved and hardly touched."""
    rows, n = values.shape
    storage = torch.UntypedStorage(((rows - 1) * 2**30 + n) * values.element_size())
    far = torch.empty(0, dtype=values.dtype).set_(storage, 0, (rows, n), (2**30, 1))
    return far.copy_(values)


# What a hurried tester picks.


def ordinary():
    """N(0,1), 64 columns: one full block, no padding, epsilon out of sight."""
    return _ordinary(2, 64)


def one_row():
    """A single row: strides between rows are never used."""
    return _ordinary(1, 64)


def full_block():
    """1024 columns, the widest row that is a single block."""
    return _ordinary(2, 1024)


def two_blocks():
    """2048 columns: two rounds, no padding."""
    return _ordinary(2, 2048)


def half():
    """float16 near unit variance."""
    return _ordinary(2, 256, torch.float16)


def brain():
    """bfloat16 near unit variance: eight bits of significand."""
    return _ordinary(2, 256, torch.bfloat16)


# Where epsilon counts.


def tiny():
    """Rows of 1e-3: the mean square is close to epsilon."""
    return _ordinary(2, 64, scale=1e-3)


def tiny_eps_1e_5():
    """Rows of 1e-3 under the other customary epsilon: a literal in the code shows."""
    return _ordinary(2, 64, scale=1e-3, eps=1e-5)


def cancelled():
    """x is the negative of the residual: the sum is a row of zeros."""
    residual = _normal(2, 64, seed=1)
    return _case(torch.where(torch.arange(2)[:, None] == 1, -residual, _normal(2, 64)), residual)


# Widths.


def odd_width():
    """100 columns in a block of 128: 28 padded lanes, and the next row lies behind them."""
    return _ordinary(2, 100)


def odd_row():
    """One row of 100 columns: behind the padded lanes lies nothing at all."""
    return _ordinary(1, 100)


def ragged_blocks():
    """2500 columns: two full rounds and a tail of 452."""
    return _ordinary(2, 2500)


def long_half():
    """float16, 5000 whole numbers: every float32 sum of their squares is exact, so no other sum is excused."""
    return _case(_whole(1, 5000).half(), _whole(1, 5000, seed=1).half())


def long_brain():
    """bfloat16, 5000 whole numbers: five rounds for a narrow running sum to lose digits."""
    return _case(_whole(1, 5000).bfloat16(), _whole(1, 5000, seed=1).bfloat16())


def width_one():
    """A single column: the block is one lane wide."""
    return _ordinary(2, 1)


# Shapes and memory.


def many_rows():
    """6 rows of 8: more than a small cap on the grid."""
    return _ordinary(6, 8)


def three_axes():
    """(batch, sequence, width): the rows are not the first axis."""
    return _case(_normal(2, 2, 64), _normal(2, 2, 64, seed=1))


def sliced_x():
    """x is a slice of a wider buffer, the residual is not: their rows lie differently far apart."""
    return _case(_normal(2, 192)[:, 64:128], _normal(2, 64, seed=1))


def sliced_residual():
    """The residual is a slice of a wider buffer, x is not."""
    return _case(_normal(2, 64), _normal(2, 192, seed=1)[:, :64])


def sliced_both():
    """Both are slices of buffers of one width, as after a split: one stride serves both."""
    return _case(_normal(2, 192)[:, :64], _normal(2, 192, seed=1)[:, 128:])


def transposed():
    """Transposed views: neighbours in a row are no neighbours in memory."""
    return _case(_normal(64, 2).T, _normal(64, 2, seed=1).T)


def far_rows():
    """float16, rows of x that lie 2^30 elements apart: the third begins beyond what an int32 can count."""
    return _case(_far(_normal(3, 8).half()), _normal(3, 8, seed=1).half())


# Precision.


def small_update():
    """bfloat16, x a hundredth of the residual: most of it is lost as the sum is rounded."""
    return _case((0.01 * _normal(2, 256)).bfloat16(), _normal(2, 256, seed=1).bfloat16())


def lost_update():
    """bfloat16, a residual of 256 and more, x of 0.9 with its sign: the whole of x is lost as the sum is rounded."""
    residual = 256 * torch.sign(_normal(2, 64)) * (1 + 0.5 * (_normal(2, 64, seed=1) > 0))
    return _case((0.9 * torch.sign(residual)).bfloat16(), residual.bfloat16())


def half_outlier():
    """float16 with one sum of 300: its square does not fit, the mean square does."""
    x, residual = _normal(2, 64), _normal(2, 64, seed=1)
    x[:, -1], residual[:, -1] = 200, 100
    return _case(x.half(), residual.half())


def offset():
    """3 + 0.1 N(0,1) throughout: the mean carries the row."""
    return _case(1 + 0.1 * _normal(2, 64), 2 + 0.1 * _normal(2, 64, seed=1))
