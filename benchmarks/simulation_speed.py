"""Checked against unchecked simulation: milliseconds of a launch, and seconds of a build.

    python benchmarks/simulation_speed.py

Times are processor time of this process, least of several runs, so that a busy machine disturbs them little.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from mutakata.backends.cuda import Kernels, build, kernels

SOURCE = Path(__file__).resolve().parent / "simulation.cu"
SHAPES = ((4, 64), (64, 1024), (256, 4096))
THREADS = 256


def least(run: Callable[[], None], times: int) -> float:
    """Least processor milliseconds of a call."""
    found = []
    for _ in range(times):
        start = time.process_time()
        run()
        found.append(time.process_time() - start)
    return 1e3 * min(found)


def launch(module: Kernels, rows: int, width: int) -> Callable[[], None]:
    rng = np.random.default_rng(0)
    x, r = (rng.standard_normal((rows, width)).astype(np.float16) for _ in range(2))
    w, s, y = np.ones(width, np.float16), np.empty_like(x), np.empty_like(x)
    return lambda: module.add_rms_norm[rows, THREADS](x, r, w, s, y, width, 1e-6)


def builds() -> tuple[float, float]:
    """Wall seconds of the first build in an empty cache, and of one more text after it."""
    text, found = SOURCE.read_text(encoding="utf-8"), []
    before = os.environ.get("MUTAKATA_CACHE")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["MUTAKATA_CACHE"] = folder
        for k in range(4):
            start = time.perf_counter()
            build(f"{text}// {k}\n", str(SOURCE))
            found.append(time.perf_counter() - start)
    if before is None:
        del os.environ["MUTAKATA_CACHE"]
    else:
        os.environ["MUTAKATA_CACHE"] = before
    return found[0], min(found[1:])


def main() -> None:
    first, next_one = builds()
    print(f"build: {first:.1f} s in an empty cache, {next_one:.2f} s for one more kernel file")
    print(f"{'shape':>12} {'checked':>12} {'unchecked':>12} {'ratio':>6}")
    modules = [kernels(SOURCE, checked=c) for c in (True, False)]
    for rows, width in SHAPES:
        checked, plain = (least(launch(m, rows, width), 5) for m in modules)
        print(f"{rows:>6}x{width:<5} {checked:>9.2f} ms {plain:>9.2f} ms {checked / plain:>6.1f}")


if __name__ == "__main__":
    main()
