"""Named inputs of the RMSNorm kata: each is a regime, and the docstring says why it is here."""

import numpy as np

EPS = 1e-6


def _normal(shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def _weight(n):
    return (1 + 0.5 * _normal(n, seed=7)).astype(np.float32)


def ordinary():
    """N(0,1) rows: the mean square is near 1, so epsilon cannot be seen."""
    return {"x": _normal((4, 48)), "weight": _weight(48), "eps": EPS}


def tiny():
    """Rows of 1e-3: the mean square is close to epsilon, so its size and place decide the result."""
    return {"x": 1e-3 * _normal((4, 48)), "weight": _weight(48), "eps": EPS}


def zero_row():
    """A row of zeros between others, as padding leaves behind: it must give zeros."""
    x = _normal((3, 48))
    x[1] = 0
    return {"x": x, "weight": _weight(48), "eps": EPS}
