"""A kernel module from a source text that lies in no file."""

import importlib
from pathlib import Path
from types import ModuleType

from mutakata.backends import modules


def load_module(name: str, source: str, filename: str) -> ModuleType:
    """Install `source` as the module `name` and import it. `filename` names it in faults and tracebacks.

    The text goes into linecache before it runs: triton reads a kernel's source by inspection. Raises what the
    source raises.
    """
    modules.install(modules.Source(name, source, Path(filename)))
    return importlib.import_module(name)
