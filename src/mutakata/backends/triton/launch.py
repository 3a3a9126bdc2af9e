"""One kernel launch: its grid, the seeded order of its programs, and the checks on every access."""

import inspect
import os
import random
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import numpy.typing as npt

from mutakata.backends.triton.fault import Access, Fault, Site
from mutakata.backends.triton.memory import Addresses, AddressSpace, Array, Region
from mutakata.backends.triton.races import Race, Shadow, duplicates

_HERE = str(Path(__file__).parent)


def seed() -> int:
    """The seed of the program order: MUTAKATA_SEED, or 0."""
    return int(os.environ.get("MUTAKATA_SEED", "0"))


class Launch:
    """State of the launch in progress. `skip` is the folder of triton, whose frames are not the kernel's."""

    def __init__(self, kernel: str, names: dict[int, str], skip: str) -> None:
        self.kernel = kernel
        self.patched: set[int] = set()  # ids of the modules' globals that see the interpreter's language
        self.space = AddressSpace()
        self._names = names  # id of a host tensor -> the kernel's name for it
        self._skip = (skip, _HERE)
        self._shadow: Shadow | None = None
        self._grid = (1, 1, 1)
        self._order: list[int] = []
        self._program = "0"

    def bind(self, argument: Any, tensor: Any) -> int:
        """The virtual address under which the kernel sees this tensor argument."""
        steps = zip(tensor.shape, tensor.stride(), strict=True)
        elements = 1 + sum((size - 1) * abs(stride) for size, stride in steps) if tensor.numel() else 0
        size = tensor.element_size()
        name = self._names.get(id(argument), "a tensor argument")
        return self.space.bind(Region(name, tensor.data_ptr(), elements * size, size))

    def start(self, grid: tuple[int, int, int]) -> None:
        """The grid is known: draw the order of its programs."""
        if grid[1] > 65535 or grid[2] > 65535 or grid[0] > 2**31 - 1:
            raise ValueError(f"grid {grid} is larger than a GPU allows: (2**31 - 1, 65535, 65535)")
        self._grid = grid
        self._order = list(range(grid[0] * grid[1] * grid[2]))
        random.Random(seed()).shuffle(self._order)
        self._shadow = Shadow()
        self._shadow.cover(self.space.regions)

    def program(self, x: int, y: int, z: int) -> tuple[int, int, int]:
        """The program that runs when the interpreter's loop stands at (x, y, z)."""
        _, height, depth = self._grid
        linear = self._order[(x * height + y) * depth + z]
        index = (linear // (height * depth), linear // depth % height, linear % depth)
        self._program = _label(index, self._grid)
        assert self._shadow is not None
        self._shadow.begin(linear, self._program)
        return index

    def access(
        self,
        verb: str,
        pointers: Addresses,
        mask: npt.NDArray[np.bool_],
        itemsize: int,
        *,
        values: Array | None = None,
        volatile: bool = False,
        synchronises: bool = False,
    ) -> Addresses:
        """Real addresses, in the shape of `pointers`; 0 where the mask is False. Raises Fault."""
        active = pointers[mask]
        if not active.size:
            return np.zeros_like(pointers)
        access = Access(verb, self.kernel, self._program, self._site())
        found = self.space.resolve(active, itemsize, access)
        assert self._shadow is not None
        if synchronises and pointers.size == 1:
            self._shadow.synchronise(int(found[0]))
        try:
            self._shadow.touch(found, itemsize, access, volatile)
        except Race as race:
            raise race.named(self.space.regions) from None
        if values is not None and duplicates(found, values[mask]):
            raise _duplicate(access)
        if found.size == pointers.size:
            return found.reshape(pointers.shape)
        real = np.zeros_like(pointers)
        real[mask] = found
        return real

    def _site(self) -> Site:
        frame: FrameType | None = inspect.currentframe()
        while frame is not None and frame.f_code.co_filename.startswith(self._skip):
            frame = frame.f_back
        return Site(frame.f_code.co_filename, frame.f_lineno) if frame else Site("?", 0)


def _label(index: Sequence[int], grid: Sequence[int]) -> str:
    used = max((axis for axis in range(3) if grid[axis] > 1), default=0) + 1
    return str(index[0]) if used == 1 else str(tuple(index[:used]))


def _duplicate(access: Access) -> Fault:
    return Fault(
        "duplicate store",
        f"program {access.program} of {access.kernel} stores different values to one address in one tl.store",
        (access.site,),
        "Which lane wins is undefined. Mask all but one, or reduce before storing.",
    )
