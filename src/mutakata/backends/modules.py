"""Puts a source text in place of an importable module, so that a suite imports it by its natural name."""

import importlib.abc
import importlib.machinery
import importlib.util
import linecache
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from types import ModuleType
from typing import Any

_ASKED = re.compile(r"""\bkernels\(\s*["']([^"']+\.cu)["']""")


@dataclass(frozen=True)
class Source:
    """Text that defines `function`. `path` names it in tracebacks; it need not exist.

    A `.cu` text has a `launcher`: the Python module that calls its kernels.
    """

    function: str
    text: str
    path: Path
    launcher: Path | None = None

    @property
    def python(self) -> str:
        """The Python text of the module that a suite imports."""
        return self.launcher.read_text(encoding="utf-8") if self.launcher else self.text


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Finds one module name and loads it from a text in memory."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name != self.source.function:
            return None
        return importlib.util.spec_from_file_location(name, self.filename, loader=self)

    @property
    def filename(self) -> str:
        return str(self.source.launcher or self.source.path)

    def get_source(self, name: str) -> str:
        return self.source.python

    def get_filename(self, name: str) -> str:
        return self.filename

    def get_code(self, name: str) -> Any:
        text = self.get_source(name)
        # Triton reads a kernel's source by inspection, and tracebacks show it.
        linecache.cache[self.filename] = (len(text), None, text.splitlines(True), self.filename)
        return compile(text, self.filename, "exec", dont_inherit=True)


def install(source: Source) -> None:
    """Make `import <function>` give this source in this process, whatever lies on sys.path."""
    if source.launcher:
        _register(source)
    sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, _Finder)]
    sys.meta_path.insert(0, _Finder(source))
    sys.modules.pop(source.function, None)


def load(source: Source) -> Any:
    """The function that the source defines, in a module of its own. Raises what the source raises."""
    finder = _Finder(source)
    spec = importlib.util.spec_from_file_location(source.function, finder.filename, loader=finder)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    exec(finder.get_code(source.function), module.__dict__)
    try:
        function = getattr(module, source.function)
    except AttributeError:
        where = source.launcher or source.path
        raise ImportError(f"{where} defines no {source.function}()", name=source.function) from None
    return _with_kernels(function, source) if source.launcher else function


def _register(source: Source) -> None:
    """Let the text stand for the `.cu` that its launcher asks for, whatever its own file is called."""
    from mutakata.backends import cuda

    asked = _ASKED.findall(source.python)
    if not asked:
        raise ImportError(f'{source.launcher} asks for no kernel file: call kernels("name.cu") in it')
    for name in asked:
        cuda.register(name, source.text, str(source.path))


def _with_kernels(function: Any, source: Source) -> Any:
    """The launcher's function with this text at each call: other texts may have been registered since."""

    @wraps(function)
    def call(*arguments: Any, **named: Any) -> Any:
        _register(source)
        return function(*arguments, **named)

    return call
