"""The verdict of a run in the mutation-testing-report-schema, version 2, that Stryker's viewer reads."""

from typing import Any

from mutakata.bank import Exercise, Mutant
from mutakata.judge import Matrix, Row

STATUS = {
    "killed": "Killed",
    "survived": "Survived",
    "timeout": "Timeout",
    "crash": "RuntimeError",
    "equivalent": "Ignored",
    "not applied": "CompileError",
    "not proved here": "Pending",
}
LANGUAGE = {".py": "python", ".cu": "cpp"}


def matrix_stryker(matrix: Matrix, exercise: Exercise) -> dict[str, Any]:
    """The run as one object of plain values."""
    kata = exercise.kata
    numbers = {test: str(index) for index, test in enumerate(matrix.tests)}
    rows = {row.implementation.id: row for row in matrix.mutants}
    mutants = [
        _mutant(mutant, rows[mutant.id], kata.source, numbers)
        for mutant in exercise.mutants
        if mutant.id in rows
    ]
    source = {"language": LANGUAGE[kata.subject.suffix], "source": kata.source, "mutants": mutants}
    tests = [{"id": number, "name": test} for test, number in numbers.items()]
    return {
        "schemaVersion": "2",
        "thresholds": {"high": 100, "low": 80},
        "framework": {"name": "mutakata"},
        "files": {f"reference/{kata.subject.parent.name}/{kata.subject.name}": source},
        "testFiles": {matrix.suite: {"tests": tests}},
    }


def _mutant(mutant: Mutant, row: Row, source: str, numbers: dict[str, str]) -> dict[str, Any]:
    first = mutant.hunks[0]
    lines = source.splitlines()
    height = len(first.old)
    start = next(
        i for i in range(len(lines)) if tuple(r.rstrip() for r in lines[i : i + height]) == first.old
    )
    found: dict[str, Any] = {
        "id": mutant.id,
        "mutatorName": mutant.family,
        "description": mutant.title,
        "replacement": "\n".join(first.new),
        "location": {
            "start": {"line": start + 1, "column": 1},
            "end": {"line": start + height, "column": len(lines[start + height - 1]) + 1},
        },
        "status": STATUS[row.status],
        "coveredBy": list(numbers.values()),
        "killedBy": [numbers[test] for test in row.kills if test in numbers],
    }
    reason = mutant.equivalent or row.text or row.how
    return found | ({"statusReason": reason} if reason else {})
