"""`kata check` and `kata new`: what an author must prove, and skeletons to begin from."""

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mutakata.bank import Exercise, load_bank, sources
from mutakata.cli.content import Banks, Mutants
from mutakata.cli.failure import MACHINERY, USE, fail
from mutakata.report.console import err, out

if TYPE_CHECKING:
    from mutakata.check.finding import Findings
    from mutakata.judge import Matrix


def register(app: typer.Typer) -> None:
    app.command()(check)
    app.command()(new)


def check(
    paths: Annotated[
        list[Path] | None, typer.Argument(help="Files or folders; by default the whole bank.")
    ] = None,
    matrix: Annotated[
        bool, typer.Option("--matrix", help="Print kill matrix, dominators, redundant tests.")
    ] = False,
    format: Annotated[str, typer.Option(help="table or json.")] = "table",
    bank: Banks = None,
    mutants: Mutants = None,
) -> None:
    """Prove the content: suites, promises of mutants, code and numbers of questions.

    Exits with 0 if all was proved; 1 if a problem was found; 2 for wrong use; 4 if nothing could be judged.
    """
    from mutakata.check.bank import check_bank

    for path in paths or []:
        if not path.exists():
            fail(f"no file or folder {path}", USE)
    began = time.perf_counter()
    content = load_bank(sources(bank or (), mutants or ()))
    progress = err()
    findings = check_bank(
        content,
        paths or (),
        on_step=lambda name: progress.print(f"[dim]{name}[/]") if progress.is_terminal else None,
        on_matrix=_print_matrix if matrix else lambda exercise, found: None,
    )
    seconds = time.perf_counter() - began
    problems = list(findings)
    if format == "json":
        print(json.dumps(_as_json(findings, seconds), indent=1))
    else:
        _print_findings(findings, seconds)
    if not problems and not findings.proved:
        elsewhere = paths and not findings.not_proved
        fail(
            "nothing was judged" + (": no bank holds it, --bank DIR names one" if elsewhere else ""),
            MACHINERY,
        )
    raise typer.Exit(1 if problems else 0)


def _print_matrix(exercise: Exercise, found: "Matrix") -> None:
    from mutakata.report.kill_matrix import print_kill_matrix

    print_kill_matrix(out(), found, exercise)


def _print_findings(findings: "Findings", seconds: float) -> None:
    console = out()
    problems = list(findings)
    for problem in problems:
        place = f"{_short(problem.path)}:{problem.line}" if problem.line else str(_short(problem.path))
        console.print(
            f"[bold]{_plain(place)}[/]: {_plain(problem.what)}\n    [dim]{_plain(problem.fix)}[/]",
            soft_wrap=True,
        )
    for reason in findings.not_proved:
        console.print(f"[yellow]not proved here[/] {_plain(reason)}", soft_wrap=True)
    proved = ", ".join(f"{number} {thing}" for thing, number in findings.proved.items())
    colour = "red" if problems else "green"
    console.print(
        f"[bold {colour}]{len(problems)} problems[/] | checked {proved or 'nothing'} | {seconds:.1f} s"
    )


def _plain(text: str) -> str:
    from rich.markup import escape

    return escape(text)


def _short(path: Path) -> Path:
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def _as_json(findings: "Findings", seconds: float) -> dict[str, object]:
    return {
        "format_version": 1,
        "problems": [
            {"file": str(one.path), "line": one.line, "what": one.what, "fix": one.fix} for one in findings
        ],
        "not_proved": findings.not_proved,
        "proved": findings.proved,
        "seconds": round(seconds, 2),
    }


def new(
    kind: Annotated[str, typer.Argument(help="mutant, kata or question.")],
    name: Annotated[str, typer.Argument(help="kata/mutant, kata, or topic/question.")],
    into: Annotated[Path, typer.Option(help="The bank to write to.")] = Path(),
) -> None:
    """Write a skeleton that `kata check` refuses until it is filled in, with a list of what is missing."""
    from mutakata.check.skeleton import SkeletonError, write_skeleton

    try:
        written = write_skeleton(kind, name, into)
    except SkeletonError as error:
        fail(str(error), USE)
    console = out()
    for path in written:
        console.print(f"wrote {path}", soft_wrap=True, markup=False)
    from mutakata.bank import locate

    elsewhere = "" if into.resolve() in locate.roots() else f" --bank {into}"
    console.print(
        f"next: fill it in, then `kata check {written[0].parent}{elsewhere}`", soft_wrap=True, markup=False
    )
