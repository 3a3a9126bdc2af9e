"""A copy that behaves alike and reads differently: a suite that looks at the source rejects it."""

import ast
from dataclasses import replace

from mutakata.backends.modules import Source


def renamed_copy(source: Source) -> Source:
    """The same computation, its function defined under another name and without its comments."""
    if source.path.suffix != ".py":
        return replace(source, text="// The same computation.\n" + source.text)
    inner = f"_{source.function}_elsewhere"
    tree = ast.parse(source.text)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == source.function:
            node.name = inner
        elif isinstance(node, ast.Name) and node.id == source.function:
            node.id = inner
    text = ast.unparse(tree) + f"\n\n{source.function} = {inner}\n"
    return replace(source, text=text, path=source.path.with_name("elsewhere.py"))
