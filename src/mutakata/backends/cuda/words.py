"""The sentences of a fault: what the thread did, to which element, against whom, and the remedy."""

from __future__ import annotations

from collections.abc import Callable

from .report import KINDS, Place, RawReport, index


def _times(n: int, what: str) -> str:
    return f"{n} {what}" + ("" if n == 1 else "s")


def _element(raw: RawReport) -> str:
    name, size = (raw.name or b"?").decode(), max(raw.element, 1)
    at, rest = divmod(raw.offset, size)
    return f"{name}[{at}]" + (f" (byte {rest} of it)" if rest else "")


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
    same = "of the same block" if raw.kind == KINDS.index("race") else f"of block {index(other.block)}"
    remedy = (
        "Nothing orders the two: put a __syncthreads() between them, or make both atomic."
        if raw.kind == KINDS.index("race")
        else "Blocks run in any order: give each its own elements, or use an atomic operation."
    )
    return (
        f"{me.who} {_VERB[me.access]} {_element(raw)} in {space} memory, which thread "
        f"{index(other.thread)} {same} has {_DID[other.access]} at {other.where}.\n{remedy}"
    )


def _unwritten(raw: RawReport, me: Place, other: Place | None) -> str:
    return (
        f"{me.who} {_VERB[me.access]} {_element(raw)} in shared memory before any thread of the block "
        "has written it.\nEither a barrier is missing after the write, or nothing writes it: a GPU then "
        "gives what an earlier block left."
    )


def _barrier(raw: RawReport, me: Place, other: Place | None) -> str:
    assert other is not None
    if raw.a:
        rest = f"thread {index(other.thread)} has passed an earlier barrier and ended."
    else:
        rest = f"thread {index(other.thread)} waits at {other.op} of {other.where}."
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
        f"{me.who} is at {me.op} with {mask}, which names the lane of thread {index(other.thread)}, "
        f"but that one {at}.\nEvery lane named in a mask must make the same call."
    )


def _endless(raw: RawReport, me: Place, other: Place | None) -> str:
    return (
        f"{me.who} is still running here after the limit of steps: an endless loop, or a wait for another "
        "thread that cannot come.\nA kernel that needs more sets the environment variable MUTAKATA_STEPS."
    )


def _misaligned(raw: RawReport, me: Place, other: Place | None) -> str:
    kind = (raw.name or b"").decode().strip("'").removeprefix("const ").removeprefix("struct ")
    return (
        f"{me.who} uses a {kind} at an address that is {raw.a % raw.b} past a multiple of {raw.b}.\n"
        f"A GPU demands {raw.b}-byte alignment here: check the offset and the row length."
    )


def _launch(raw: RawReport, me: Place, other: Place | None) -> str:
    if raw.b:
        name = (raw.name or b"").decode()
        return f"static and dynamic shared memory come to {raw.a} bytes with {name}; a block has {raw.b}."
    return (raw.text or b"").decode()


WORDS: dict[str, Callable[[RawReport, Place, Place | None], str]] = {
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
"""By kind: the sentences, from the report, the stopped thread and the other party."""
