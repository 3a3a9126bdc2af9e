"""The public face: a ``.cu`` file as an object whose attributes are its kernels."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..needs import on_gpu
from .compiler import build
from .faults import Launched
from .launch import Dim, simulate, triple
from .source import Signature, signatures

_registered: dict[str, tuple[str, str]] = {}


def register(name: str, text: str, filename: str | None = None) -> None:
    """Lets `text` stand for every file called `name` from the next launch on, also where it is loaded.

    `filename` is what messages call it.
    """
    _registered[name] = (text, filename or name)


def unregister(name: str) -> None:
    """Ends what `register` began; the file on disk counts again."""
    _registered.pop(name, None)


def default_seed() -> int:
    """$MUTAKATA_SEED, else 1. Seed 0 is the natural order of blocks and threads; others shuffle it."""
    return int(os.environ.get("MUTAKATA_SEED", "1"))


def _steps() -> int:
    return int(float(os.environ.get("MUTAKATA_STEPS", "3e8")))


@dataclass(frozen=True)
class Kernels:
    """The kernels of one ``.cu`` file: ``module.name[grid, block](arguments, shared=bytes)``."""

    name: str
    path: Path
    checked: bool = True
    seed: int | None = None

    def source(self) -> tuple[str, str]:
        """Text and file name: the registered ones, else those on disk."""
        if self.path.name in _registered:
            return _registered[self.path.name]
        return self.path.read_text(encoding="utf-8"), str(self.path)

    def signatures(self) -> dict[str, Signature]:
        return signatures(*self.source())

    def build(self) -> Path:
        """Compiles now instead of at the first launch. Raises CompileError."""
        return build(*self.source(), checked=self.checked)

    def __getattr__(self, kernel: str) -> Kernel:
        if kernel.startswith("_"):
            raise AttributeError(kernel)
        return Kernel(self, kernel)


@dataclass(frozen=True)
class Kernel:
    """One kernel; indexing it with grid and block gives a launcher."""

    module: Kernels
    name: str

    def __getitem__(self, shape: tuple[Dim, Dim] | tuple[Dim, Dim, int]) -> Callable[..., None]:
        if not isinstance(shape, tuple) or len(shape) not in (2, 3):
            raise ValueError(f"launch as: {self.name}[grid, block](arguments)")
        in_brackets = int(shape[2]) if len(shape) == 3 else 0

        def launch(*arguments: Any, shared: int = in_brackets, seed: int | None = None) -> None:
            _launch(self, shape[0], shape[1], arguments, shared, seed)

        return launch

    def __call__(self, *_: Any) -> None:
        raise TypeError(f"launch as: {self.name}[grid, block](arguments)")


def _launch(
    kernel: Kernel, grid: Dim, block: Dim, values: tuple[Any, ...], shared: int, seed: int | None
) -> None:
    module = kernel.module
    text, filename = module.source()
    found = signatures(text, filename)
    if kernel.name not in found:
        raise AttributeError(f"{filename} has no kernel '{kernel.name}'; it has: {', '.join(found)}")
    chosen = next(s for s in (seed, module.seed, default_seed()) if s is not None)
    shape = triple(grid, "grid"), triple(block, "block")
    if on_gpu():
        from .device import launch_on_gpu

        launch_on_gpu(found[kernel.name], text, filename, *shape, shared, values)
        return
    library = build(text, filename, checked=module.checked)
    launched = Launched(kernel.name, filename, text, library, *shape, chosen, shared, _steps())
    simulate(launched, found[kernel.name], values, checked=module.checked)


def kernels(name: str | Path, *, checked: bool = True, seed: int | None = None) -> Kernels:
    """The kernels of a ``.cu`` file that lies beside the calling module, or at an absolute path.

    Each launch runs once, in the order of `seed` (default: $MUTAKATA_SEED, else 1). Nothing is compiled
    before the first launch. Raises FileNotFoundError if there is neither such a file nor a registered text.
    """
    path = Path(name)
    if not path.is_absolute():
        path = Path(sys._getframe(1).f_globals.get("__file__", "")).resolve().parent / path
    if path.name not in _registered and not path.is_file():
        raise FileNotFoundError(
            f"no kernel file {path}; pass a name beside the calling module or a full path"
        )
    return Kernels(path.stem, path, checked, seed)
