"""Kernels that only a faithful interpreter runs right. Import after TRITON_INTERPRET is set."""

import torch
import triton
import triton.language as tl

from mutakata.backends.triton.fault import Fault


@triton.jit
def _sums(X, Y, CHUNKS: tl.constexpr, WIDTH: tl.constexpr):  # type: ignore[no-untyped-def]
    total = tl.zeros((1,), X.dtype.element_ty)
    for i in range(CHUNKS):
        total += tl.load(X + i + tl.arange(0, 1))
    tl.store(Y + tl.arange(0, 1), total)
    tl.store(Y + 1, tl.sum(tl.load(X + tl.arange(0, WIDTH))))


@triton.jit
def _past_the_end(X):  # type: ignore[no-untyped-def]
    tl.store(X + tl.arange(0, 8), 1.0)


@triton.jit
def _all_write_one(X):  # type: ignore[no-untyped-def]
    tl.store(X, 1.0)


def problems() -> list[str]:
    """What the interpreter gets wrong; empty when every replaced part works."""
    found = []
    # Ones added one by one stall where the spacing of the dtype reaches 2; as a tree the sum is exact.
    for dtype, stalls in ((torch.bfloat16, 256), (torch.float16, 2048)):
        ones, sums = torch.ones(4096, dtype=dtype), torch.empty(2, dtype=dtype)
        steps = 512 if stalls == 256 else 64
        _sums[(1,)](ones, sums, CHUNKS=steps, WIDTH=4096)
        expected = [min(steps, stalls), 4096]
        if sums.tolist() != expected:
            found.append(f"{dtype} sums of ones are {sums.tolist()}, not {expected}")
    for kernel, kind in ((_past_the_end, "out of bounds"), (_all_write_one, "race")):
        try:
            kernel[(2,)](torch.zeros(7))
            found.append(f"no fault ({kind})")
        except Fault as fault:
            if fault.kind != kind:
                found.append(f"{fault.kind} where {kind} was due")
    return found
