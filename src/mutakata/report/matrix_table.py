"""The verdict of a run for people: a line for each mutant, then the score and what to do next."""

from rich.console import Console
from rich.markup import escape

from mutakata.judge import Matrix, Row
from mutakata.judge.model import Status
from mutakata.report.console import table

LOST: tuple[tuple[Status, str], ...] = (
    ("timeout", "timed out"),
    ("crash", "crashed"),
    ("equivalent", "equivalent"),
)
STYLES = {
    "killed": "green",
    "survived": "red",
    "timeout": "yellow",
    "crash": "yellow",
    "equivalent": "dim",
    "not proved here": "yellow",
}


def print_matrix(
    console: Console, matrix: Matrix, reveal: bool = False, prices: dict[str, str] | None = None
) -> None:
    """Print every mutant, false kills, idle tests and the score. `prices` names the next hint by mutant."""
    rows = [
        _mutant_row(number, row, matrix, reveal, (prices or {}).get(row.implementation.id, ""))
        for number, row in numbered(matrix)
    ]
    columns = ("#", "mutant", "family", "verdict", "#tests", "first killer")
    console.print(table(console, columns, rows, cut_last=True))
    for row in matrix.false_kills:
        console.print(f"[red]false kill[/] {_false_kill(row)}")
    idle = matrix.idle_tests()
    if idle and not matrix.fail_fast:
        console.print(f"[yellow]killed nothing:[/] {escape(', '.join(idle))}")
    console.print(score_line(matrix))


def numbered(matrix: Matrix) -> list[tuple[int, Row]]:
    """Mutants with the numbers by which a candidate knows them."""
    return [(matrix.numbers.get(row.implementation.id, 0), row) for row in matrix.mutants]


def _mutant_row(number: int, row: Row, matrix: Matrix, reveal: bool, price: str) -> tuple[str, ...]:
    known = reveal or row.status in ("killed", "equivalent")
    name = row.implementation.id if known else "-"
    family = row.implementation.family if known else "-"
    style = STYLES.get(row.status, "")
    tests = str(len(row.kills)) if row.kills else ""
    return (str(number), name, family, f"[{style}]{row.status}[/]", tests, _by(row, price))


def _by(row: Row, price: str) -> str:
    if row.status == "killed":
        # A failed assertion is what one expects; another exception is worth a word.
        return escape(row.kills[0] if row.how == "AssertionError" else f"{row.how}: {row.kills[0]}")
    if row.status == "equivalent":
        return escape(row.implementation.note)
    if row.status in ("timeout", "crash"):
        lost = next(cell.test for cell in row.cells if cell.outcome in ("timeout", "crash"))
        return escape(f"during {lost}; not counted as a kill")
    return escape(price)


def _false_kill(row: Row) -> str:
    """A correct implementation was rejected: by which test, and what that says of the test."""
    tests = ", ".join(row.kills) or row.how
    advice = (
        "the tests look at the source or the name, not at the behaviour"
        if row.implementation.id == "renamed-copy"
        else "a tolerance below rounding, or a choice that the brief leaves open"
    )
    detail = f"\n  {row.text.splitlines()[0]}" if row.text else ""
    return escape(f"{row.implementation.id} is correct and fails {tests}: {advice}{detail}")


def score_line(matrix: Matrix) -> str:
    """One line: the score, false kills, cells and seconds."""
    killed, killable = matrix.count("killed"), len(matrix.mutants) - matrix.count("equivalent")
    cells = sum(len(row.cells) for row in matrix.rows)
    colour = "green" if matrix.clean else "red"
    false = len(matrix.false_kills)
    parts = [f"[bold {colour}]{killed} of {killable} mutants killed[/]"]
    parts += [f"{matrix.count(status)} {label}" for status, label in LOST if matrix.count(status)]
    parts.append(f"[{'red' if false else 'green'}]{false} false kill{'s' * (false != 1)}[/]")
    parts.append(f"{len(matrix.tests)} tests, {cells} cells, {matrix.seconds:.2f} s")
    return " | ".join(parts)
