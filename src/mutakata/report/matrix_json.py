"""The verdict of a run for machines. Fields are added, never changed."""

from typing import Any

from mutakata.judge import Matrix

FORMAT_VERSION = 1


def matrix_json(matrix: Matrix) -> dict[str, Any]:
    """The run as one object of plain values."""
    kills = matrix.killers()
    return {
        "format_version": FORMAT_VERSION,
        "kata": matrix.kata,
        "suite": matrix.suite,
        "score": {
            "mutants": len(matrix.mutants),
            "killed": matrix.count("killed"),
            "survived": matrix.count("survived"),
            "timeout": matrix.count("timeout"),
            "crash": matrix.count("crash"),
            "equivalent": matrix.count("equivalent"),
            "not_proved": matrix.count("not proved here"),
            "false_kills": len(matrix.false_kills),
        },
        "mutants": [
            {
                "id": row.implementation.id,
                "family": row.implementation.family,
                "status": row.status,
                "killed_by": list(row.kills),
                "how": row.how,
                "number": matrix.numbers.get(row.implementation.id),
                "detail": row.text,
            }
            for row in matrix.mutants
        ],
        "faithful": [
            {
                "id": row.implementation.id,
                "status": "accepted" if row.accepted else "falsely killed",
                "killed_by": list(row.kills),
                "detail": row.text,
            }
            for row in matrix.faithful
        ],
        "tests": [{"id": test, "kills": list(kills.get(test, ()))} for test in matrix.tests],
        "dominators": list(matrix.dominators()),
        "seconds": round(matrix.seconds, 3),
    }
