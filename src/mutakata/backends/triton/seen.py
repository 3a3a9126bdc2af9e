"""The launches that the interpreter saw, with the types of their arguments: all that the compile gate needs.

So an author compiles exactly the kernels that a suite ran, without writing a signature by hand.
"""

import inspect
import linecache
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mutakata.backends.triton.gate import ARCHITECTURES, Compiled, compile_gate

_POINTERS = {
    "float16": "*fp16", "bfloat16": "*bf16", "float32": "*fp32", "float64": "*fp64", "int8": "*i8",
    "int16": "*i16", "int32": "*i32", "int64": "*i64", "uint8": "*u8", "bool": "*i1",
}  # fmt: skip


@dataclass(frozen=True)
class Seen:
    """One way in which a kernel was launched. Signature and constants in the order of the parameters."""

    kernel: str
    path: str
    signature: tuple[tuple[str, str], ...]
    constexprs: tuple[tuple[str, Any], ...]
    num_warps: int

    def compile(self, arch: int | Sequence[int] = ARCHITECTURES) -> list[Compiled]:
        """Ask the compiler (see gate.compile_gate)."""
        text = "".join(linecache.getlines(self.path))
        constants = dict(self.constexprs)
        return compile_gate(
            text, self.kernel, dict(self.signature), constants, arch, num_warps=self.num_warps
        )


_seen: dict[Seen, None] = {}


def launches() -> list[Seen]:
    """Each different launch since the start or the last `forget`, oldest first.

    Those whose arguments the gate cannot repeat (tuples, descriptors, objects) are left out.
    """
    return list(_seen)


def forget() -> None:
    """Start anew."""
    _seen.clear()


def record(
    function: Callable[..., Any],
    constants: Collection[str],
    positional: Sequence[Any],
    named: Mapping[str, Any],
    num_warps: int,
) -> None:
    """Note a launch of the plain function behind a kernel. `constants`: names of its constexpr parameters."""
    signature, values = [], []
    for name, value in inspect.getcallargs(function, *positional, **named).items():
        if name in constants or value is None:
            if not isinstance(value, bool | int | float | str | None):
                return
            values.append((name, value))
        elif (kind := _type_of(value)) is None:
            return
        else:
            signature.append((name, kind))
    file = function.__code__.co_filename
    _seen[Seen(function.__name__, file, tuple(signature), tuple(values), num_warps)] = None


def _type_of(value: Any) -> str | None:
    if hasattr(value, "data_ptr"):
        return _POINTERS.get(str(value.dtype).removeprefix("torch."))
    if isinstance(value, bool):
        return "i1"
    if isinstance(value, float):
        return "fp32"
    if isinstance(value, int):
        return "i32" if -(2**31) <= value < 2**31 else "i64"
    return None
