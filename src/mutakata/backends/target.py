"""Objects named on a command line: `file.py:attr` or `package.module:attr`."""

import importlib
import importlib.util
import re
import sys
from importlib.metadata import packages_distributions, requires
from pathlib import Path
from typing import Any


class TargetError(Exception):
    """A target that cannot be had, with what is wrong and what to type."""


def load_target(text: str) -> Any:
    """The object that `text` names. Raises TargetError."""
    place, colon, attribute = text.rpartition(":")
    if not colon or not place or not attribute:
        raise TargetError(f"{text!r} names no object: write file.py:attr or package.module:attr")
    try:
        module = _from_file(Path(place)) if place.endswith(".py") else importlib.import_module(place)
    except TargetError:
        raise
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise TargetError(f"{place} cannot be imported ({reason}); run it with python first") from error
    found: Any = module
    for part in attribute.split("."):
        if not hasattr(found, part):
            names = ", ".join(name for name in vars(module) if not name.startswith("_"))
            raise TargetError(f"{place} has no {attribute}; it has: {names[:200]}")
        found = getattr(found, part)
    return found


def imports_triton(text: str) -> bool:
    """Whether importing the target would import triton: its file says so, or its distribution requires it."""
    place = text.rpartition(":")[0]
    if place.endswith(".py"):
        path = Path(place)
        return path.is_file() and "triton" in path.read_text(encoding="utf-8", errors="replace")
    root = place.partition(".")[0]
    if root in ("torch", "transformers", "numpy"):
        return False
    required = [
        line
        for name in packages_distributions().get(root, ())
        for line in requires(name) or ()
        if "extra" not in line
    ]
    return any(re.match(r"[\w.-]+", line)[0] == "triton" for line in required)  # type: ignore[index]


def _from_file(path: Path) -> Any:
    if not path.is_file():
        raise TargetError(f"{path}: no such file")
    name = f"kata_target_{path.stem}_{abs(hash(path.resolve())):x}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    sys.path.insert(0, str(path.resolve().parent))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.pop(0)
    return module
