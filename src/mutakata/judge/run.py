"""Judges a suite: twice on the reference, then on every faithful implementation and every mutant."""

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from mutakata.backends.modules import Source
from mutakata.backends.needs import forkable
from mutakata.bank import Exercise, Kata
from mutakata.judge.copies import renamed_copy
from mutakata.judge.model import COLLECTION, Implementation, Matrix, Role, Row
from mutakata.judge.session import Job
from mutakata.judge.supervise import Limits, Start, supervise

COPY = "renamed-copy"
# Nothing is known of the suite yet when it first meets the reference.
FIRST = Limits(test=30.0, collection=60.0)


class NotScored(Exception):
    """The suite cannot be scored. `rows` are its runs on the reference."""

    def __init__(self, message: str, rows: Sequence[Row] = ()) -> None:
        self.rows = tuple(rows)
        super().__init__(message)


class NoTests(NotScored):
    """The suite holds no test that ran."""


class NotImportable(NotScored):
    """The suite raises while it is imported."""


class FailsOnReference(NotScored):
    """A test fails on the correct implementation: the suite is wrong, or its tolerance is."""


class Flaky(NotScored):
    """Two runs on the same implementation disagree."""


@dataclass(frozen=True)
class Options:
    """How to judge. `isolation` is fork or spawn; None takes fork where it is safe."""

    only: tuple[str, ...] = ()
    fail_fast: bool = False
    isolation: str | None = None
    workers: int | None = None


def implementations(exercise: Exercise, only: Sequence[str] = ()) -> list[Implementation]:
    """Everything a suite is run against, the reference first. `only` restricts the mutants."""
    kata = exercise.kata

    def source(path: Path, text: str) -> Source:
        return Source(kata.function, text, path, kata.launcher)

    reference = source(kata.subject, kata.source)
    found = [Implementation("reference", "reference", reference)]
    for path in kata.faithful:
        found.append(Implementation(path.stem, "faithful", source(path, path.read_text(encoding="utf-8"))))
    note = "the reference, word for word the same computation under another name"
    found.append(Implementation(COPY, "faithful", renamed_copy(reference), note=note))
    for mutant in exercise.mutants:
        if only and mutant.id not in only:
            continue
        role: Role = "equivalent" if mutant.equivalent else "mutant"
        mutated = source(kata.subject, mutant.source)
        found.append(Implementation(mutant.id, role, mutated, mutant.family, mutant.equivalent or ""))
    return found


def judge(
    exercise: Exercise,
    suite: Path,
    options: Options = Options(),
    on_row: Callable[[Row], None] = lambda row: None,
) -> Matrix:
    """Run `suite` against everything of the kata. Raises as `judge_all` does."""
    todo = implementations(exercise, options.only)
    return replace(judge_all(exercise.kata, todo, suite, options, on_row), numbers=exercise.numbers)


def judge_all(
    kata: Kata,
    todo: list[Implementation],
    suite: Path,
    options: Options = Options(),
    on_row: Callable[[Row], None] = lambda row: None,
) -> Matrix:
    """Run `suite` against the reference, which is the first of `todo`, then against the others.

    `on_row` is called as each implementation ends. Raises OSError or SyntaxError for a suite that cannot
    be read, PytestRefused where pytest does not begin, NotScored where the reference does not pass.
    """
    from mutakata.judge.warm import shared_imports, warm

    began = time.perf_counter()
    suite = suite.resolve()
    imports = shared_imports(suite, kata.function)
    # One more than there are processors: while a worker is started or buried, the others go on.
    width = options.workers or (os.cpu_count() or 1) + 1
    found: list[tuple[tuple[str, ...], list[Row]]] = []
    with TemporaryDirectory(prefix="kata-") as compiled:
        template = Job(todo[0].source, suite, Path(compiled), fail_fast=options.fail_fast)

        def judging(start: Start) -> None:
            found.append(_judge_rows(todo, template, start, width, on_row))

        if (options.isolation or ("fork" if forkable(kata.needs) else "spawn")) == "fork":
            from mutakata.judge.fork import serve

            warm(kata.needs, imports)
            serve(suite, judging)
        else:
            from mutakata.judge.spawn import starter

            judging(starter(kata.needs, imports))
    tests, rows = found[0]
    return Matrix(kata.slug, str(suite), tests, tuple(rows), time.perf_counter() - began, options.fail_fast)


def _judge_rows(
    todo: list[Implementation], template: Job, start: Start, width: int, on_row: Callable[[Row], None]
) -> tuple[tuple[str, ...], list[Row]]:
    reference, *others = todo
    again = replace(reference, id="reference, backwards")
    whole = replace(template, fail_fast=False)
    twice = [(reference, whole), (again, replace(whole, backwards=True))]
    runs = sorted(supervise(twice, start, FIRST, width), key=lambda row: row.implementation.id)
    tests, limits = _accept_reference(runs)
    on_row(runs[0])
    rows = {reference.id: runs[0]}
    jobs = [(one, replace(template, source=one.source)) for one in others]
    for row in supervise(jobs, start, limits, width):
        rows[row.implementation.id] = row
        on_row(row)
    return tests, [rows[one.id] for one in todo]


def _accept_reference(runs: list[Row]) -> tuple[tuple[str, ...], Limits]:
    """The tests of a suite that passes on the reference in both orders, and time limits drawn from it."""
    first, second = ({cell.test: cell.outcome for cell in row.cells} for row in runs)
    if first.get(COLLECTION) == "error" and "AssertionError" not in runs[0].how:
        raise NotImportable(f"the suite cannot be imported: {runs[0].how}", runs)
    if not any(outcome != "skipped" for outcome in (first | second).values()):
        raise NoTests("the suite holds no test that ran", runs)
    if first != second:
        tests = sorted(test for test in first.keys() | second.keys() if first.get(test) != second.get(test))
        raise Flaky(f"two runs on the reference, in two orders, disagree about {', '.join(tests)}", runs)
    failing = [test for test, outcome in first.items() if outcome not in ("pass", "skipped")]
    if failing:
        raise FailsOnReference(f"the suite fails on the reference: {', '.join(failing)}", runs)
    slowest = max(cell.seconds for row in runs for cell in row.cells)
    whole = sum(cell.seconds for cell in runs[0].cells)
    return tuple(first), Limits(test=3.0 + 10 * slowest, collection=10.0 + 10 * whole)
