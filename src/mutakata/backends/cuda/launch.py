"""Starts kernels in the simulation."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from .arguments import Arguments, bind
from .faults import Fault, Launched, fault_of
from .report import RawReport
from .source import Signature

Dim = int | Sequence[int]
SHARED_LIMIT = 48 * 1024
"""Bytes of shared memory a block gets without opting in to more."""

_GRID_LIMIT = (2**31 - 1, 65535, 65535)
_BLOCK_LIMIT = (1024, 1024, 64)
_SIMULATED_BLOCKS = 2**24


def triple(dim: Dim, what: str) -> tuple[int, int, int]:
    """Grid or block dimensions as x, y, z; missing ones are 1."""
    parts = [dim] if not isinstance(dim, Sequence) else list(dim)
    if not 1 <= len(parts) <= 3 or any(int(p) != p for p in parts):
        raise ValueError(f"{what} must be one to three integers, got {dim!r}")
    x, y, z = (*map(int, parts), 1, 1)[:3]
    return x, y, z


def check_shape(signature: Signature, launched: Launched) -> None:
    """Raises Fault for a launch that a GPU refuses."""
    block, grid = launched.block, launched.grid
    threads = block[0] * block[1] * block[2]
    found = [
        f"the grid is {grid}, but each dimension must be 1 to {limit}"
        for n, limit in zip(grid, _GRID_LIMIT, strict=True)
        if not 1 <= n <= limit
    ]
    found += [
        f"the block is {block}, but its dimensions must be 1 to {_BLOCK_LIMIT}"
        for n, limit in zip(block, _BLOCK_LIMIT, strict=True)
        if not 1 <= n <= limit
    ]
    if threads > signature.max_threads:
        found.append(f"a block of {threads} threads is more than the {signature.max_threads} it may have")
    if not 0 <= launched.shared <= SHARED_LIMIT:
        found.append(f"{launched.shared} bytes of dynamic shared memory, but a block has {SHARED_LIMIT}")
    if grid[0] * grid[1] * grid[2] > _SIMULATED_BLOCKS:
        found.append(f"the simulation runs at most {_SIMULATED_BLOCKS} blocks")
    if found:
        words = "\n".join(dict.fromkeys(found))
        raise Fault("launch", f"launch refused for {signature.name}: {words}\nin {launched}")


_space = (ctypes.c_uint64 * 3)()
"""Where in this process every library keeps its windows and stacks: the first one reserves it."""


@lru_cache(maxsize=64)
def load(library: Path) -> ctypes.PyDLL:
    """The built kernels. PyDLL keeps the interpreter's lock: a library runs one launch at a time."""
    lib = ctypes.PyDLL(str(library))
    lib.cusim_buffer.restype = ctypes.c_uint64
    lib.cusim_buffer.argtypes = [
        ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_int, ctypes.c_char_p, ctypes.c_int,
    ]  # fmt: skip
    lib.cusim_start.argtypes = [
        ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_uint64, ctypes.c_uint64, ctypes.c_int,
    ]  # fmt: skip
    lib.cusim_report.restype = ctypes.POINTER(RawReport)
    if not lib.cusim_share(_space):
        raise MemoryError("the simulation finds no address space: raise `ulimit -v`")
    return lib


def _pass(lib: ctypes.PyDLL, arguments: Arguments) -> tuple[Any, list[Any]]:
    """The array of pointers to arguments, and what must stay alive with it."""
    bases, names = [], [" and ".join(b.names).encode() for b in arguments.buffers]
    for b, name in zip(arguments.buffers, names, strict=True):
        m = b.memory
        bases.append(lib.cusim_buffer(m.address, m.size, m.phase, b.element, name, b.written))
    cells = [ctypes.create_string_buffer(raw, len(raw)) for raw in arguments.at(bases)]
    pointers = (ctypes.c_void_p * max(len(cells), 1))(*(ctypes.addressof(c) for c in cells))
    return pointers, [*cells, *names]  # a report points at the names


def simulate(launched: Launched, signature: Signature, values: tuple[Any, ...], *, checked: bool) -> None:
    """Runs one launch. Arrays are changed only if it ends without a fault; raises Fault otherwise."""
    check_shape(signature, launched)
    arguments = bind(signature, values)
    lib = load(launched.library)
    grid, block = (ctypes.c_uint * 3)(*launched.grid), (ctypes.c_uint * 3)(*launched.block)
    lib.cusim_start(grid, block, launched.shared, launched.seed, launched.steps, checked)
    pointers, _alive = _pass(lib, arguments)
    if getattr(lib, f"cusim_launch_{signature.name}")(pointers):
        raise fault_of(lib.cusim_report().contents, launched)
