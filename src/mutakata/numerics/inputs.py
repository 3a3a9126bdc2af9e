"""The fixed inputs: each a regime with the reason why it is there.

Two kinds, both needed. On a *grid* every order of summation gives the same bits, so the sum adds nothing to
the bound at any width. *Full mantissa* data take the roads that a grid does not: rounding of every product,
large and small magnitudes. No input has a weight of one, a mean of zero by accident, or a single row only.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from mutakata.numerics.rounding import Array, DTypeLike, dtype_of, round_to

WIDTHS = (1, 63, 64, 123, 128, 256, 512, 1000, 1024, 2048, 4095, 4096, 8192)
ROWS = 6


@dataclass(frozen=True)
class Case:
    """One call: its regime's name, the reason for it, and the keyword arguments."""

    name: str
    reason: str
    inputs: dict[str, Any]


@dataclass(frozen=True)
class Regime:
    """Rows of data, (rows, n) in `dtype`, made by `make(n, rows, dtype)`."""

    name: str
    reason: str
    make: Callable[[int, int, np.dtype[Any]], Array]


def _normal(n: int, rows: int, seed: int = 1) -> Array:
    return np.random.default_rng(seed).standard_normal((rows, n))


def _integers(n: int, rows: int, dtype: np.dtype[Any]) -> Array:
    """Whole numbers of mixed sign, at most 127 (2000 in fp32), whose squares sum to less than 2^24."""
    most = 2000 if dtype.itemsize >= 4 else 127
    limit = int(min(most, np.floor(np.sqrt(2.0**24 / n) * 0.9)))
    size = np.random.default_rng(3).integers(1, limit + 1, (rows, n))
    signs: Array = np.random.default_rng(4).choice([-1, 1], (rows, n))
    return np.asarray(size * signs)


def _balanced(n: int, rows: int, dtype: np.dtype[Any]) -> Array:
    """Whole numbers in pairs (k, -k), shuffled, so that the mean is exactly zero."""
    size = np.abs(_integers(n, rows, dtype))[:, : n // 2]
    padded = np.concatenate([size, -size, np.zeros((rows, n % 2), size.dtype)], axis=1)
    return np.random.default_rng(5).permuted(padded, axis=1)


def _outlier(n: int, rows: int, dtype: np.dtype[Any]) -> Array:
    data = _normal(n, rows)
    data[:, -1] = 200.0 * np.where(np.arange(rows) % 2, -1, 1)
    return data


def _large(n: int, rows: int, dtype: np.dtype[Any]) -> Array:
    """Up to three quarters of fp16's largest; for the wide formats squares that fp16 could not hold."""
    data = _normal(n, rows)
    return np.asarray(data / np.abs(data).max() * (49000.0 if dtype == np.float16 else 1e6))


def _scaled_grid(n: int, rows: int, dtype: np.dtype[Any]) -> Array:
    return np.asarray(np.ldexp(_integers(n, rows, dtype).astype(np.float64), -16))


def _offset(n: int, rows: int, dtype: np.dtype[Any]) -> Array:
    return 3 + _normal(n, rows) / 10


def _zero_rows(n: int, rows: int, dtype: np.dtype[Any]) -> Array:
    return _normal(n, rows) * (np.arange(rows)[:, None] % 2)


ROW_REGIMES = (
    Regime("ordinary", "N(0, 1): what every test has", lambda n, rows, _: _normal(n, rows)),
    Regime("tiny", "mean square near eps: eps shows", lambda n, rows, _: 1e-3 * _normal(n, rows)),
    Regime("outlier", "200 in the last column: a dropped tail shows", _outlier),
    Regime("offset", "3 + N/10: sums that only grow, a mean to remove", _offset),
    Regime("large", "near fp16's largest: x*x overflows in fp16", _large),
    Regime("zero_row", "rows of zeros between others: 0, not NaN", _zero_rows),
    Regime("grid", "whole numbers: every order of summation gives the same bits", _integers),
    Regime("grid_tiny", "the grid scaled to a mean square near eps", _scaled_grid),
    Regime("balanced", "the grid with a mean of exactly zero: centring is exact too", _balanced),
)  # fmt: skip


def strided(array: Array) -> Array:
    """The same values in a buffer with gaps, which hold NaN: a kernel that ignores strides reads them."""
    buffer = np.full((*array.shape[:-1], 2 * array.shape[-1] + 1), np.nan, array.dtype)
    view = buffer[..., 1::2]
    view[...] = array
    return view


def weights(n: int, dtype: DTypeLike, seed: int = 6) -> Array:
    """1 + N/2, never one by coincidence."""
    return round_to(1 + 0.5 * np.random.default_rng(seed).standard_normal(n), dtype)


def rows_of(n: int, rows: int, dtype: np.dtype[Any]) -> Iterator[tuple[str, str, Array]]:
    """Every row regime as data, and the ordinary one once more in a buffer with gaps."""
    for regime in ROW_REGIMES:
        yield regime.name, regime.reason, round_to(regime.make(n, rows, dtype), dtype)
    ordinary = round_to(_normal(n, rows), dtype)
    yield "strided", "a view with gaps between elements, which hold NaN", strided(ordinary)


def _rms_norm(n: int, rows: int, dtype: np.dtype[Any]) -> Iterator[Case]:
    for name, reason, x in rows_of(n, rows, dtype):
        yield Case(name, reason, {"x": x, "weight": weights(n, dtype), "eps": 1e-6})


def _layer_norm(n: int, rows: int, dtype: np.dtype[Any]) -> Iterator[Case]:
    beta = round_to(0.5 * np.random.default_rng(8).standard_normal(n), dtype)
    for name, reason, x in rows_of(n, rows, dtype):
        yield Case(name, reason, {"x": x, "gamma": weights(n, dtype), "beta": beta, "eps": 1e-6})
    yield Case(
        "far_mean",
        "1000 + N: E[x^2] - E[x]^2 cancels",
        {
            "x": round_to(1000 + _normal(n, rows), dtype),
            "gamma": weights(n, dtype),
            "beta": beta,
            "eps": 1e-6,
        },
    )
    x = round_to(_balanced(n, rows, dtype) * 2.0**-16, dtype)
    yield Case("balanced_tiny", "variance near eps with exact centring", {
        "x": x, "gamma": weights(n, dtype), "beta": beta, "eps": 1e-6})  # fmt: skip


def _add_rms_norm(n: int, rows: int, dtype: np.dtype[Any]) -> Iterator[Case]:
    for name, reason, total in rows_of(n, rows, dtype):
        residual = round_to(0.75 * total.astype(np.float64), dtype)
        if name.startswith("grid") or name == "balanced":
            quantum = 2.0**-16 if name == "grid_tiny" else 1.0
            residual = round_to(np.trunc(0.75 * total.astype(np.float64) / quantum) * quantum, dtype)
        x = round_to(total.astype(np.float64) - residual.astype(np.float64), dtype)
        yield Case(name, reason, {"x": x, "residual": residual, "weight": weights(n, dtype), "eps": 1e-6})
    residual = round_to(_normal(n, rows), dtype)
    x = round_to(2.0**-6 * _normal(n, rows, 11), dtype)
    yield Case("small_update", "an update far below the stream: the rounding of the sum shows", {
        "x": x, "residual": residual, "weight": weights(n, dtype), "eps": 1e-6})  # fmt: skip


def _gradient_grid(n: int, rows: int) -> tuple[Array, Array]:
    """Small whole x and grad whose sum of weight*grad*x, weight in eighths, stays below 2^24 quanta."""
    limit = int(max(1, min(31, np.floor(np.sqrt(2.0**24 / (16 * n))))))
    rng = np.random.default_rng(9)
    x = rng.integers(1, limit + 1, (rows, n)) * rng.choice([-1, 1], (rows, n))
    return x, rng.integers(1, limit + 1, (rows, n))


def eighths(n: int, dtype: DTypeLike) -> Array:
    """Weights in whole eighths from 1/8 to 2."""
    return round_to(np.random.default_rng(10).integers(1, 17, n) / 8, dtype)


def upstream(n: int, rows: int, dtype: np.dtype[Any]) -> Iterator[tuple[str, str, Array, Array, Array]]:
    """name, reason, x, grad and weight of the gradient cases."""
    weight, noise = weights(n, dtype), round_to(_normal(n, rows, 9), dtype)
    for name, reason, x in rows_of(n, rows, dtype):
        if not name.startswith(("grid", "balanced", "large")):
            yield name, reason, x, noise, weight
    x, size = _gradient_grid(n, rows)
    eighth, integers = eighths(n, dtype), round_to(x, dtype)
    aligned = "grad has the sign of x, so that nothing cancels in the projection"
    yield "grid", "whole numbers and " + aligned, integers, round_to(size * np.sign(x), dtype), eighth
    scaled = round_to(x * 2.0**-13, dtype)
    yield (
        "grid_tiny",
        "the grid with a mean square near eps",
        scaled,
        round_to(size * np.sign(x), dtype),
        eighth,
    )
    half = size[:, : n // 2]
    pair = np.concatenate([half, -half, np.zeros((rows, n % 2), half.dtype)], axis=1)
    pair = np.random.default_rng(5).permuted(pair, axis=1)
    yield (
        "balanced",
        "mean exactly zero and " + aligned,
        round_to(pair, dtype),
        round_to(size * np.sign(pair), dtype),
        eighth,
    )
    constant = np.broadcast_to(np.ones((), dtype), (rows, n))
    yield (
        "stride_0",
        "what y.sum().backward() sends: ones with stride 0",
        round_to(_normal(n, rows), dtype),
        constant,
        weight,
    )
    many = round_to(_normal(n, 300, 12), dtype) if n <= 256 else round_to(_normal(n, 40, 12), dtype)
    ones = round_to(1 + 0.01 * _normal(n, len(many), 13), dtype)
    yield "many_rows", "sums over rows that a narrow accumulator cannot hold", np.abs(many), ones, weight


def _rms_norm_backward(n: int, rows: int, dtype: np.dtype[Any]) -> Iterator[Case]:
    for name, reason, x, grad, weight in upstream(n, rows, dtype):
        yield Case(name, reason, {"grad": grad, "x": x, "weight": weight, "eps": 1e-6})


def _add_rms_norm_backward(n: int, rows: int, dtype: np.dtype[Any]) -> Iterator[Case]:
    for name, reason, x, grad, weight in upstream(n, rows, dtype):
        through = round_to(_normal(n, len(x), 14), dtype)
        yield Case(name, reason, {
            "grad": grad, "grad_residual": through, "x": x, "weight": weight, "eps": 1e-6})  # fmt: skip


def _layer_norm_backward(n: int, rows: int, dtype: np.dtype[Any]) -> Iterator[Case]:
    for name, reason, x, grad, gamma in upstream(n, rows, dtype):
        yield Case(name, reason, {"grad": grad, "x": x, "gamma": gamma, "eps": 1e-6})
    yield Case("far_mean", "1000 + N: E[x^2] - E[x]^2 cancels", {
        "grad": round_to(_normal(n, rows, 9), dtype), "x": round_to(1000 + _normal(n, rows), dtype),
        "gamma": weights(n, dtype), "eps": 1e-6})  # fmt: skip


def _swiglu(n: int, rows: int, dtype: np.dtype[Any]) -> Iterator[Case]:
    up = round_to(_normal(n, rows, 2), dtype)
    spread = np.linspace(-30, 30, rows * n).reshape(rows, n)
    for name, reason, gate in (
        ("ordinary", "N(0, 1)", _normal(n, rows)),
        ("wide", "gates from -30 to 30: the tail of the sigmoid shows", spread),
        ("overflow", "gates down to -120: exp(-g) overflows, y is 0", 4.0 * spread),
        ("tiny", "gates near 0, where silu(g) is g/2", 1e-3 * _normal(n, rows)),
    ):
        yield Case(name, reason, {"gate": round_to(gate, dtype), "up": up})
    yield Case("strided", "views with gaps, which hold NaN", {
        "gate": strided(round_to(_normal(n, rows), dtype)), "up": strided(up)})  # fmt: skip


def _rope(n: int, rows: int, dtype: np.dtype[Any]) -> Iterator[Case]:
    dim = n + n % 2
    for name, reason, positions, base in (
        ("first", "positions 0, 1, 2 ...: 0 leaves the row as it is", np.arange(rows), 10000.0),
        ("odd", "positions that bf16 cannot hold", 1857 + 263 * np.arange(rows), 10000.0),
        ("far", "positions up to 131071", 131071 - 509 * np.arange(rows), 500000.0),
    ):
        x = round_to(np.random.default_rng(1).standard_normal((2, rows, dim)), dtype)
        yield Case(name, reason, {"x": x, "positions": positions, "base": base})
    yield Case("strided", "a view with gaps, which hold NaN", {
        "x": strided(x), "positions": np.arange(3, 3 + rows), "base": 10000.0})  # fmt: skip


def _softmax(n: int, rows: int, dtype: np.dtype[Any]) -> Iterator[Case]:
    data = _normal(n, rows)
    masked = np.where(np.arange(n) > np.arange(rows)[:, None] * n / rows, -np.inf, 3 * data)
    empty = masked.copy()
    empty[::2] = -np.inf
    rising = np.sort(4 * data, axis=-1)
    for name, reason, x in (
        ("ordinary", "N(0, 1)", data),
        ("large", "scores near 1000: exp overflows unless the maximum is subtracted", 990 + 4 * data),
        ("negative", "scores near -100: a padded 0 would win", -100 + data),
        ("masked", "a causal mask of -inf", masked),
        ("empty", "fully masked rows between others: zeros, not NaN", empty),
        (
            "peaked",
            "one score far above the others, in the last column",
            np.concatenate([data[:, :-1], data[:, -1:] * 0 + 12], axis=1),
        ),
        ("rising", "sorted scores: an online maximum changes at every step", rising),
        ("flat", "equal scores: every y is 1/n", np.full((rows, n), 0.75)),
        (
            "many_small",
            "one large and many equal small terms: a narrow sum stops growing",
            np.where(np.arange(n) == 0, 6.0, 0.0) * np.ones((rows, 1)),
        ),
    ):
        yield Case(name, reason, {"x": round_to(x, dtype)})
    yield Case("strided", "a view with gaps, which hold NaN", {"x": strided(round_to(data, dtype))})


CASES: dict[str, Callable[[int, int, np.dtype[Any]], Iterator[Case]]] = {
    "rms_norm": _rms_norm,
    "layer_norm": _layer_norm,
    "add_rms_norm": _add_rms_norm,
    "swiglu": _swiglu,
    "rope": _rope,
    "softmax": _softmax,
    "rms_norm_backward": _rms_norm_backward,
    "layer_norm_backward": _layer_norm_backward,
    "add_rms_norm_backward": _add_rms_norm_backward,
}


def fixed_inputs(op: str, dtype: DTypeLike, n: int, rows: int = ROWS) -> list[Case]:
    """Every fixed input of an operation at one width. The same call always gives the same bits."""
    return list(CASES[op](n, rows, dtype_of(dtype)))
