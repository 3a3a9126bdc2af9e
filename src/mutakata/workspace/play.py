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
    """How an implementation fared: each named input, and the tests of the kata's suite that it fails.

    There are no inputs where the suite did not come to its end: a hang or an exit would be ours too.
    """

    cases: tuple[tuple[str, str, CellVerdict], ...]
    row: Row

    @property
    def right(self) -> bool:
        return self.row.accepted and bool(self.cases) and all(verdict.right for _, _, verdict in self.cases)


def play(exercise: Exercise, path: Path) -> Played:
    """Judge the implementation at `path`. Raises what reading or importing it raises."""
    kata = exercise.kata
    source = Source(kata.function, path.read_text(encoding="utf-8"), path, kata.launcher)
    compile(source.python, str(path), "exec", dont_inherit=True)
    reference = implementations(exercise)[0]
    row = judge_all(kata, [reference, Implementation("yours", "mutant", source)], kata.solution).rows[1]
    if any(cell.outcome in ("timeout", "crash") for cell in row.cells):
        return Played((), row)
    try:
        function = load(source)
        verdicts = tuple(
            (case.id, case.reason, judge_case(kata.contract, function, case.make))
            for case in load_cases(kata.cases).values()
        )
    except SystemExit as error:
        raise RuntimeError(f"it ends the interpreter: SystemExit({error})") from error
    return Played(verdicts, row)
