"""`kata start`, `hint`, `status`, `reset`: the candidate's folder."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mutakata.bank import Exercise, load_exercise, sources
from mutakata.cli.content import Banks, Mutants
from mutakata.cli.failure import MACHINERY, USE, fail
from mutakata.cli.run import current_workspace, require, which_kata
from mutakata.report.console import out, table

if TYPE_CHECKING:
    from mutakata.workspace.folder import Workspace


def register(app: typer.Typer) -> None:
    for command in (start, hint, status, reset):
        app.command()(command)


def start(
    kata: Annotated[str, typer.Argument(help="The kata to begin.")],
    folder: Annotated[
        Path | None, typer.Argument(help="Where; by default a folder named after the kata.")
    ] = None,
    mode: Annotated[str, typer.Option(help="tests, repair or build.")] = "tests",
    mutant: Annotated[int | None, typer.Option(help="For repair: the number of the mutant.")] = None,
    bank: Banks = None,
    mutants: Mutants = None,
) -> None:
    """Make a folder to work in. Never writes over a file."""
    from rich.markup import escape

    from mutakata.workspace.folder import BRIEF, WorkspaceError, start_workspace
    from mutakata.workspace.progress import MODES, ProgressError

    if mode not in MODES:
        fail(f"no mode {mode!r}: write {', '.join(MODES)}", USE)
    exercise = load_exercise(kata, sources(bank or (), mutants or ()))
    place = folder or Path(f"{kata}-{mode}" if mode != "tests" else kata)
    number = (_any_number(exercise) if mutant is None else mutant) if mode == "repair" else None
    try:
        workspace = start_workspace(exercise, place, mode, number)
    except WorkspaceError as error:
        fail(str(error), USE)
    except ProgressError as error:
        fail(str(error), MACHINERY)
    one = exercise.kata
    file = workspace.suite(one) if mode == "tests" else workspace.subject(one)
    console = out()
    console.print(f"[bold]{escape(one.title)}[/] ({one.level}, {one.minutes} minutes): {MODES[mode]}")
    console.print(f"  brief  {workspace.folder / BRIEF}\n  edit   {file}", soft_wrap=True, markup=False)
    where = shlex.quote(str(workspace.folder))
    console.print(f"next: `cd {where}`, then `kata run` or `kata watch`", soft_wrap=True, markup=False)


def _any_number(exercise: Exercise) -> int:
    import random

    return random.randint(1, max(1, len(exercise.mutants)))


def judge_implementation(exercise: Exercise, workspace: "Workspace") -> int:
    """Repair and build: print how the workspace's implementation fares. Returns the exit code."""
    from rich.markup import escape

    from mutakata.workspace.play import play
    from mutakata.workspace.progress import ProgressError

    path = workspace.subject(exercise.kata)
    try:
        played = play(exercise, path)
    except SyntaxError as error:
        fail(f"{path}:{error.lineno}: {error.msg}\n    mend the syntax, then `kata run` again", USE)
    except Exception as error:
        fail(f"{path} cannot be imported: {type(error).__name__}: {error}", USE)
    console = out()
    rows = [
        (
            name,
            "[green]right[/]" if one.right else "[red]wrong[/]",
            "" if one.right else escape(_seen(one.text)),
        )
        for name, _, one in played.cases
    ]
    if rows:
        console.print(table(console, ("input", "verdict", "what was seen"), rows))
    else:
        lost = next(cell for cell in played.row.cells if cell.outcome in ("timeout", "crash"))
        console.print(f"{lost.outcome} during {lost.test}: the inputs were not tried", markup=False)
    right = sum(one.right for _, _, one in played.cases)
    failed = len(played.row.kills)
    console.print(f"{right} of {len(played.cases)} inputs right; {failed} of the kata's tests fail")
    verdict = "[bold green]right[/]" if played.right else "[bold red]not yet[/]"
    console.print(verdict)
    try:
        workspace.save(workspace.progress.after_run((), (), 0, played.right))
    except ProgressError as error:
        fail(str(error), MACHINERY)
    return 0 if played.right else 1


def _seen(text: str) -> str:
    """The line that says most: of an edited input the first, otherwise the last."""
    lines = text.splitlines()
    return lines[0].partition(";")[0] if text.startswith("edited") else lines[-1].strip()


def hint(
    number: Annotated[int | None, typer.Argument(help="The mutant; by default the first survivor.")] = None,
    bank: Banks = None,
    mutants: Mutants = None,
) -> None:
    """Tell one thing more about a surviving mutant, and record that it was told."""
    from rich.markdown import Markdown

    from mutakata.workspace.hints import RUNGS, rung
    from mutakata.workspace.progress import ProgressError

    workspace = current_workspace(None)
    exercise = load_exercise(which_kata(None, workspace), sources(bank or (), mutants or ()))
    assert workspace is not None
    progress = workspace.progress
    if progress.mode == "build":
        fail("hints are about mutants, and `build` has none: `kata run` shows what is wrong", USE)
    names = {number: name for name, number in exercise.numbers.items()}
    alive = sorted(exercise.numbers[name] for name in progress.survived if name in exercise.numbers)
    if progress.mutant is not None:
        alive = [progress.mutant]
    if number is None and not alive:
        fail("no survivor is on record: `kata run` first", USE)
    chosen = alive[0] if number is None else number
    if chosen not in names:
        fail(f"no mutant number {chosen}: they run from 1 to {len(names)}", USE)
    name = names[chosen]
    taken = progress.hints.get(name, 0)
    console = out()
    console.print(f"[bold]mutant {chosen}[/], hint {min(taken + 1, len(RUNGS))} of {len(RUNGS)}")
    console.print(Markdown(rung(exercise, exercise.mutant(name), taken)))
    if taken < len(RUNGS):
        try:
            workspace.save(progress.after_hint(name))
        except ProgressError as error:
            fail(str(error), MACHINERY)


def status(folder: Annotated[Path, typer.Argument(help="Where the workspaces lie.")] = Path()) -> None:
    """Show each workspace here and below: kills, attempts, hints, time."""
    from mutakata.workspace.folder import workspaces_below
    from mutakata.workspace.progress import ProgressError

    try:
        found = workspaces_below(folder.resolve())
    except ProgressError as error:
        fail(str(error), MACHINERY)
    if not found:
        fail(f"no workspace in {folder.resolve()} or its folders: `kata start KATA` makes one", USE)
    rows = []
    for one in found:
        p = one.progress
        mutants = len(p.killed) + len(p.survived)
        state = "[green]solved[/]" if p.solved else ("open" if p.attempts else "new")
        killed = f"{len(p.killed)}/{mutants}" if mutants else "-"
        hints = str(sum(p.hints.values()))
        rows.append((p.kata, p.mode, state, killed, str(p.attempts), hints, f"{p.minutes:.0f} min"))
    console = out()
    console.print(table(console, ("kata", "mode", "state", "#killed", "#attempts", "#hints", "#time"), rows))


def reset(bank: Banks = None, mutants: Mutants = None) -> None:
    """Put the starting files back. What you wrote is kept beside them."""
    from mutakata.workspace.folder import reset_workspace
    from mutakata.workspace.progress import ProgressError

    workspace = current_workspace(None)
    exercise = load_exercise(which_kata(None, workspace), sources(bank or (), mutants or ()))
    assert workspace is not None
    try:
        kept = reset_workspace(workspace, exercise)
    except (OSError, ProgressError) as error:
        fail(f"reset stopped: {error}", MACHINERY)
    console = out()
    for path in kept:
        console.print(f"kept {path.name}", soft_wrap=True)
    console.print("the starting files are back; next: `kata run`")


__all__ = ["judge_implementation", "register", "require"]
