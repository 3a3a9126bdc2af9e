"""Python values as a kernel's arguments: arrays and tensors as pointers, numbers by the parameter's type."""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from typing import Any

import numpy as np

from .source import Parameter, Signature


class ArgumentError(TypeError):
    """The launch does not fit the kernel's parameters; the message lists every mismatch."""


@dataclass(frozen=True)
class Memory:
    """Bytes of an array, from its first to past its last element.

    `phase` is the address within the array's own allocation, modulo 256: a GPU aligns allocations to 256.
    """

    address: int
    size: int
    dtype: str
    phase: int
    writable: bool
    owner: object


@dataclass(frozen=True)
class Buffer:
    """Memory as the kernel sees it. Arrays that overlap share one buffer, at their offsets."""

    memory: Memory
    names: tuple[str, ...]
    element: int
    written: bool


@dataclass(frozen=True)
class Arguments:
    """What a launch passes: buffers, and per parameter either (buffer, offset) or the scalar's bytes."""

    buffers: tuple[Buffer, ...]
    values: tuple[tuple[int, int] | bytes, ...]

    def at(self, bases: list[int]) -> list[bytes]:
        """The bytes of every argument, for buffers that the kernel finds at `bases`."""
        return [
            v if isinstance(v, bytes) else (bases[v[0]] + v[1]).to_bytes(8, "little") for v in self.values
        ]


def _span(shape: tuple[int, ...], strides: tuple[int, ...], itemsize: int) -> int:
    if 0 in shape:
        return 0
    return itemsize + sum((n - 1) * s for n, s in zip(shape, strides, strict=True))


def _from_tensor(value: Any) -> Memory | str:
    if value.device.type != "cpu":
        return f"is on {value.device}; the simulation takes CPU tensors"
    size, start = value.element_size(), value.data_ptr()
    span = _span(tuple(value.shape), tuple(s * size for s in value.stride()), size)
    phase = (start - value.untyped_storage().data_ptr()) % 256
    return Memory(start, span, str(value.dtype).removeprefix("torch."), phase, True, value)


def _from_array(value: np.ndarray[Any, Any]) -> Memory | str:
    if any(s < 0 for s in value.strides):
        return "has a negative stride; pass a copy"
    root = value
    while isinstance(root.base, np.ndarray):
        root = root.base
    start = value.ctypes.data
    span = _span(value.shape, value.strides, value.itemsize)
    return Memory(
        start, span, value.dtype.name, (start - root.ctypes.data) % 256, value.flags.writeable, value
    )


def memory_of(value: Any) -> Memory | str:
    """The memory of a NumPy array, CPU tensor or anything with an array interface; words if there is none."""
    if hasattr(value, "data_ptr") and hasattr(value, "untyped_storage"):
        return _from_tensor(value)
    if isinstance(value, np.ndarray):
        return _from_array(value)
    if hasattr(value, "__array_interface__"):
        return _from_array(np.asarray(value))
    return f"is a {type(value).__name__}, not an array or a tensor"


def _pointer(parameter: Parameter, value: Any) -> Memory | str | None:
    if value is None:
        return None
    found = memory_of(value)
    if isinstance(found, str):
        return found
    wanted = parameter.element.dtype
    if wanted not in ("any", found.dtype):
        return f"has dtype {found.dtype}, but {parameter.type}* takes {wanted}"
    if not parameter.const and not found.writable:
        return "is read-only, but the kernel may write it: declare the parameter const or pass a copy"
    return found


def _scalar(parameter: Parameter, value: Any) -> bytes | str:
    dtype = parameter.element.dtype
    if parameter.element.lanes > 1:
        return f"of type {parameter.type} cannot be passed by value; pass a pointer"
    if hasattr(value, "item") and getattr(value, "ndim", 0) == 0:
        value = value.item()
    if not isinstance(value, (int, float, np.number)) or isinstance(value, complex):
        return f"is a {type(value).__name__}, but the kernel takes {parameter.type}"
    if "float" not in dtype:
        return _integer(parameter, value)
    if dtype == "float64":
        return struct.pack("<d", value)
    with np.errstate(over="ignore"):
        narrow = np.float32(value) if dtype == "float32" else _low_precision(dtype, float(value))
    if math.isinf(float(narrow)) and not math.isinf(value):
        return f"is {value}, which overflows {parameter.type}"
    return narrow.tobytes()


def _low_precision(dtype: str, value: float) -> Any:
    import ml_dtypes

    return np.float16(value) if dtype == "float16" else ml_dtypes.bfloat16(value)


def _integer(parameter: Parameter, value: Any) -> bytes | str:
    if isinstance(value, (float, np.floating)):
        return f"is the float {value}, but the kernel takes {parameter.type}"
    dtype = np.dtype(parameter.element.dtype)
    held = int(value)
    if dtype.kind != "b" and not np.iinfo(dtype).min <= held <= np.iinfo(dtype).max:
        return f"is {value}, which does not fit in {parameter.type}"
    return np.array(held).astype(dtype).tobytes()


def _merge(found: list[tuple[Parameter, Memory]]) -> list[tuple[Memory, list[tuple[Parameter, Memory]]]]:
    """Groups memories that overlap, each with the span that covers them."""
    groups: list[tuple[Memory, list[tuple[Parameter, Memory]]]] = []
    for parameter, memory in sorted(found, key=lambda f: f[1].address):
        if groups and memory.size and memory.address < groups[-1][0].address + groups[-1][0].size:
            whole, members = groups[-1]
            end = max(whole.address + whole.size, memory.address + memory.size)
            owner = (whole.owner, memory.owner)
            whole = Memory(whole.address, end - whole.address, whole.dtype, whole.phase, True, owner)
            groups[-1] = (whole, [*members, (parameter, memory)])
        else:
            groups.append((memory, [(parameter, memory)]))
    return groups


def bind(signature: Signature, values: tuple[Any, ...]) -> Arguments:
    """Fits values to a kernel's parameters. Raises ArgumentError that names every one that does not fit."""
    names = [p.name for p in signature.parameters]
    if len(values) != len(names):
        raise ArgumentError(
            f"{signature.name} takes {len(names)} arguments ({', '.join(names)}), got {len(values)}"
        )
    pairs = list(zip(signature.parameters, values, strict=True))
    pointers = {p: _pointer(p, v) for p, v in pairs if p.pointer}
    scalars = {p: _scalar(p, v) for p, v in pairs if not p.pointer}
    fitted: dict[Parameter, object] = {**pointers, **scalars}
    wrong = [f"  {p.name} {fitted[p]}" for p in signature.parameters if isinstance(fitted[p], str)]
    if wrong:
        raise ArgumentError("\n".join([f"arguments of {signature.name} do not fit:", *wrong]))
    groups = _merge([(p, m) for p, m in pointers.items() if isinstance(m, Memory)])
    passed: dict[Parameter, tuple[int, int] | bytes] = dict.fromkeys(pointers, bytes(8))
    passed |= {p: (i, m.address - whole.address) for i, (whole, ms) in enumerate(groups) for p, m in ms}
    passed |= {p: s for p, s in scalars.items() if isinstance(s, bytes)}
    buffers = tuple(
        Buffer(whole, tuple(p.name for p, _ in ms), ms[0][0].element.size, any(not p.const for p, _ in ms))
        for whole, ms in groups
    )
    return Arguments(buffers, tuple(passed[p] for p in signature.parameters))
