"""Reads a ``.cu`` file: its kernels and their parameters, and the two rewrites the simulation needs.

The text is otherwise left as it is, and every line keeps its number.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from .elements import ANY_ARRAY, ELEMENTS, Element


class SourceError(ValueError):
    """A ``.cu`` file this backend cannot read; the message gives file and line."""


@dataclass(frozen=True)
class Parameter:
    """One parameter of a kernel, as written."""

    name: str
    type: str
    pointer: bool
    const: bool

    @property
    def element(self) -> Element:
        if self.pointer and self.type in ANY_ARRAY:
            return Element("any", 1)
        return ELEMENTS[self.type]


@dataclass(frozen=True)
class Signature:
    """An ``extern "C" __global__`` kernel: name, line, parameters, threads allowed by __launch_bounds__."""

    name: str
    line: int
    parameters: tuple[Parameter, ...]
    max_threads: int = 1024


_COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/', re.S)
_KERNEL = re.compile(
    r'(?P<linkage>extern\s*"C"\s+)?(?:static\s+)?__global__\s+(?P<head>[^;{}()]*?(?:__launch_bounds__\s*\('
    r"(?P<bounds>[^)]*)\)[^;{}()]*?)?)\b(?P<name>\w+)\s*\("
)
_QUALIFIERS = re.compile(r"\b(?:const|volatile|__restrict__|__restrict|__grid_constant__|struct)\b")
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"[^\n]*$', re.M)


def without_comments(text: str) -> str:
    """The text with comments blanked out; every character keeps its place."""

    def blank(match: re.Match[str]) -> str:
        found = match.group()
        return found if found[0] == '"' else re.sub(r"[^\n]", " ", found)

    return _COMMENT.sub(blank, text)


def _line(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


def _split(text: str) -> list[str]:
    """Parts between the commas that stand outside every bracket."""
    parts, depth = [""], 0
    for c in text:
        depth += (c in "([{<") - (c in ")]}>")
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return [p for p in parts if p.strip()]


def _closing(text: str, opening: int) -> int:
    """Position of the bracket that closes the one at `opening`."""
    depth = 0
    for i in range(opening, len(text)):
        depth += (text[i] == "(") - (text[i] == ")")
        if depth == 0:
            return i
    return len(text)


def _parameter(text: str, where: str) -> Parameter:
    match = re.fullmatch(r"\s*(.*?)([A-Za-z_]\w*)\s*(\[\s*\d*\s*\])?\s*", text, re.S)
    if match is None:
        raise SourceError(f"{where}: cannot read the parameter '{text.strip()}'")
    before, name, array = match.groups()
    pointee = before.split("*")[0]
    kind = " ".join(_QUALIFIERS.sub(" ", pointee).split()).removeprefix("std::")
    pointer = "*" in before or array is not None
    if kind not in ELEMENTS and not (pointer and kind == "void"):
        raise SourceError(
            f"{where}: the type '{kind}' of parameter '{name}' is not known here; "
            "give a kernel built-in types, such as float*, __half*, int, size_t"
        )
    return Parameter(name, kind, pointer, const=bool(re.search(r"\bconst\b", pointee)))


def _kernel(text: str, match: re.Match[str], filename: str) -> Signature:
    line = _line(text, match.start("name"))
    start = match.end() - 1
    inside = text[start + 1 : _closing(text, start)]
    bounds = re.match(r"\s*(\d+)", match["bounds"] or "")
    return Signature(
        match["name"],
        line,
        tuple(_parameter(p, f"{filename}:{line}") for p in _split(inside) if p.strip() != "void"),
        int(bounds[1]) if bounds else 1024,
    )


@lru_cache(maxsize=256)
def signatures(text: str, filename: str) -> dict[str, Signature]:
    """The kernels of a file by name. Raises SourceError for a parameter whose type is not known."""
    plain = without_comments(text)
    all_c = re.search(r'extern\s*"C"\s*\{', plain) is not None
    found = [_kernel(plain, m, filename) for m in _KERNEL.finditer(plain) if m["linkage"] or all_c]
    if not found:
        raise SourceError(
            f'{filename}: no kernel found; declare one as: extern "C" __global__ void name(...)'
        )
    return {s.name: s for s in found}


def inline_includes(text: str, path: Path, shown: str, seen: set[Path] | None = None) -> str:
    """The text with every ``#include "file"`` beside it put in, once, under its own line numbers."""
    seen = seen if seen is not None else set()

    def put_in(match: re.Match[str]) -> str:
        other = (path.parent / match[1]).resolve()
        if not other.is_file():
            return match.group()
        after = f'#line {_line(text, match.start()) + 1} "{shown}"'
        if other in seen:
            return after
        seen.add(other)
        body = inline_includes(other.read_text(encoding="utf-8"), other, str(other), seen)
        return f'#line 1 "{other}"\n{body}\n{after}'

    return _INCLUDE.sub(put_in, text)


def _declarator(kind: str, declarator: str, dynamic: bool) -> str:
    match = re.fullmatch(r"\s*(\w+)\s*((?:\[.*\])?)\s*", declarator, re.S)
    if match is None:
        return f"CUSIM_CANNOT_READ_THIS_SHARED_DECLARATION({declarator})"
    name, size = match.groups()
    if dynamic:
        return f'{kind}* {name} = ({kind}*)::cusim::dynamic_shared("{name}", sizeof({kind}));'
    return (
        f"static const char cusim_key_{name} = 0; using cusim_type_{name} = {kind} {size}; "
        f'cusim_type_{name}& {name} = ::cusim::shared<cusim_type_{name}>(&cusim_key_{name}, "{name}");'
    )


def _shared(statement: str) -> str:
    """One ``__shared__`` declaration as references into the simulation's shared memory."""
    dynamic = re.search(r"\bextern\b", statement) is not None
    rest = re.sub(r"(?:alignas|__align__)\s*\([^)]*\)|\b(?:extern|static|__shared__)\b", " ", statement)
    first, *others = _split(rest)
    match = re.fullmatch(r"(.*?[\s>*])(\w+\s*(?:\[.*\])?)\s*", first, re.S)
    if match is None:
        return statement
    kind = " ".join(match[1].split())
    return " ".join(_declarator(kind, d, dynamic) for d in (match[2], *others)) + "\n" * statement.count("\n")


def translate(text: str) -> str:
    """The text with ``__shared__`` declarations rewritten and a launcher for every kernel after it.

    A C++ compiler has no storage that every block finds anew, so a shared array becomes a reference that the
    simulation gives out.
    """
    plain = without_comments(text)
    out, done = [], 0
    for match in re.finditer(r"\b__shared__\b", plain):
        if match.start() < done:
            continue
        start = max(plain.rfind(c, 0, match.start()) for c in ";{}") + 1
        end = plain.find(";", match.end()) + 1
        start += len(plain[start:end]) - len(plain[start:end].lstrip())
        out += [text[done:start], _shared(plain[start : end - 1])]
        done = end
    return "".join([*out, text[done:]])


def launchers(names: list[str]) -> str:
    """C++ that lets each kernel be started by name."""
    return "".join(
        f'\nextern "C" int cusim_launch_{n}(void** arguments) {{ return ::cusim::run(&{n}, arguments); }}'
        for n in names
    )
