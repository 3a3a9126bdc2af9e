"""The launches that the interpreter saw, with the types of their arguments: all that the compile gate needs.

So an author compiles exactly the kernels that a suite ran, without writing a signature by hand.
"""

import inspect
import linecache
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from mutakata.backends.triton.gate import ARCHITECTURES, Compiled, ask, request

_POINTERS = {
    "float16": "*fp16", "bfloat16": "*bf16", "float32": "*fp32", "float64": "*fp64", "int8": "*i8",
    "int16": "*i16", "int32": "*i32", "int64": "*i64", "uint8": "*u8", "bool": "*i1",
}  # fmt: skip


@dataclass(frozen=True)
class Seen:
    """One way in which a kernel was launched. Signature and constants in the order of the parameters.

    text: the source of its module.
    """

    kernel: str
    text: str
    signature: tuple[tuple[str, str], ...]
    constexprs: tuple[tuple[str, Any], ...]
    num_warps: int

    def compile(self, arch: int | Sequence[int] = ARCHITECTURES) -> list[Compiled]:
        """Ask the compiler (see gate.compile_gate)."""
        (answers,) = ask([self.asked([arch] if isinstance(arch, int) else arch)])
        return answers

    def asked(self, archs: Sequence[int]) -> dict[str, Any]:
        """The request that gate.ask takes."""
        signature, constants = dict(self.signature), dict(self.constexprs)
        return request(self.text, self.kernel, signature, constants, archs, self.num_warps)


def compile_seen(launches: Sequence[tuple[Seen, int]]) -> list[Compiled]:
    """Ask for many launches, each with its architecture, in as few processes as there are processors."""
    asked = [one.asked([arch]) for one, arch in launches]
    width = min(os.cpu_count() or 1, len(asked))
    with ThreadPoolExecutor(max(width, 1)) as pool:
        parts = list(pool.map(ask, [asked[at::width] for at in range(width)]))
    return [parts[at % width][at // width][0] for at in range(len(asked))]


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
    text = "".join(linecache.getlines(function.__code__.co_filename))
    _seen[Seen(function.__name__, text, tuple(signature), tuple(values), num_warps)] = None


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
