"""The named inputs of a kata: each public function of its cases.py, with its docstring as the reason."""

import importlib.util
import inspect
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

Arguments = dict[str, Any]


@dataclass(frozen=True)
class Case:
    """One regime. `make` builds fresh keyword arguments for the subject at each call."""

    id: str
    reason: str
    make: Callable[[], Arguments]
    line: int


@cache
def load_cases(path: Path) -> dict[str, Case]:
    """Run a cases.py and collect its cases, in order of definition. Raises what the file raises."""
    name = f"_cases_of_{path.parent.name}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    found = [
        (inspect.getsourcelines(value)[1], key, value)
        for key, value in vars(module).items()
        if inspect.isfunction(value) and value.__module__ == name and not key.startswith("_")
    ]
    return {
        key.replace("_", "-"): Case(key.replace("_", "-"), inspect.getdoc(value) or "", value, line)
        for line, key, value in sorted(found, key=lambda one: one[0])
    }
