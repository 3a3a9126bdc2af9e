"""What fusing addition and RMSNorm saves on a GPU: time, bytes moved, and the share of the measured ceiling.

    python benchmarks/fusion.py

Unfused are PyTorch's own kernels, one for each operation; fused is the kernel of kata add_rms_norm_triton.
The ceiling is what a copy of the same size reaches. Medians over launches, each with a cold cache. Exits
with 4 where there is no GPU.
"""

from __future__ import annotations

import os
import statistics
import sys
from collections.abc import Callable

import torch

ROWS, WIDTHS, REPEATS = 16_384, (1024, 4096, 5000, 8192), 50
SIZE = 2  # bytes of a bfloat16
EPS = 1e-6
# Reads and writes of each element, kernel by kernel, if a norm reads its row once.
UNFUSED, FUSED, COPY = 3 + 2, 2 + 2, 2


def milliseconds(work: Callable[[], object], cold: torch.Tensor) -> float:
    """Median time of one call on the device, the second-level cache emptied before each."""
    for _ in range(5):
        work()
    times = []
    for _ in range(REPEATS):
        cold.zero_()
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        work()
        end.record()
        torch.cuda.synchronize()
        times.append(begin.elapsed_time(end))
    return statistics.median(times)


def row(width: int, fused: Callable[..., object], cold: torch.Tensor) -> str:
    """One line of the table."""
    x, residual, other = (torch.randn(ROWS, width, device="cuda").bfloat16() for _ in range(3))
    weight = torch.ones(width, device="cuda").bfloat16()

    def unfused() -> tuple[torch.Tensor, torch.Tensor]:
        updated = x + residual
        return torch.nn.functional.rms_norm(updated, (width,), weight, EPS), updated

    gigabytes = ROWS * width * SIZE / 1e9
    copy = milliseconds(lambda: other.copy_(x), cold)
    apart = milliseconds(unfused, cold)
    together = milliseconds(lambda: fused(x, residual, weight, EPS), cold)
    ceiling = COPY * gigabytes / copy
    shares = [passes * gigabytes / time / ceiling for passes, time in ((UNFUSED, apart), (FUSED, together))]
    return (
        f"{width:6} {copy:6.3f} ms {ceiling * 1e3:5.0f} GB/s {apart:9.3f} ms {shares[0]:4.0%} of it"
        f" {together:9.3f} ms {shares[1]:4.0%} of it {apart / together:8.2f}"
    )


def main() -> int:
    if not torch.cuda.is_available():
        print("no GPU here: nothing to measure", file=sys.stderr)
        return 4
    os.environ["MUTAKATA_DEVICE"] = "cuda"
    from mutakata.backends.modules import Source, load
    from mutakata.bank import load_exercise, sources

    kata = load_exercise("add_rms_norm_triton", sources()).kata
    fused = load(Source(kata.function, kata.source, kata.subject))
    cold = torch.empty(256 << 20, dtype=torch.int8, device="cuda")
    print(f"{torch.cuda.get_device_name()}, {ROWS} rows of bfloat16")
    print(f"{'width':>6} {'copy':>20} {'unfused':>22} {'fused':>22} {'speed-up':>8}")
    for width in WIDTHS:
        print(row(width, fused, cold), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
