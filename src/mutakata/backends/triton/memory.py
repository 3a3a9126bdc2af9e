"""Every tensor argument gets an address range of its own, so that no stray pointer lands in a neighbour.

A virtual address is a tag (which tensor) and an offset in bytes around ORIGIN, far enough from both ends that
no int32 element offset, of either sign, reaches the next tag. Pointer arithmetic keeps the tag by itself.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from mutakata.backends.triton.fault import Access, Fault

Addresses = npt.NDArray[np.uint64]
Array = npt.NDArray[Any]

_TAG_BITS = 48
_ORIGIN = 1 << (_TAG_BITS - 1)
_ALIGNMENT = 4096  # the low bits of the real address survive, for kernels that look at alignment


@dataclass(frozen=True)
class Region:
    """One tensor argument: its real address, and its extent in bytes from first to last element."""

    name: str
    address: int
    extent: int
    itemsize: int


class AddressSpace:
    """The tensor arguments of one launch."""

    def __init__(self) -> None:
        self.regions: list[Region] = []
        self._bases: list[int] = []

    def bind(self, region: Region) -> int:
        """The virtual address of the region's first byte."""
        self.regions.append(region)
        base = (len(self.regions) << _TAG_BITS) + _ORIGIN + region.address % _ALIGNMENT
        self._bases.append(base)
        return base

    def resolve(self, pointers: Addresses, itemsize: int, access: Access) -> Addresses:
        """Real addresses of virtual ones (1-D). Raises Fault when one lies outside its tensor."""
        tags = pointers >> np.uint64(_TAG_BITS)
        if (tags == tags[0]).all():
            return self._resolve_in(int(tags[0]), pointers, itemsize, access)
        real = np.empty_like(pointers)
        for tag in np.unique(tags):
            lanes = tags == tag
            real[lanes] = self._resolve_in(int(tag), pointers[lanes], itemsize, access)
        return real

    def _resolve_in(self, tag: int, pointers: Addresses, itemsize: int, access: Access) -> Addresses:
        if not 1 <= tag <= len(self.regions):
            raise _foreign(pointers.size, access)
        region = self.regions[tag - 1]
        offset = (pointers - np.uint64(self._bases[tag - 1])).view(np.int64)
        if offset.min() < 0 or offset.max() > region.extent - itemsize:
            raise _out_of_bounds(region, offset[(offset < 0) | (offset > region.extent - itemsize)], access)
        return offset.view(np.uint64) + np.uint64(region.address)


def _out_of_bounds(region: Region, offsets: Array, access: Access) -> Fault:
    elements = offsets // region.itemsize
    low, high = int(elements.min()), int(elements.max())
    where = f"{region.name}[{low}]" if low == high else f"{region.name}[{low}] to {region.name}[{high}]"
    lanes = f"{offsets.size} lane{'s' * (offsets.size != 1)}"
    return Fault(
        "out of bounds",
        f"program {access.program} of {access.kernel}, {access.verb} at {where} ({lanes});"
        f" {region.name} ends after {region.extent // region.itemsize} elements",
        (access.site,),
        "Mask these lanes, or correct the offset. A kernel may touch only what lies between the first and the"
        " last element of the tensor that it was given.",
    )


def _foreign(lanes: int, access: Access) -> Fault:
    return Fault(
        "out of bounds",
        f"program {access.program} of {access.kernel}, {access.verb} through a pointer that belongs to no"
        f" tensor argument ({lanes} lane{'s' * (lanes != 1)})",
        (access.site,),
        "Pass the tensor as an argument of the kernel and add offsets to it.",
    )


_NAN_FIRST = (np.nan, np.inf, -np.inf)


def poison(mask: npt.NDArray[np.bool_], dtype: np.dtype[Any]) -> Array:
    """Values for the lanes that a masked load without `other` leaves undefined, in the shape of the mask.

    Floats get NaN, inf and -inf in turn along the last axis: a sum sees the NaN, a maximum ignores it and
    sees the inf. Integers get a value that is large, odd and useless as an offset.
    """
    if dtype == np.bool_:
        return np.ones(mask.shape, dtype)
    if dtype.kind in "iu":
        return np.full(mask.shape, 0x6B6B6B6B6B6B6B6B & np.iinfo(dtype).max, dtype)
    turn = np.cumsum(~mask, axis=-1) - 1
    values: Array = np.array(_NAN_FIRST, dtype)[turn % len(_NAN_FIRST)]
    return values
