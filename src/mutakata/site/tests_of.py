"""The tests of a suite, read from its source: name, docstring, line."""

import ast
from dataclasses import dataclass


@dataclass(frozen=True)
class TestCase:
    """A test function; `reason` is the first line of its docstring."""

    name: str
    reason: str
    line: int


def tests_of(source: str) -> dict[str, TestCase]:
    """Tests by name, a method's as Class::method, in the order of the file."""
    found = {}
    for node in ast.parse(source).body:
        prefix = f"{node.name}::" if isinstance(node, ast.ClassDef) else ""
        for one in node.body if isinstance(node, ast.ClassDef) else [node]:
            if isinstance(one, ast.FunctionDef) and one.name.startswith("test"):
                reason = (ast.get_docstring(one) or "").split("\n")[0]
                found[prefix + one.name] = TestCase(prefix + one.name, reason, one.lineno)
    return found
