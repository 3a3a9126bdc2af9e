"""What every worker would import again: done once, before the first of them starts."""

import ast
import contextlib
import importlib
import importlib.util
import sys
from collections.abc import Iterable
from pathlib import Path

from mutakata.backends.needs import prepare

# NumPy and pytest import these at their first use, which would be in every worker.
LAZY = ("_pytest.assertion.util",)
LAZY_BY_NAME = ("numpy.testing", "numpy.random", "numpy.ma")  # where the suite speaks of them


def warm(needs: Iterable[str], imports: Iterable[str]) -> None:
    """Prepare the backends, then import installed modules that the suite imports."""
    prepare(needs)
    for name in imports:
        with contextlib.suppress(Exception):
            importlib.import_module(name)


def shared_imports(suite: Path, subject: str) -> list[str]:
    """Modules that the suite imports from installed packages: not its neighbours, and not the subject."""
    found: dict[str, None] = dict.fromkeys(LAZY)
    lazy = {name.rpartition(".")[2]: name for name in LAZY_BY_NAME}
    for node in ast.walk(ast.parse(suite.read_bytes())):
        if isinstance(node, ast.Attribute) and node.attr in lazy:
            found[lazy[node.attr]] = None
        if isinstance(node, ast.Import):
            found.update((alias.name, None) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found[node.module] = None
    return [name for name in found if name.split(".")[0] != subject and _installed(name.split(".")[0])]


def _installed(name: str) -> bool:
    if name in sys.stdlib_module_names or name == "mutakata":
        return True
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return False
    return spec is not None and "-packages" in (spec.origin or "")
