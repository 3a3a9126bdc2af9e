"""Named inputs of the fused addition and RMSNorm: each is a regime, and its docstring says why it is here.

The launcher starts one thread for each 16 bytes of a row, up to 128, and one block for each row, up to 6.
16 bytes, a vector, are four float32 or eight 16-bit numbers.
"""

import ml_dtypes
import numpy as np

EPS = 1e-6


def _normal(shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def _case(x, dtype=np.float32, eps=EPS, residual=None):
    n = x.shape[-1]
    residual = 2 * _normal(x.shape, seed=5) if residual is None else residual
    weight = 1 + 0.5 * _normal(n, seed=7)
    return {
        "x": x.astype(dtype),
        "residual": residual.astype(dtype),
        "weight": weight.astype(dtype),
        "eps": eps,
    }


# What a hurried tester picks.


def ordinary():
    """64 columns: 16 threads with a vector each, a row for each block."""
    return _case(_normal((4, 64)))


def two_warps():
    """256 columns: 64 threads, two whole warps."""
    return _case(_normal((2, 256)))


def no_residual():
    """A residual of zeros, as before the first block: what is carried on cannot be told from x."""
    return _case(_normal((4, 64)), residual=np.zeros((4, 64)))


def half():
    """float16, 64 columns: 8 threads with a vector each."""
    return _case(_normal((4, 64)), np.float16)


def brain():
    """bfloat16, 64 columns: eight bits of significand."""
    return _case(_normal((4, 64)), ml_dtypes.bfloat16)


def two_rounds():
    """1024 columns: 256 vectors for 128 threads, and none left over."""
    return _case(_normal((1, 1024)))


# Tails and alignment.


def tail():
    """One row of 66 columns: 16 vectors, and two elements that fill none."""
    return _case(_normal((1, 66)))


def tail_of_many_rows():
    """66 columns, 5 rows: every second row begins in the middle of a vector."""
    return _case(_normal((5, 66)))


def odd_width():
    """83 columns, 5 rows: three rows of four begin off the vectors' addresses."""
    return _case(_normal((5, 83)))


def half_odd_width():
    """float16, 83 columns: seven rows of eight begin off the vectors' addresses."""
    return _case(_normal((3, 83)), np.float16)


def only_a_tail():
    """3 columns: not a single vector."""
    return _case(_normal((4, 3)))


def offset_view():
    """Columns 1 to 64 of a buffer of 80: the shape fits the vectors, the address does not."""
    return _case(_normal((4, 64))) | {"x": _normal((4, 80))[:, 1:65]}


def aligned_view():
    """83 columns of a buffer of 96: the rows of x are aligned, those of the residual are not."""
    return _case(_normal((4, 83))) | {"x": _normal((4, 96))[:, :83]}


def padded_rows():
    """The left half of a wider buffer, as a fused projection leaves it: x has rows of 64, 128 apart."""
    return _case(_normal((4, 64))) | {"x": _normal((4, 128))[:, :64]}


# Warps and rows.


def partial_warp():
    """180 columns: 45 threads, one warp and 13 lanes."""
    return _case(_normal((3, 180)))


def many_rows():
    """15 rows of 256 for 6 blocks: each block loops, two or three times."""
    return _case(_normal((15, 256)))


def leftover_vectors():
    """525 columns: 131 vectors for 128 threads, and one element more."""
    return _case(_normal((1, 525)))


def three_axes():
    """(batch, sequence, width): rows are counted over two axes."""
    return _case(_normal((2, 3, 40)))


# Where epsilon counts.


def tiny():
    """Rows of 1e-3: the mean square is close to epsilon."""
    return _case(1e-3 * _normal((4, 64)), residual=1e-3 * _normal((4, 64), seed=5))


def tiny_eps_1e_5():
    """Rows of 1e-3 under the other customary epsilon."""
    return _case(1e-3 * _normal((4, 64)), eps=1e-5, residual=1e-3 * _normal((4, 64), seed=5))


def cancelling():
    """x is the residual's negative: the sum is zero, and so is y."""
    return _case(_normal((4, 64)), residual=-_normal((4, 64)))


# Precision.


def small_update():
    """bfloat16, a residual of ones and updates of 2^-9: a quarter of its last digit, so nothing changes."""
    signs = np.sign(_normal((2, 64)))
    return _case(signs * 2.0**-9, ml_dtypes.bfloat16, residual=signs)


def half_small_update():
    """float16, updates of a thousandth of the stream: the sum's rounding takes most of their digits."""
    return _case(1e-3 * _normal((4, 64)), np.float16, residual=_normal((4, 64), seed=5))


def half_outlier():
    """float16 with one sum of 300: its square does not fit, the mean square does."""
    x = _normal((2, 64))
    x[:, 5] = 300
    return _case(x, np.float16)


def half_large():
    """float16, sums of about 100: each square fits, the sum of a vector's eight squares does not."""
    return _case(60 + _normal((2, 64)), np.float16, residual=40 + _normal((2, 64), seed=5))


def brain_wide():
    """bfloat16, 1024 columns: each thread adds up eight squares."""
    return _case(_normal((1, 1024)), ml_dtypes.bfloat16)
