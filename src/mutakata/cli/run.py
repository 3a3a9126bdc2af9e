"""`kata run`: judge a suite, or an implementation in a repair or build workspace."""

import json
import os
import sys
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from mutakata.bank import Exercise, load_exercise, sources
from mutakata.bank.load import not_found
from mutakata.cli.content import Banks, Mutants
from mutakata.cli.failure import MACHINERY, REFERENCE, USE, fail

if TYPE_CHECKING:
    from mutakata.judge import Matrix, Options, Row
    from mutakata.workspace.folder import Workspace


class Format(StrEnum):
    table = "table"
    json = "json"
    junit = "junit"
    stryker = "stryker"


def register(app: typer.Typer) -> None:
    app.command()(run)


def run(
    kata: Annotated[str | None, typer.Argument(help="The kata; not needed inside a workspace.")] = None,
    suite: Annotated[Path | None, typer.Option(help="The pytest file to judge.")] = None,
    format: Annotated[Format, typer.Option(help="How to print the verdict.")] = Format.table,
    only: Annotated[
        list[str] | None, typer.Option(help="Judge only this mutant: its number or name.")
    ] = None,
    fail_fast: Annotated[
        bool, typer.Option("--fail-fast", help="Stop at the first failing test of each.")
    ] = False,
    reveal: Annotated[bool, typer.Option("--reveal", help="Name the mutants that survive.")] = False,
    isolation: Annotated[
        str | None, typer.Option(help="fork or spawn; by default fork where it is safe.")
    ] = None,
    device: Annotated[
        str | None, typer.Option(help="cpu or cuda: where kernels run; the simulation, or a GPU.")
    ] = None,
    bank: Banks = None,
    mutants: Mutants = None,
) -> None:
    """Judge a suite against every mutant and every correct implementation of a kata.

    Exits with 0 if all mutants are killed and no correct implementation is; 1 if not; 2 for wrong use or
    unreadable input; 3 if the suite fails on the reference; 4 if the machinery fails.
    """
    from mutakata.judge import Options

    if isolation not in (None, "fork", "spawn"):
        fail(f"--isolation is {isolation!r}: write fork or spawn", USE)
    on_device(device)
    where = sources(bank or (), mutants or ())
    workspace = current_workspace(kata)
    exercise = load_exercise(which_kata(kata, workspace), where)
    require(exercise)
    if workspace and not suite and workspace.progress.mode != "tests":
        from mutakata.cli.play import judge_implementation

        raise typer.Exit(judge_implementation(exercise, workspace))
    path = which_suite(exercise, suite, workspace)
    options = Options(only=_named(exercise, only or []), fail_fast=fail_fast, isolation=isolation)
    matrix = judged(exercise, path, options, quiet=format is not Format.table)
    show(matrix, exercise, format, reveal, workspace)
    if workspace and not suite and not only:
        record(workspace, matrix)
    raise typer.Exit(0 if matrix.clean else 1)


def on_device(device: str | None) -> None:
    """The backends and every worker read where kernels run from the environment, as plain pytest does."""
    from mutakata.backends.needs import DEVICES

    if device is not None and device not in DEVICES:
        fail(f"--device is {device!r}: write {' or '.join(DEVICES)}", USE)
    if device:
        os.environ["MUTAKATA_DEVICE"] = device


def current_workspace(kata: str | None) -> "Workspace | None":
    """The workspace we stand in, unless another kata was named."""
    from mutakata.workspace.folder import find_workspace
    from mutakata.workspace.progress import ProgressError

    try:
        workspace = find_workspace(Path.cwd())
    except ProgressError as error:
        fail(str(error), MACHINERY)
    return workspace if workspace and kata in (None, workspace.progress.kata) else None


def which_kata(kata: str | None, workspace: "Workspace | None") -> str:
    if kata is None and workspace is None:
        fail("which kata? Name one (`kata list` shows them), or go into a folder made by `kata start`", USE)
    return kata or workspace.progress.kata  # type: ignore[union-attr]


def which_suite(exercise: Exercise, suite: Path | None, workspace: "Workspace | None") -> Path:
    """The suite that was named, else the workspace's, else the kata's own solution."""
    path = suite or (workspace.suite(exercise.kata) if workspace else exercise.kata.solution)
    if not os.path.isfile(path):  # noqa: PTH113 (False, not an error, where we may not look)
        hint = "`kata reset` puts the starter back" if workspace and not suite else "name a pytest file"
        fail(f"no file {path}: {hint}", USE)
    return path


def require(exercise: Exercise) -> None:
    """Exit where this machine lacks a backend: nothing can be proved then, and nothing is called passed."""
    from mutakata.backends.needs import missing

    reasons = missing(exercise.kata.needs)
    if reasons:
        what = f"{exercise.kata.slug}: {len(exercise.mutants)} mutants not proved here"
        fail("\n  ".join([what, *reasons, "`kata doctor` shows what runs"]), MACHINERY)


def _named(exercise: Exercise, names: list[str]) -> tuple[str, ...]:
    by_number = {str(number): name for name, number in exercise.numbers.items()}
    found = tuple(by_number.get(name, name) for name in names)
    for name in found:
        if name.isdecimal():
            fail(f"no mutant number {name}: they run from 1 to {len(exercise.numbers)}", USE)
        if name not in exercise.numbers:
            raise not_found(name, exercise.numbers, f"mutant of {exercise.kata.slug}")
    return found


def judged(exercise: Exercise, suite: Path, options: "Options", quiet: bool) -> "Matrix":
    """Judge with a progress bar; exit with a message where the suite cannot be scored."""
    from mutakata.judge import FailsOnReference, Flaky, NotScored, PytestRefused, implementations, judge
    from mutakata.report.progress import progress

    total = len(implementations(exercise, options.only))
    try:
        with progress(f"judging {suite.name}", total, quiet) as step:
            return judge(exercise, suite, options, _stepper(step))
    except SyntaxError as error:
        place = f"{suite}:{error.lineno}" if error.lineno else str(suite)
        fail(f"{place}: {error.msg}\n    mend the syntax, then `kata run` again", USE)
    except (OSError, UnicodeDecodeError) as error:
        fail(f"{suite} cannot be read: {error}", USE)
    except (FailsOnReference, Flaky) as error:
        _say_not_scored(suite, error, REFERENCE)
    except NotScored as error:
        _say_not_scored(suite, error, USE)
    except PytestRefused as error:
        fail(f"pytest did not begin:\n{error}", USE)


def _stepper(step: Callable[[], None]) -> "Callable[[Row], None]":
    return lambda row: step()


def _say_not_scored(suite: Path, error: Exception, code: int) -> NoReturn:
    detail = next((row.text for row in getattr(error, "rows", ()) if row.text), "")
    lines = [f"{suite}: {error}", *detail.splitlines()[:12]]
    lines.append(f"not scored: make `pytest {suite.name}` pass on the reference first")
    fail("\n    ".join(lines), code)


def show(
    matrix: "Matrix", exercise: Exercise, format: Format, reveal: bool, workspace: "Workspace | None"
) -> None:
    """Print the verdict to standard output."""
    if format is Format.json:
        from mutakata.report.matrix_json import matrix_json

        print(json.dumps(matrix_json(matrix), indent=1))
    elif format is Format.stryker:
        from mutakata.report.stryker import matrix_stryker

        print(json.dumps(matrix_stryker(matrix, exercise), indent=1))
    elif format is Format.junit:
        from mutakata.report.junit import matrix_junit

        sys.stdout.write(matrix_junit(matrix))
    else:
        _show_table(matrix, exercise, reveal, workspace)


def _show_table(matrix: "Matrix", exercise: Exercise, reveal: bool, workspace: "Workspace | None") -> None:
    from mutakata.report.console import out
    from mutakata.report.matrix_table import print_matrix
    from mutakata.workspace.hints import price

    taken = workspace.progress.hints if workspace else {}
    prices = {name: price(number, taken.get(name, 0)) for name, number in exercise.numbers.items()}
    console = out()
    print_matrix(console, matrix, reveal, prices)
    console.print(f"[dim]{next_step(matrix, workspace)}[/]")


def next_step(matrix: "Matrix", workspace: "Workspace | None") -> str:
    """What to type now."""
    alive = [row for row in matrix.mutants if row.status not in ("killed", "equivalent")]
    if matrix.false_kills:
        return "next: loosen what rejects a correct implementation, then `kata run` again"
    if alive and workspace:
        number = matrix.numbers.get(alive[0].implementation.id, 0)
        return f"next: write a test that kills mutant {number}, or `kata hint {number}`"
    if alive:
        return f"next: `kata start {matrix.kata}` makes a workspace with hints"
    return "next: `kata list` shows the other katas"


def record(workspace: "Workspace", matrix: "Matrix") -> None:
    """Save what the run showed; a failure to save never hides the verdict."""
    from mutakata.workspace.progress import ProgressError

    killed = tuple(row.implementation.id for row in matrix.mutants if row.status == "killed")
    alive = tuple(
        row.implementation.id for row in matrix.mutants if row.status not in ("killed", "equivalent")
    )
    try:
        workspace.save(workspace.progress.after_run(killed, alive, len(matrix.false_kills), matrix.clean))
    except ProgressError as error:
        fail(str(error), MACHINERY)
