"""Compiles a ``.cu`` file for the simulation and keeps what was built.

A build is named by a hash of everything that goes into it, and is moved into the cache whole, so that any
number of processes may build at once.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from .source import inline_includes, launchers, signatures, translate

SIMULATOR = Path(__file__).parent / "sim"
RUNTIME = ("memory", "schedule", "traps")
SHOWN = "/cu/"
"""Folder under which debug information names the user's file wherever it lies: moving it rebuilds nothing."""

_COMMON = [
    "-std=c++20",
    "-g1",
    "-gdwarf-4",  # with version 5 addr2line names the compiled unit where #line names the user's file
    "-fPIC",
    "-ffp-contract=off",
    "-fno-exceptions",
    "-fno-threadsafe-statics",
    "-w",
]
_CHECKS = [
    "-fsanitize=thread",
    "-fsanitize=bounds,alignment,integer-divide-by-zero",
    "-fsanitize-coverage=trace-pc",
]
_HINTS = {
    "cooperative_groups": "cooperative groups are not simulated; use __syncthreads, __syncwarp and shuffles",
    "mma.h": "tensor core operations are not simulated",
    "cuda_pipeline": "asynchronous copies are not simulated",
    "CUSIM_CANNOT_READ": "write the __shared__ declaration on its own, as: __shared__ float name[32];",
    "<<<": "a .cu file here holds kernels only; the test launches them",
}


class CompileError(Exception):
    """The compiler refused the file; the message carries its words with the file's own name and lines."""


@dataclass(frozen=True)
class Compiler:
    """A C++ compiler: the command that starts it, and an identity that changes when it does."""

    command: tuple[str, ...]
    identity: str

    @property
    def is_clang(self) -> bool:
        return "clang" in self.identity


def _identify(command: tuple[str, ...]) -> Compiler | None:
    try:
        found = subprocess.run([*command, "--version"], capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return Compiler(command, found.stdout) if found.returncode == 0 else None


@lru_cache(maxsize=1)
def find_compiler() -> Compiler | None:
    """The first that works of: $MUTAKATA_CXX, g++, clang++, PyPI's ziglang. None if none does."""
    named = os.environ.get("MUTAKATA_CXX")
    candidates: list[tuple[str, ...]] = [tuple(named.split())] if named else [("g++",), ("clang++",)]
    if not named and importlib.util.find_spec("ziglang"):
        candidates.append((sys.executable, "-m", "ziglang", "c++"))
    return next((c for c in map(_identify, candidates) if c is not None), None)


def compiler() -> Compiler:
    """Raises CompileError with what to install when there is no compiler."""
    found = find_compiler()
    if found is None:
        raise CompileError(
            "no C++ compiler found (tried $MUTAKATA_CXX, g++, clang++, ziglang)\n"
            "install one: apt install g++, or: pip install ziglang"
        )
    return found


def cache_root() -> Path:
    """$MUTAKATA_CACHE, else $XDG_CACHE_HOME/mutakata, else ~/.cache/mutakata."""
    if named := os.environ.get("MUTAKATA_CACHE"):
        return Path(named)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "mutakata"


def _digest(*parts: str | bytes) -> str:
    h = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        h.update(len(data).to_bytes(8, "little") + data)
    return h.hexdigest()[:32]


@lru_cache(maxsize=1)
def _simulator_digest() -> str:
    files = sorted(p for p in SIMULATOR.rglob("*") if p.is_file())
    return _digest(*(p.read_bytes() for p in files), Path(__file__).read_bytes())


def _run(command: list[str], cwd: Path | None = None) -> str:
    """Standard error of a compiler that succeeds; raises CompileError with it otherwise."""
    env = os.environ | {"LC_ALL": "C"}  # plain quotes, and a language that can be searched for
    done = subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=env)
    if done.returncode:
        raise CompileError(done.stderr)
    return done.stderr


def _flags(cxx: Compiler, checked: bool) -> list[str]:
    flags = [*cxx.command, *_COMMON, "-O1" if checked else "-O2"]
    if not cxx.is_clang:
        flags.append("-fno-gnu-unique")
    if checked:
        flags += _CHECKS
        if cxx.is_clang:  # else a read that a write to the same place follows is left out
            flags += ["-mllvm", "-tsan-instrument-read-before-write=1"]
    return flags


def _install(made: Path, target: Path) -> Path:
    """Moves a finished file or folder into the cache; whoever comes second keeps the first's."""
    try:
        made.rename(target)
    except OSError:
        if not target.exists():
            raise
    return target


def _runtime(cxx: Compiler, checked: bool, cache: Path) -> Path:
    """Folder with the runtime's object files and the precompiled header, built once."""
    name = _digest(_simulator_digest(), cxx.identity, *_flags(cxx, checked))
    target = cache / "cuda" / f"runtime-{name}"
    if target.exists():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(dir=target.parent, prefix=".runtime-"))
    shutil.copytree(SIMULATOR, made, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    plain = [*cxx.command, "-std=c++20", "-O2", "-fPIC", "-fno-exceptions", "-w", "-c"]
    for n in RUNTIME:
        _run([*plain, f"{n}.cpp", "-o", f"{n}.o"], cwd=made)
    if not cxx.is_clang:  # clang's precompiled headers hold absolute paths, and this folder will be renamed
        header = ["-Iinclude", "-x", "c++-header", "device.h", "-o", "device.h.gch"]
        _run([*_flags(cxx, checked), *header], cwd=made)
    return _install(made, target)


def _explain(stderr: str, shown: str, filename: str) -> str:
    text = stderr.replace(shown, filename)
    errors = re.findall(r"^.*: (?:fatal )?error: .*$", text, re.M)
    hints = [hint for word, hint in _HINTS.items() if word in stderr]
    return "\n".join([f"{filename} does not compile:", "\n".join(errors[:5]) or text[-2000:], *hints])


def ready() -> None:
    """Finds the compiler and builds the runtime now, so that processes forked later need do neither."""
    if (cxx := find_compiler()) is not None:
        _runtime(cxx, True, cache_root())


def build(text: str, filename: str, *, checked: bool = True) -> Path:
    """Compiles a ``.cu`` text for the simulation and returns the library's path, from the cache if it can.

    `filename` names the text in messages and is where its own includes are looked for. Raises CompileError
    with the user's file and line, SourceError when no kernel can be read.
    """
    shown = SHOWN + Path(filename).name
    return _build(inline_includes(text, Path(filename), shown), filename, checked, compiler(), cache_root())


@lru_cache(maxsize=256)
def _build(whole: str, filename: str, checked: bool, cxx: Compiler, cache: Path) -> Path:
    shown = SHOWN + Path(filename).name
    flags = _flags(cxx, checked)
    name = _digest(whole, shown, cxx.identity, *flags, _simulator_digest())
    target = cache / "cuda" / name[:2] / f"{name}.so"
    if target.exists():
        return target
    names = list(signatures(whole, filename))
    runtime = _runtime(cxx, checked, cache)
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".build-") as folder:
        unit, made = Path(folder) / "unit.cpp", Path(folder) / "unit.so"
        unit.write_text(f'#line 1 "{shown}"\n{translate(whole)}\n{launchers(names)}\n', encoding="utf-8")
        objects = [f"{n}.o" for n in RUNTIME]
        compiled = ["-x", "c++", "-c", str(unit), "-o", f"{folder}/unit.o"]
        try:
            _run([*flags, "-include", "device.h", "-Iinclude", *compiled], cwd=runtime)
            link = ["-shared", "-Wl,-Bsymbolic", "-o", str(made)]
            _run([*cxx.command, *link, f"{folder}/unit.o", *objects], cwd=runtime)
        except CompileError as error:
            raise CompileError(_explain(str(error), shown, filename)) from None
        return _install(made, target)
