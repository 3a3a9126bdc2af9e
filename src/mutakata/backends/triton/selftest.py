"""Kernels that only a faithful interpreter runs right. Import after TRITON_INTERPRET is set."""
# mypy: disable-error-code="no-untyped-def, untyped-decorator, unused-ignore"

import torch
import triton
import triton.language as tl

from mutakata.backends.triton.fault import Fault

_WIDTH = 4096


@triton.jit
def _sums(X, Y, START: tl.constexpr, STEPS: tl.constexpr, WIDTH: tl.constexpr):
    total = tl.full((1,), START, X.dtype.element_ty)
    for i in range(STEPS):
        total += tl.load(X + i + tl.arange(0, 1))
    tl.store(Y + tl.arange(0, 1), total)
    tl.store(Y + 1, tl.sum(tl.load(X + tl.arange(0, WIDTH))))


@triton.jit
def _past_the_end(X):
    tl.store(X + tl.arange(0, 8), 1.0)


@triton.jit
def _all_write_one(X):
    tl.store(X, 1.0)


def problems() -> list[str]:
    """What the interpreter gets wrong; empty when every replaced part works."""
    found = []
    # Ones added one by one stall where the spacing of the dtype reaches 2; as a tree the sum is exact.
    for dtype, stalls in ((torch.bfloat16, 256), (torch.float16, 2048)):
        ones, sums = torch.ones(_WIDTH, dtype=dtype), torch.empty(2, dtype=dtype)
        _sums[(1,)](ones, sums, START=stalls - 2, STEPS=4, WIDTH=_WIDTH)
        if sums.tolist() != [stalls, _WIDTH]:
            found.append(f"sums of {dtype} ones are {sums.tolist()}, not {[stalls, _WIDTH]}")
    for kernel, kind in ((_past_the_end, "out of bounds"), (_all_write_one, "race")):
        try:
            kernel[(2,)](torch.zeros(7))
            found.append(f"no fault ({kind})")
        except Fault as fault:
            if fault.kind != kind:
                found.append(f"{fault.kind} where {kind} was due")
    return found
