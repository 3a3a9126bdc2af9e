"""Repair and build: the candidate's implementation against the kata's named inputs and its suite."""

from dataclasses import dataclass
from pathlib import Path

from mutakata.backends.cases import load_cases
from mutakata.backends.modules import Source, load
from mutakata.bank import Exercise
from mutakata.judge import Implementation, Row, implementations, judge_all
from mutakata.numerics.observe import CellVerdict, judge_case


@dataclass(frozen=True)
class Played:
    """How an implementation fared: each named input, and the tests of the kata's suite that it fails."""

    cases: tuple[tuple[str, str, CellVerdict], ...]
    row: Row

    @property
    def right(self) -> bool:
        return self.row.accepted and all(verdict.right for _, _, verdict in self.cases)


def play(exercise: Exercise, path: Path) -> Played:
    """Judge the implementation at `path`. Raises what reading or importing it raises."""
    kata = exercise.kata
    source = Source(kata.function, path.read_text(encoding="utf-8"), path, kata.launcher)
    function = load(source)
    verdicts = tuple(
        (case.id, case.reason, judge_case(kata.contract, function, case.make))
        for case in load_cases(kata.cases).values()
    )
    reference = implementations(exercise)[0]
    matrix = judge_all(kata, [reference, Implementation("yours", "mutant", source)], kata.solution)
    return Played(verdicts, matrix.rows[1])
