"""The kill matrix for authors: mutants by tests, with dominators and redundant tests."""

from rich.console import Console

from mutakata.bank import Exercise
from mutakata.judge import Matrix
from mutakata.report.console import table


def print_kill_matrix(console: Console, matrix: Matrix, exercise: Exercise) -> None:
    """One line a mutant: an x under each test that kills it, a * on dominators."""
    own = set(exercise.numbers)
    dominators = set(matrix.dominators())
    console.print(f"[bold]{matrix.kata}[/]: tests")
    for index, test in enumerate(matrix.tests):
        console.print(f"  {_letter(index)} {test}", markup=False)
    rows = [
        (
            ("* " if row.implementation.id in dominators else "  ") + row.implementation.id,
            "".join(_letter(i) if test in row.kills else "." for i, test in enumerate(matrix.tests)),
        )
        for row in matrix.mutants
        if row.implementation.id in own
    ]
    console.print(table(console, ("mutant (* dominator)", "killed by"), rows))
    redundant = matrix.redundant_tests()
    console.print(f"redundant tests: {', '.join(redundant) if redundant else 'none'}", markup=False)


def _letter(index: int) -> str:
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    return letters[index] if index < len(letters) else "#"
