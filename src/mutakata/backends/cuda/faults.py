"""What the simulation found, as an exception that says it all."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from .compiler import SHOWN
from .report import KINDS, Place, RawParty, RawReport, index
from .words import WORDS


class Fault(AssertionError):
    """A launch that no GPU defines the outcome of. As an AssertionError it fails a test with its own words.

    `kind` is one of KINDS; `place` is the thread that was stopped, `other` the second party, if there is one;
    `buffer`, `index` and `size` (elements) tell which array was meant, where that is known.
    """

    def __init__(
        self,
        kind: str,
        message: str,
        place: Place | None = None,
        other: Place | None = None,
        buffer: str | None = None,
        index: int | None = None,
        size: int | None = None,
    ) -> None:
        super().__init__(message)
        self.kind, self.place, self.other = kind, place, other
        self.buffer, self.index, self.size = buffer, index, size

    @property
    def file(self) -> str | None:
        return self.place.file if self.place else None

    @property
    def line(self) -> int:
        return self.place.line if self.place else 0

    def __reduce__(self) -> tuple[type[Fault], tuple[object, ...]]:
        return Fault, (
            self.kind, str(self), self.place, self.other, self.buffer, self.index, self.size,
        )  # fmt: skip


@dataclass(frozen=True)
class Launched:
    """The launch a report belongs to."""

    kernel: str
    filename: str
    text: str
    library: Path
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    seed: int
    shared: int = 0
    steps: int = 0

    def __str__(self) -> str:
        return f"{self.kernel}[{index(self.grid)}, {index(self.block)}], schedule seed {self.seed}"


@lru_cache(maxsize=256)
def _frames(library: Path, pc: int) -> tuple[tuple[str, int], ...]:
    """File and line of an address and of every function it was inlined into, innermost first."""
    tool = shutil.which("addr2line") or shutil.which("llvm-addr2line")
    if tool is None or pc == 0:
        return ()
    command = [tool, "-i", "-e", str(library), hex(pc - 1)]  # the return address is one past the call
    out = subprocess.run(command, capture_output=True, text=True).stdout
    frames = [line.partition(" ")[0].rpartition(":") for line in out.splitlines()]
    return tuple((file, int(n) if n.isdigit() else 0) for file, _, n in frames)


def _own(file: str, launched: Launched) -> str | None:
    """The user's name of a file in debug information; None for the simulation's own."""
    if file.startswith(SHOWN):
        return launched.filename
    return None if "/sim/" in file or "/runtime-" in file or not Path(file).is_file() else file


def _place(raw: RawParty, launched: Launched) -> Place | None:
    if raw.thread < 0:
        return None
    file, line = launched.filename, raw.line
    if line and raw.file:
        file = _own(raw.file.decode(), launched) or launched.filename
    elif not line:
        own = [(f, n) for name, n in _frames(launched.library, raw.pc) if (f := _own(name, launched))]
        file, line = own[0] if own else (launched.filename, 0)
    x, y, _ = launched.block
    thread = (raw.thread % x, raw.thread // x % y, raw.thread // (x * y))
    access = ("read", "write", "atomic")[raw.access]
    return Place(tuple(raw.block), thread, file, line, access, (raw.op or b"").decode())


_NAME_AN_ARRAY = {"out-of-bounds", "race", "race-between-blocks", "unwritten-shared"}


def _quote(place: Place | None, launched: Launched) -> list[str]:
    """The line of source a party is at."""
    if place is None or not place.line or place.file != launched.filename:
        return []
    lines = launched.text.splitlines()
    if place.line > len(lines):
        return []
    doing = f"{index(place.thread)} {place.op or place.access}".rstrip()
    return [f"  {place.line:>4} | {lines[place.line - 1].strip()}    <- {doing}"]


def fault_of(raw: RawReport, launched: Launched) -> Fault:
    """The report of a launch as an exception that says it all."""
    kind = KINDS[raw.kind]
    me = _place(raw.me, launched) or Place((0, 0, 0), (0, 0, 0), launched.filename, 0)
    other = _place(raw.other, launched)
    if kind not in _NAME_AN_ARRAY:
        me = replace(me, access="")
    title = f"{kind.replace('-', ' ')} at {me.where}"
    quotes = dict.fromkeys(_quote(other, launched) + _quote(me, launched))
    message = "\n".join([title, WORDS[kind](raw, me, other), *quotes, f"in {launched}"])
    if kind == "out-of-bounds" and raw.b:
        return Fault(kind, message, me, other, None, raw.a, None)
    if raw.name is None or kind not in _NAME_AN_ARRAY:
        return Fault(kind, message, me, other)
    size = max(raw.element, 1)
    return Fault(kind, message, me, other, raw.name.decode(), raw.offset // size, raw.bytes // size)
