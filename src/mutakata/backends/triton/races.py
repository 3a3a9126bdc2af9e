"""Who read and wrote each element during a launch, and who may have met whom.

Programs of a grid run in no order. Two of them that touch one element, at least one to change it and not both
through atomics, give a result that depends on the schedule. The one exception is a pair ordered by a scalar
atomic that both performed (a lock, a counter of finished programs): what the first did before it, the second
sees after it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from mutakata.backends.triton.fault import Access, Fault, Site
from mutakata.backends.triton.memory import Addresses, Array, Region

Codes = npt.NDArray[np.int64]

# A code packs one access into 62 bits: program + 1, the program's epoch, the site. 0 means nobody.
_SITE_BITS, _EPOCH_BITS = 20, 16
_PROGRAM_SHIFT = _SITE_BITS + _EPOCH_BITS

_PAST = {"load": "reads", "store": "writes", "atomic": "updates atomically"}


# What an access must not meet from another program. Two readers are kept: one differs from any writer.
_CONFLICTS = {
    "load": ("written", "updated"),
    "volatile": ("written",),
    "store": ("written", "updated", "read", "read_also"),
    "atomic": ("written", "read", "read_also"),
}


# Stretches of more cells than this are shadowed by pages as they are touched, so that gigabytes cost little.
_DENSE = 1 << 24
_PAGE_BITS = 12


@dataclass
class _Block:
    """Shadow of one stretch of memory: per cell the last writer, two different readers, the last atomic."""

    low: int
    high: int
    cell: int
    roles: dict[str, Codes] = field(init=False)
    used: set[str] = field(default_factory=set)
    pages: dict[int, int] = field(default_factory=dict)  # page of cells -> its place, in order of first touch

    def __post_init__(self) -> None:
        cells = -(-(self.high - self.low) // self.cell)
        self.paged = cells > _DENSE
        self.roles = {role: np.zeros(0 if self.paged else cells, np.int64) for role in _CONFLICTS["store"]}

    def mark(self, role: str, places: npt.NDArray[np.int64], code: int) -> None:
        self.roles[role][places] = code
        self.used.add(role)

    def places(self, addresses: Addresses, itemsize: int) -> npt.NDArray[np.int64]:
        """Where in `roles` the cells of these addresses are kept."""
        first = (addresses.astype(np.int64) - self.low) // self.cell
        wide = max(1, itemsize // self.cell)
        cells = first if wide == 1 else (first[:, None] + np.arange(wide)).ravel()
        return self._paged(cells) if self.paged else cells

    def _paged(self, cells: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        touched, which = np.unique(cells >> _PAGE_BITS, return_inverse=True)
        for page in touched.tolist():
            if page not in self.pages:
                self.pages[page] = len(self.pages)
                fresh = np.zeros(1 << _PAGE_BITS, np.int64)
                self.roles = {role: np.concatenate([codes, fresh]) for role, codes in self.roles.items()}
        place = np.array([self.pages[page] for page in touched.tolist()])[which]
        return place << _PAGE_BITS | cells & ((1 << _PAGE_BITS) - 1)

    def address(self, place: int) -> int:
        """The address of the cell that is kept there."""
        if self.paged:
            page = list(self.pages)[place >> _PAGE_BITS]
            place = page << _PAGE_BITS | place & ((1 << _PAGE_BITS) - 1)
        return self.low + place * self.cell


class Shadow:
    """Finds races of one launch. Call `begin` for each program, then `touch` for each of its accesses."""

    def __init__(self) -> None:
        self._blocks: list[_Block] = []
        self._sites: list[Access] = []
        self._site_ids: dict[tuple[str, Site, str], int] = {}
        self._programs: dict[int, str] = {}
        self._published: dict[int, dict[int, int]] = {}
        self.begin(0, "0")

    def cover(self, regions: Iterable[Region]) -> None:
        """Shadow these regions; those that overlap (views of one tensor) share their cells."""
        for region in sorted(regions, key=lambda region: region.address):
            end = region.address + region.extent
            if self._blocks and region.address < self._blocks[-1].high:
                last = self._blocks.pop()
                cell = int(np.gcd.reduce([last.cell, region.itemsize, region.address - last.low]))
                self._blocks.append(_Block(last.low, max(last.high, end), cell))
            elif region.extent:
                self._blocks.append(_Block(region.address, end, region.itemsize))

    def begin(self, program: int, label: str) -> None:
        """A program starts: it is ordered after nobody."""
        self._program = program
        self._programs[program] = label
        self._epoch = 0
        self._seen: dict[int, int] = {}

    def touch(self, addresses: Addresses, itemsize: int, access: Access, volatile: bool = False) -> None:
        """Record an access at real addresses (1-D). Raises Fault when it races with another program's."""
        first, last = int(addresses.min()), int(addresses.max())
        for block in self._blocks:
            if block.low <= first and last < block.high:
                self._touch(block, block.places(addresses, itemsize), access, volatile)
                return
            inside = (addresses >= block.low) & (addresses < block.high)
            if inside.any():
                self._touch(block, block.places(addresses[inside], itemsize), access, volatile)

    def synchronise(self, address: int) -> None:
        """A scalar atomic that acquires and releases: learn what others published here, publish our own."""
        clock = self._published.setdefault(address, {})
        for program, epoch in clock.items():
            self._seen[program] = max(epoch, self._seen.get(program, -1))
        clock.update(self._seen)
        clock[self._program] = self._epoch
        self._epoch += 1

    def _touch(self, block: _Block, cells: npt.NDArray[np.int64], access: Access, volatile: bool) -> None:
        code = self._code(access)
        for role in _CONFLICTS["volatile" if volatile else access.verb]:
            if role in block.used:
                self._compare(block.roles[role][cells], block, cells, access)
        if access.verb == "store":
            block.mark("written", cells, code)
        elif access.verb == "atomic":
            block.mark("updated", cells, code)
        elif not volatile:
            held = block.roles["read"][cells]
            free = (held == 0) | (held >> _PROGRAM_SHIFT == self._program + 1)
            block.mark("read", cells[free], code)
            if not free.all():
                block.mark("read_also", cells[~free], code)

    def _compare(self, codes: Codes, block: _Block, cells: npt.NDArray[np.int64], access: Access) -> None:
        others = (codes != 0) & (codes >> _PROGRAM_SHIFT != self._program + 1)
        if not others.any():
            return
        for code in np.unique(codes[others]):
            program = int(code >> _PROGRAM_SHIFT) - 1
            epoch = int(code >> _SITE_BITS) & ((1 << _EPOCH_BITS) - 1)
            if self._seen.get(program, -1) >= epoch:
                continue
            place = int(cells[others & (codes == code)][0])
            raise self._race(int(code), block.address(place), access)

    def _code(self, access: Access) -> int:
        key = (access.verb, access.site, access.kernel)
        if key not in self._site_ids:
            self._site_ids[key] = len(self._sites)
            self._sites.append(access)
        epoch = min(self._epoch, (1 << _EPOCH_BITS) - 1)
        return (self._program + 1) << _PROGRAM_SHIFT | epoch << _SITE_BITS | self._site_ids[key]

    def _race(self, code: int, address: int, access: Access) -> Fault:
        earlier = self._sites[code & ((1 << _SITE_BITS) - 1)]
        program = self._programs[(code >> _PROGRAM_SHIFT) - 1]
        return Race(access, earlier, program, address)


class Race(Fault):
    """Two programs met at one real address. The launch knows the tensor's name and says it by `named`."""

    def __init__(
        self, access: Access, earlier: Access, program: str, address: int, element: str = ""
    ) -> None:
        self._parts = (access, earlier, program, address)
        place = element or "the same element"
        what = (
            f"program {access.program} of {access.kernel} {_PAST[access.verb]} {place},"
            f" which program {program} {_PAST[earlier.verb]} in the same launch"
        )
        sites = (access.site,) if access.site == earlier.site else (access.site, earlier.site)
        super().__init__(
            "race",
            what,
            sites,
            "Programs run in no order. Give each its own elements, use tl.atomic_add, or split the launch.",
        )

    def named(self, regions: Iterable[Region]) -> "Race":
        """The same race with the element written as tensor[offset]."""
        access, earlier, program, address = self._parts
        for region in regions:
            if 0 <= address - region.address < region.extent:
                element = f"{region.name}[{(address - region.address) // region.itemsize}]"
                return Race(access, earlier, program, address, element)
        return self


def duplicates(addresses: Addresses, values: Array) -> bool:
    """Whether lanes of one store hold different values for one address: which one stays is undefined."""
    if addresses.size < 2 or bool((addresses[1:] > addresses[:-1]).all()):
        return False
    order = np.argsort(addresses, kind="stable")
    same = addresses[order][1:] == addresses[order][:-1]
    bits = values[order].view(np.dtype(f"u{values.dtype.itemsize}"))
    return bool((same & (bits[1:] != bits[:-1])).any())
