"""What the simulation found, in words: which thread did what, where, against whom, and what to do."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from .compiler import SHOWN

KINDS = (
    "none",
    "out-of-bounds",
    "race",
    "race-between-blocks",
    "unwritten-shared",
    "divergent-barrier",
    "warp-mask",
    "endless-loop",
    "misaligned",
    "launch",
    "assertion",
    "division-by-zero",
    "trap",
)
"""Kinds of faults, in the order of `Kind` in sim/abi.h."""


class RawParty(ctypes.Structure):
    """`Party` of sim/abi.h."""

    _fields_ = (
        ("block", ctypes.c_uint * 3),
        ("thread", ctypes.c_int),
        ("access", ctypes.c_int),
        ("line", ctypes.c_int),
        ("file", ctypes.c_char_p),
        ("op", ctypes.c_char_p),
        ("pc", ctypes.c_uint64),
    )


class RawReport(ctypes.Structure):
    """`Report` of sim/abi.h."""

    _fields_ = (
        ("kind", ctypes.c_int),
        ("size", ctypes.c_int),
        ("shared", ctypes.c_int),
        ("element", ctypes.c_int),
        ("offset", ctypes.c_int64),
        ("bytes", ctypes.c_int64),
        ("a", ctypes.c_int64),
        ("b", ctypes.c_int64),
        ("name", ctypes.c_char_p),
        ("text", ctypes.c_char_p),
        ("me", RawParty),
        ("other", RawParty),
    )


@dataclass(frozen=True)
class Place:
    """A thread of a launch and the line it is at; line 0 when it is not known."""

    block: tuple[int, int, int]
    thread: tuple[int, int, int]
    file: str
    line: int
    access: str = ""
    op: str = ""

    @property
    def who(self) -> str:
        return f"thread {_index(self.thread)} of block {_index(self.block)}"

    @property
    def where(self) -> str:
        return f"{Path(self.file).name}:{self.line}" if self.line else Path(self.file).name


def _index(v: tuple[int, int, int]) -> str:
    return f"({v[0]},{v[1]},{v[2]})"


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
    lines: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{self.kernel}[{_index(self.grid)}, {_index(self.block)}], schedule seed {self.seed}"


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
    access = {0: "read", 1: "write", 2: "atomic", 3: "atomic"}[raw.access]
    return Place(tuple(raw.block), thread, file, line, access, (raw.op or b"").decode())


def _times(n: int, what: str) -> str:
    return f"{n} {what}" + ("" if n == 1 else "s")


def _element(raw: RawReport) -> str:
    name, size = (raw.name or b"?").decode(), max(raw.element, 1)
    index, rest = divmod(raw.offset, size)
    return f"{name}[{index}]" + (f" (byte {rest} of it)" if rest else "")


_VERB = {"read": "reads", "write": "writes", "atomic": "updates (atomic)"}
_DID = {"read": "read", "write": "written", "atomic": "updated (atomic)"}


def _out_of_bounds(raw: RawReport, me: Place, other: Place | None) -> str:
    if raw.b:
        kind = (raw.name or b"").decode().strip("'")
        return f"{me.who} uses index {raw.a} of an array of type {kind}."
    if raw.name is None:
        return (
            f"{me.who} {_VERB[me.access]} {_times(raw.size, 'byte')} at {raw.offset & (2**64 - 1):#x}, "
            "an address that belongs to no argument: a null or wild pointer."
        )
    held = raw.bytes // max(raw.element, 1)
    where = "shared array" if raw.shared else "argument"
    return (
        f"{me.who} {_VERB[me.access]} {_element(raw)}, but the {where} {raw.name.decode()} has "
        f"{_times(held, 'element')}, 0 to {held - 1}." if held else
        f"{me.who} {_VERB[me.access]} {_element(raw)}, but the {where} {raw.name.decode()} is empty."
    )  # fmt: skip


def _race(raw: RawReport, me: Place, other: Place | None) -> str:
    assert other is not None
    space = "shared" if raw.shared else "global"
    same = "of the same block" if raw.kind == KINDS.index("race") else f"of block {_index(other.block)}"
    remedy = (
        "Nothing orders the two: put a __syncthreads() between them."
        if raw.kind == KINDS.index("race")
        else "Blocks run in any order: give each its own elements, or use an atomic operation."
    )
    return (
        f"{me.who} {_VERB[me.access]} {_element(raw)} in {space} memory, which thread "
        f"{_index(other.thread)} {same} has {_DID[other.access]} at {other.where}.\n{remedy}"
    )


def _unwritten(raw: RawReport, me: Place, other: Place | None) -> str:
    return (
        f"{me.who} {_VERB[me.access]} {_element(raw)} in shared memory, which no thread of the block has "
        "written.\nOn a GPU it holds whatever an earlier block left."
    )


def _barrier(raw: RawReport, me: Place, other: Place | None) -> str:
    assert other is not None
    if raw.a:
        rest = f"thread {_index(other.thread)} has passed an earlier barrier and ended."
    else:
        rest = f"thread {_index(other.thread)} waits at {other.op} of {other.where}."
    return f"{me.who} waits at {me.op}, but {rest}\nEvery thread of a block must reach the same barriers."


def _warp(raw: RawReport, me: Place, other: Place | None) -> str:
    text = (raw.text or b"").decode()
    mask = f"mask {raw.a & 0xFFFFFFFF:#010x}"
    if "power of two" in text:
        return f"{me.who} calls {me.op} with width {raw.a}, which is not a power of two up to 32."
    if "own mask" in text:
        return f"{me.who} calls {me.op} with {mask}, which leaves out its own lane {raw.b}."
    if "takes no part" in text:
        return (
            f"{me.who} calls {me.op} with {mask} and reads lane {raw.b}, which takes no part: "
            "it is not in the mask, does not exist, or has ended. The value is undefined."
        )
    assert other is not None
    at = f"is at {other.op} of {other.where}" if other.line else "has not come"
    return (
        f"{me.who} is at {me.op} with {mask}, which names the lane of thread {_index(other.thread)}, "
        f"but that one {at}.\nEvery lane named in a mask must make the same call."
    )


def _endless(raw: RawReport, me: Place, other: Place | None) -> str:
    return (
        f"{me.who} is still running here after the limit of steps: an endless loop, or a wait for another "
        "thread that cannot come.\nA kernel that needs more sets the environment variable MUTAKATA_STEPS."
    )


def _misaligned(raw: RawReport, me: Place, other: Place | None) -> str:
    kind = (raw.name or b"").decode().strip("'")
    return (
        f"{me.who} uses a {kind} at an address that is {raw.a % raw.b} past a multiple of {raw.b}.\n"
        f"A GPU demands {raw.b}-byte alignment here: check the offset and the row length."
    )


def _launch(raw: RawReport, me: Place, other: Place | None) -> str:
    if raw.b:
        name = (raw.name or b"").decode()
        return f"static and dynamic shared memory come to {raw.a} bytes with {name}; a block has {raw.b}."
    return (raw.text or b"").decode()


_WORDS: dict[str, Callable[[RawReport, Place, Place | None], str]] = {
    "out-of-bounds": _out_of_bounds,
    "race": _race,
    "race-between-blocks": _race,
    "unwritten-shared": _unwritten,
    "divergent-barrier": _barrier,
    "warp-mask": _warp,
    "endless-loop": _endless,
    "misaligned": _misaligned,
    "launch": _launch,
    "assertion": lambda raw, me, _: f"{me.who}: assertion failed: {(raw.text or b'').decode()}",
    "division-by-zero": lambda raw, me, _: f"{me.who} divides an integer by zero.",
    "trap": lambda raw, me, _: f"{me.who} executes __trap().",
}


def _quote(place: Place | None, launched: Launched) -> list[str]:
    """The line of source a party is at."""
    if place is None or not place.line or place.file != launched.filename:
        return []
    lines = launched.text.splitlines()
    if place.line > len(lines):
        return []
    doing = place.op or place.access
    return [f"  {place.line:>4} | {lines[place.line - 1].strip()}    <- {_index(place.thread)} {doing}"]


def fault_of(raw: RawReport, launched: Launched) -> Fault:
    """The report of a launch as an exception that says it all."""
    kind = KINDS[raw.kind]
    me = _place(raw.me, launched) or Place((0, 0, 0), (0, 0, 0), launched.filename, 0)
    other = _place(raw.other, launched)
    title = f"{kind.replace('-', ' ')} at {me.where}"
    quotes = dict.fromkeys(_quote(other, launched) + _quote(me, launched))
    message = "\n".join([title, _WORDS[kind](raw, me, other), *quotes, f"in {launched}"])
    element = max(raw.element, 1)
    known = raw.name is not None and kind in {
        "out-of-bounds",
        "race",
        "race-between-blocks",
        "unwritten-shared",
    }
    if kind == "out-of-bounds" and raw.b:
        return Fault(kind, message, me, other, None, raw.a, None)
    if not known:
        return Fault(kind, message, me, other)
    return Fault(kind, message, me, other, raw.name.decode(), raw.offset // element, raw.bytes // element)
