"""A copy that behaves alike and reads differently: a suite that looks at the source rejects it."""

import ast
from dataclasses import replace

from mutakata.backends.modules import Source


def renamed_copy(source: Source) -> Source:
    """The same computation: function and local names renamed, comments gone."""
    if source.path.suffix != ".py":
        return replace(source, text="// The same computation.\n" + source.text)
    inner = f"_{source.function}_elsewhere"
    tree = ast.parse(source.text)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == source.function:
            node.name = inner
            _rename_locals(node)
        elif isinstance(node, ast.Name) and node.id == source.function:
            node.id = inner
    text = ast.unparse(tree) + f"\n\n{source.function} = {inner}\n"
    return replace(source, text=text, path=source.path.with_name("elsewhere.py"))


def _rename_locals(function: ast.FunctionDef) -> None:
    """Give other names to what the function assigns; its arguments are part of its interface."""
    names = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
    arguments = {node.arg for node in ast.walk(function) if isinstance(node, ast.arg)}
    stored = {node.id for node in names if isinstance(node.ctx, ast.Store)} - arguments
    new = {name: f"v{number}" for number, name in enumerate(sorted(stored))}
    for node in names:
        node.id = new.get(node.id, node.id)
