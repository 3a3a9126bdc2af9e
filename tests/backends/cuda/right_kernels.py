"""Launches of the kernels of ``right/``: each returns what was computed and what is right.

The inputs are small integers, so that every order of adding gives the same sum.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from mutakata.backends.cuda import kernels

HERE = Path(__file__).parent / "right"
reductions = kernels(HERE / "reductions.cu")
patterns = kernels(HERE / "patterns.cu")

Result = tuple[Any, Any]
f32 = np.float32


def _numbers(*shape: int) -> np.ndarray[Any, Any]:
    return np.random.default_rng(0).integers(-8, 8, shape).astype(f32)


def warp_tiles(seed: int) -> Result:
    x, y = _numbers(100), np.zeros(100, f32)
    reductions.warp_tiles[2, 64](x, y, 100, seed=seed)
    padded = np.pad(x, (0, 4)).reshape(-1, 8)
    return y, np.repeat(padded.sum(1), 8)[:100]


def variance(seed: int) -> Result:
    y = np.zeros(3, f32)
    x = np.tile(np.array([-1, 1, -3, 3], f32), (3, 24))
    reductions.variance[3, 96](x, y, 96, seed=seed)
    return y, np.full(3, 5, f32)


def scan_ping_pong(seed: int) -> Result:
    x, y = _numbers(64), np.zeros(64, f32)
    reductions.scan_ping_pong[1, 64](x, y, 64, shared=2 * 64 * 4, seed=seed)
    return y, np.cumsum(x)


def range_by_template(seed: int) -> Result:
    x, y = _numbers(64), np.zeros(64, f32)
    reductions.range_by_template[1, 64](x, y, 64, seed=seed)
    return y, np.full(64, np.ptp(x))


def early_exit(seed: int) -> Result:
    x, y = _numbers(40), np.zeros(40, f32)
    reductions.early_exit[1, 64](x, y, 40, seed=seed)
    return y, x[::-1]


def sum_by_atomics(seed: int) -> Result:
    x, y = _numbers(1000), np.zeros(1, f32)
    reductions.sum_by_atomics[5, 128](x, y, 1000, seed=seed)
    return y, x.sum(keepdims=True)


def mixed_dynamic_shared(seed: int) -> Result:
    x, y = _numbers(64), np.zeros(64, f32)
    reductions.mixed_dynamic_shared[1, 64, 64 * 8](x, y, 64, seed=seed)
    swapped = x.reshape(-1, 2)[:, ::-1].ravel()
    return y, np.maximum(swapped, 0)


def transpose(seed: int) -> Result:
    x, y = _numbers(32, 32), np.zeros((32, 32), f32)
    patterns.transpose[(2, 2), (16, 16)](x, y, 32, seed=seed)
    return y, x.T


def vector_with_tail(seed: int) -> Result:
    x, y = _numbers(126), np.zeros(126, f32)
    patterns.vector_with_tail[2, 16](x, y, 126, seed=seed)
    return y, 2 * x


def exchange_in_warp(seed: int) -> Result:
    x, y = _numbers(64), np.zeros(64, f32)
    patterns.exchange_in_warp[1, 64](x, y, 64, seed=seed)
    return y, x.reshape(-1, 2)[:, ::-1].ravel()


def ballot_mask(seed: int) -> Result:
    x, y = _numbers(32), np.zeros(32, f32)
    patterns.ballot_mask[1, 32](x, y, 20, seed=seed)
    return y, np.where(np.arange(32) < 20, x[0] + 20, 0)


def histogram(seed: int) -> Result:
    x = np.random.default_rng(1).integers(0, 16, 500).astype(np.int32)
    y = np.zeros(16, np.int32)
    patterns.histogram[3, 64](x, y, 500, seed=seed)
    return y, np.bincount(x, minlength=16)


def lock(seed: int) -> Result:
    held, value = np.zeros(1, np.int32), np.zeros(1, np.int32)
    patterns.lock[2, 40](held, value, 3, seed=seed)
    return [*held, *value], [0, 2 * 40 * 3]


def bytes_apart(seed: int) -> Result:
    x = np.arange(-50, 50, dtype=np.int8)
    y = np.zeros(100, np.int8)
    patterns.bytes[4, 32](x, y, 100, seed=seed)
    return y, -x


def half_pairs(seed: int) -> Result:
    x = _numbers(61).astype(np.float16)
    y = np.zeros(61, np.float16)
    patterns.half_pairs[1, 32](x, y, 61, seed=seed)
    return y, x + x


def smooth_in_place(seed: int) -> Result:
    x = _numbers(64)
    before = np.pad(x, 1, mode="edge")
    patterns.smooth_in_place[1, 64](x, 64, seed=seed)
    return x, before[:-2] / 4 + before[1:-1] / 2 + before[2:] / 4


def uniform_branches(seed: int) -> Result:
    x, y = _numbers(64), np.zeros(64, f32)
    patterns.uniform_branches[1, 64](x, y, 9, seed=seed)
    return y, np.full(64, x[:9:2].sum() + (x > 0.5).sum())


def partial_warp(seed: int) -> Result:
    x, y = _numbers(40), np.zeros(2, f32)
    patterns.partial_warp[1, 40](x, y, 40, seed=seed)
    return y, [x[:32].sum(), x[32:].sum()]


RIGHT: tuple[Callable[[int], Result], ...] = (
    warp_tiles,
    variance,
    scan_ping_pong,
    range_by_template,
    early_exit,
    sum_by_atomics,
    mixed_dynamic_shared,
    transpose,
    vector_with_tail,
    exchange_in_warp,
    ballot_mask,
    histogram,
    lock,
    bytes_apart,
    half_pairs,
    smooth_in_place,
    uniform_branches,
    partial_warp,
)
