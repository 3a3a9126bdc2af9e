"""Exact sums, and how far a floating-point sum in an unknown order may be from them."""

import math

import numpy as np
import numpy.typing as npt

from mutakata.numerics.rounding import Floats, gamma

Flags = npt.NDArray[np.bool_]


def exact_sum(terms: Floats) -> Floats:
    """Sum over the last axis, rounded once (Shewchuk's algorithm, `math.fsum`)."""
    rows = terms.reshape(-1, terms.shape[-1]).tolist()
    return np.array([math.fsum(row) for row in rows]).reshape(terms.shape[:-1])


def order_exact(terms: Floats, u: float) -> Flags:
    """For each row of the last axis: does every order of summation give the same bits?

    So it is when all terms are whole multiples of one power of two, q, and the sum of their magnitudes stays
    at or below q/u: each partial sum is then a whole multiple of q with few enough bits to be held exactly.
    """
    magnitude = np.abs(terms)
    fraction, exponent = np.frexp(magnitude)
    whole = np.ldexp(fraction, 53).astype(np.int64)
    lowest = np.frexp((whole & -whole).astype(np.float64))[1] - 1 + exponent - 53
    quantum = np.where(whole > 0, lowest, 1100).min(axis=-1)
    total = magnitude.sum(axis=-1)
    return np.asarray(total <= np.ldexp(1 / u, np.minimum(quantum, 900)))


def sum_error(terms: Floats, u: float, extra: int = 0) -> Floats:
    """Absolute error of a sum of `terms` over the last axis, in any order, with or without FMA.

    Zero where the sum is order-exact. Otherwise gamma_(n + extra) times the sum of magnitudes (Higham 2002,
    4.4): n - 1 additions, one rounding for the term itself, `extra` more for terms that cost more.
    """
    loose = gamma(terms.shape[-1] + extra, u) * np.abs(terms).sum(axis=-1)
    return np.where(order_exact(terms, u), 0.0, loose)
