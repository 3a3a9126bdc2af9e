"""Matrices made by hand, with whatever a run could show."""

from pathlib import Path

from mutakata.backends.modules import Source
from mutakata.judge import Matrix
from mutakata.judge.model import Cell, Implementation, Role, Row

TESTS = ("test_a", "test_b[1]")


def row(name: str, role: Role, *outcomes: str, text: str = "", exception: str = "", note: str = "") -> Row:
    cells = tuple(
        Cell(test, outcome, 0.25, exception if outcome in ("assertion", "error") else "")  # type: ignore[arg-type]
        for test, outcome in zip(TESTS, outcomes, strict=True)
    )
    source = Source("f", "def f(): ...", Path("f.py"))
    return Row(Implementation(name, role, source, "scale", note), cells, text)


def matrix(*rows: Row, **fields: object) -> Matrix:
    reference = row("reference", "reference", "pass", "pass")
    numbers = {
        one.implementation.id: number
        for number, one in enumerate(rows, start=1)
        if one.implementation.role in ("mutant", "equivalent")
    }
    values = {"seconds": 1.5, "numbers": numbers} | fields
    return Matrix("tiny", "/suites/test_f.py", TESTS, (reference, *rows), **values)  # type: ignore[arg-type]


EVERY_KIND = matrix(
    row("dead", "mutant", "assertion", "pass", exception="AssertionError"),
    row("raised", "mutant", "pass", "error", exception="ValueError"),
    row("alive", "mutant", "pass", "pass"),
    row("slow", "mutant", "timeout", "pass"),
    row("fallen", "mutant", "crash", "pass"),
    row("same", "equivalent", "pass", "pass", note="x * 1 is x"),
    row("einsum", "faithful", "assertion", "pass", text="assert [1] == [2]", exception="AssertionError"),
    row("right", "faithful", "pass", "skipped"),
)
