"""`and`, `or` and `not` on blocks, as the compiler reads them: elementwise.

Python asks a block for its truth and keeps one operand: `(r < rows) and (c < columns)` would lose the first.
"""

import ast
from collections.abc import Callable
from typing import Any

Thunk = Callable[[], Any]


class Rewrite(ast.NodeTransformer):
    """Turns the operators into calls of the functions below, operands kept unevaluated."""

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        self.generic_visit(node)
        name = "_elementwise_and" if isinstance(node.op, ast.And) else "_elementwise_or"
        return _call(node, name, node.values)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        return _call(node, "_elementwise_not", [node.operand]) if isinstance(node.op, ast.Not) else node


def _call(node: ast.expr, name: str, operands: list[ast.expr]) -> ast.AST:
    nothing = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    thunks: list[ast.expr] = [ast.Lambda(args=nothing, body=operand) for operand in operands]
    call = ast.Call(func=ast.Name(id=name, ctx=ast.Load()), args=thunks, keywords=[])
    return ast.fix_missing_locations(ast.copy_location(call, node))


def functions(is_tensor: Callable[[Any], bool]) -> dict[str, Callable[..., Any]]:
    """What the rewritten source calls. A value that is no tensor is known when compiling and cuts short."""

    def both(*operands: Thunk) -> Any:
        return _fold(operands, is_tensor, "logical_and", stop=False)

    def either(*operands: Thunk) -> Any:
        return _fold(operands, is_tensor, "logical_or", stop=True)

    def negated(operand: Thunk) -> Any:
        value = operand()
        return value == 0 if is_tensor(value) else not value

    return {"_elementwise_and": both, "_elementwise_or": either, "_elementwise_not": negated}


def _fold(operands: tuple[Thunk, ...], is_tensor: Callable[[Any], bool], method: str, *, stop: bool) -> Any:
    tensors: list[Any] = []
    value: Any = None
    for operand in operands:
        value = operand()
        if is_tensor(value):
            tensors.append(value)
        elif bool(value) is stop:
            return value
    if not tensors:
        return value
    result, *others = tensors
    for other in others:
        result = getattr(result, method)(other)
    return result
