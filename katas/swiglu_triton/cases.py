"""Named inputs of the SwiGLU kernel; each docstring says which regime it is.

A program covers up to 1024 columns of one row.
"""

import torch


def _normal(*shape, seed=0):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


def _pair(*shape, dtype=torch.float32):
    return {"gate": _normal(*shape).to(dtype), "up": _normal(*shape, seed=1).to(dtype)}


def _far(values):
    """The same rows 2^30 elements apart, in memory that is reserved and hardly touched."""
    rows, n = values.shape
    storage = torch.UntypedStorage(((rows - 1) * 2**30 + n) * values.element_size())
    far = torch.empty(0, dtype=values.dtype).set_(storage, 0, (rows, n), (2**30, 1))
    return far.copy_(values)


# What a hurried tester picks.


def ordinary():
    """N(0,1), 64 columns: one full block, no padding, both inputs contiguous."""
    return _pair(2, 64)


def one_row():
    """A single row: strides between rows are never used."""
    return _pair(1, 64)


def two_blocks():
    """2048 columns: two programs to a row, no padding."""
    return _pair(1, 2048)


def half():
    """float16, 256 columns of N(0,1)."""
    return _pair(2, 256, dtype=torch.float16)


def brain():
    """bfloat16, 256 columns of N(0,1): eight bits of significand."""
    return _pair(2, 256, dtype=torch.bfloat16)


def equal():
    """gate and up hold the same: which of the two is activated cannot be seen."""
    return {"gate": _normal(2, 64), "up": _normal(2, 64)}


# The activation.


def positive():
    """Gates from 0 to 8: one side of the sigmoid only."""
    return {"gate": torch.linspace(0, 8, 128).reshape(2, 64), "up": _normal(2, 64)}


def wide():
    """Gates from -30 to 30: both tails of the sigmoid."""
    return {"gate": torch.linspace(-30, 30, 128).reshape(2, 64), "up": _normal(2, 64)}


def far_below():
    """Gates from -12 to -40: tiny results, which a tolerance in absolute terms takes for zeros."""
    return {"gate": torch.linspace(-12, -40, 128).reshape(2, 64), "up": _normal(2, 64)}


def overflow():
    """Gates of 100 and of -100: exp overflows on one of the two sides."""
    return {"gate": 100 * torch.sign(_normal(2, 64)), "up": _normal(2, 64)}


def tiny():
    """Gates near 0, where silu is half of its argument."""
    return {"gate": 1e-3 * _normal(2, 64), "up": _normal(2, 64)}


# Widths.


def odd_width():
    """100 columns in a block of 128: 28 padded lanes, and the next row lies behind them."""
    return _pair(2, 100)


def odd_row():
    """One row of 100 columns: behind the padded lanes lies nothing at all."""
    return _pair(1, 100)


def ragged_blocks():
    """2500 columns: two full programs and one with a tail of 452."""
    return _pair(1, 2500)


def width_one():
    """A single column."""
    return _pair(2, 1)


# Shapes and memory.


def packed():
    """gate and up are the halves of one projection, as in a model: strides of twice the width."""
    gate, up = _normal(2, 128).chunk(2, dim=-1)
    return {"gate": gate, "up": up}


def packed_odd():
    """Halves of 50 columns: behind the gate's padded lanes lies up, behind those of up the next row."""
    gate, up = _normal(2, 100).chunk(2, dim=-1)
    return {"gate": gate, "up": up}


def sliced_gate():
    """Only gate is a slice of a wider buffer."""
    return {"gate": _normal(2, 192)[:, 64:128], "up": _normal(2, 64, seed=1)}


def sliced_up():
    """Only up is a slice of a wider buffer."""
    return {"gate": _normal(2, 64), "up": _normal(2, 192, seed=1)[:, 64:128]}


def many_rows():
    """6 rows of 8: more than a small cap on the grid."""
    return _pair(6, 8)


def three_axes():
    """(batch, sequence, width): the rows are not the first axis."""
    return _pair(2, 2, 64)


def transposed():
    """Transposed views: neighbours in a row are no neighbours in memory."""
    return {"gate": _normal(64, 2).T, "up": _normal(64, 2, seed=1).T}


def far_rows():
    """float16, rows of gate that lie 2^30 elements apart: the third begins beyond what an int32 can count."""
    return {"gate": _far(_normal(3, 8).half()), "up": _normal(3, 8, seed=1).half()}
