"""What a launch reports, as sim/abi.h lays it out, and the place a thread was at."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from pathlib import Path

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
        return f"thread {index(self.thread)} of block {index(self.block)}"

    @property
    def where(self) -> str:
        return f"{Path(self.file).name}:{self.line}" if self.line else Path(self.file).name


def index(v: tuple[int, int, int]) -> str:
    """Coordinates as they are written: (x,y,z)."""
    return f"({v[0]},{v[1]},{v[2]})"
