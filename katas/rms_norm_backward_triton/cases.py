"""Named inputs of the backward kernels of RMSNorm; each docstring says which regime it is.

A row of up to 1024 columns is one block; wider ones take several rounds. dweight is summed by groups of 8 rows.
"""

import torch

EPS = 1e-6


def _normal(*shape, seed=0):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


def _whole(*shape, low=1, high=8, seed=0):
    return torch.randint(low, high + 1, shape, generator=torch.Generator().manual_seed(seed)).float()


def _case(grad, x, eps=EPS):
    weight = (1 + 0.5 * _normal(x.shape[-1], seed=7)).to(x.dtype)
    return {"grad": grad, "x": x, "weight": weight, "eps": eps}


def _ordinary(*shape, dtype=torch.float32):
    return _case(_normal(*shape, seed=1).to(dtype), _normal(*shape).to(dtype))


def _far(values):
    """The same rows 2^30 elements apart, in memory that is reserved and hardly touched."""
    rows, n = values.shape
    storage = torch.UntypedStorage(((rows - 1) * 2**30 + n) * values.element_size())
    far = torch.empty(0, dtype=values.dtype).set_(storage, 0, (rows, n), (2**30, 1))
    return far.copy_(values)


# What a hurried tester picks.


def ordinary():
    """N(0,1), 64 columns: one full block, one group of rows, epsilon out of sight."""
    return _ordinary(2, 64)


def one_row():
    """A single row: strides between rows are never used, and dweight is no sum."""
    return _ordinary(1, 64)


def two_blocks():
    """2048 columns: two rounds, no padding."""
    return _ordinary(1, 2048)


def half():
    """float16, 256 columns near unit variance."""
    return _ordinary(2, 256, dtype=torch.float16)


def brain():
    """bfloat16, 256 columns near unit variance: eight bits of significand."""
    return _ordinary(2, 256, dtype=torch.bfloat16)


def unit_weight():
    """A weight of ones, as in a fresh module: where it is multiplied cannot be seen."""
    return _ordinary(2, 64) | {"weight": torch.ones(64)}


def orthogonal():
    """weight * grad is orthogonal to x, to the last bit: the second term of dx vanishes."""
    x, grad = _whole(2, 32, seed=2), _whole(2, 32, seed=3)
    case = _case(torch.cat([grad, -grad], dim=1), torch.cat([x, x], dim=1))
    return case | {"weight": torch.full((64,), 1.5)}


# Where epsilon counts.


def tiny():
    """Rows of 1e-3: the mean square is close to epsilon."""
    return _case(_normal(2, 64, seed=1), 1e-3 * _normal(2, 64))


def tiny_eps_1e_5():
    """Rows of 1e-3 under the other customary epsilon: a literal in the code shows."""
    return _case(_normal(2, 64, seed=1), 1e-3 * _normal(2, 64), 1e-5)


def zero_row():
    """A row of zeros beside another, as padding leaves behind: dx is large there, and finite."""
    x = _normal(2, 64)
    x[1] = 0
    return _case(_normal(2, 64, seed=1), x)


# Widths.


def odd_width():
    """100 columns in a block of 128: 28 padded lanes, and the next row lies behind them."""
    return _ordinary(2, 100)


def odd_row():
    """One row of 100 columns: behind the padded lanes lies nothing at all."""
    return _ordinary(1, 100)


def ragged_blocks():
    """2500 columns: two full rounds and a tail of 452."""
    return _ordinary(1, 2500)


def aligned_blocks():
    """3072 whole numbers, grad with the sign of x: nothing cancels in the projection, and every sum is exact."""
    x = _whole(1, 3072, low=-8)
    return _case(_whole(1, 3072, seed=1) * torch.sign(x), x) | {"weight": _whole(3072, seed=2) / 8}


def width_one():
    """A single column: mean and sum are the same."""
    return _ordinary(2, 1)


# Rows.


def whole_group():
    """8 rows: one full group, whose end nobody has to look for."""
    return _ordinary(8, 8)


def many_rows():
    """10 rows of 8: two groups that add to one dweight, the second of two rows."""
    return _ordinary(10, 8)


def many_rows_half():
    """float16, 10 rows whose contributions to dweight have one sign."""
    return _case((1 + 0.01 * _normal(10, 64, seed=1)).half(), _normal(10, 64).abs().half())


def many_rows_brain():
    """bfloat16, 10 rows whose contributions to dweight have one sign."""
    return _case((1 + 0.01 * _normal(10, 64, seed=1)).bfloat16(), _normal(10, 64).abs().bfloat16())


def three_axes():
    """(batch, sequence, width): the rows are not the first axis."""
    return _ordinary(2, 2, 64)


# Memory.


def sliced_grad():
    """grad is a slice of a wider buffer, x is not."""
    return _case(_normal(2, 192, seed=1)[:, 64:128], _normal(2, 64))


def sliced_x():
    """x is a slice of a wider buffer, grad is not."""
    return _case(_normal(2, 64, seed=1), _normal(2, 192)[:, 64:128])


def expanded():
    """What y.sum().backward() sends: one 1, expanded to the whole shape with strides of 0."""
    return _case(torch.ones(()).expand(2, 64), _normal(2, 64))


def repeated_row():
    """One row of gradients for all, expanded with a stride of 0, as the mean over a batch sends."""
    return _case(_normal(64, seed=1).expand(2, 64), _normal(2, 64))


def transposed():
    """Transposed views: neighbours in a row are no neighbours in memory."""
    return _case(_normal(64, 2, seed=1).T, _normal(64, 2).T)


def far_rows():
    """float16, rows of x that lie 2^30 elements apart: the third begins beyond what an int32 can count."""
    return _case(_normal(3, 8, seed=1).half(), _far(_normal(3, 8).half()))


# Precision.


def half_large():
    """float16, values of a few hundred: squares and products are beyond it."""
    x = 300 * _normal(2, 64)
    return _case(_normal(2, 64, seed=1).half(), x.half())


def brain_aligned():
    """bfloat16, 1024 whole numbers, grad with the sign of x: exact sums, so no other is excused."""
    x = _whole(1, 1024, low=-8)
    grad = _whole(1, 1024, seed=1) * torch.sign(x)
    return _case(grad.bfloat16(), x.bfloat16()) | {"weight": (_whole(1024, seed=2) / 8).bfloat16()}
