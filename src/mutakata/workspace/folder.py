"""A workspace on disk: which files a mode has, and never writing over what is there."""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from mutakata.bank import Exercise, Kata
from mutakata.workspace.progress import FILE, MODES, Progress, now, read_progress, write_progress

BRIEF = "BRIEF.md"


class WorkspaceError(Exception):
    """The folder cannot be used as asked; the message says what to type instead."""


@dataclass(frozen=True)
class Workspace:
    """A candidate's folder for one kata."""

    folder: Path
    progress: Progress

    def suite(self, kata: Kata) -> Path:
        return self.folder / f"test_{kata.function}.py"

    def subject(self, kata: Kata) -> Path:
        """The implementation that stands in the workspace."""
        return self.folder / (kata.subject.name if kata.launcher else f"{kata.function}.py")

    def save(self, progress: Progress) -> "Workspace":
        write_progress(self.folder, progress)
        return Workspace(self.folder, progress)


def find_workspace(start: Path) -> Workspace | None:
    """The workspace that holds `start`, if any. Raises ProgressError if its record is damaged."""
    for folder in (start, *start.parents):
        if os.path.isfile(folder / FILE):  # noqa: PTH113 (False, not an error, where we may not look)
            return Workspace(folder, read_progress(folder))
    return None


def workspaces_below(start: Path) -> list[Workspace]:
    """The workspace at `start` and those in its folders."""
    places = sorted(path.parents[1] for path in start.glob(f"*/{FILE}"))
    here = find_workspace(start)
    return ([here] if here else []) + [Workspace(place, read_progress(place)) for place in places]


def start_workspace(exercise: Exercise, folder: Path, mode: str, number: int | None = None) -> Workspace:
    """Create the files of `mode`. Raises WorkspaceError where one of them exists; writes nothing then.

    A folder that holds this kata's brief but no record was started before and lost it, or was cut short:
    it gets what it lacks, and keeps what it has.
    """
    kata = exercise.kata
    files = _files(exercise, mode, number)
    try:
        taken = [name for name in files if (folder / name).exists()]
        if taken and not _lacks_only_its_record(folder, files[BRIEF]):
            names = ", ".join(sorted(taken))
            fix = "type `kata run` inside to go on, `kata reset` to begin anew, or name another folder"
            raise WorkspaceError(f"{folder} holds {names} already: {fix}")
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            if name not in taken:
                (folder / name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise WorkspaceError(f"cannot write to {folder}: {error.strerror}; name another folder") from error
    workspace = Workspace(folder, Progress(kata.slug, mode, now(), number))
    write_progress(folder, workspace.progress)
    return workspace


def _lacks_only_its_record(folder: Path, brief: str) -> bool:
    path = folder / BRIEF
    return path.is_file() and path.read_bytes() == brief.encode() and not (folder / FILE).exists()


def _files(exercise: Exercise, mode: str, number: int | None) -> dict[str, str]:
    kata = exercise.kata
    module = kata.subject.name if kata.launcher else f"{kata.function}.py"
    files = {BRIEF: f"# {kata.title}: {MODES[mode]}\n\n{kata.brief}\n"}
    if kata.launcher:
        files[f"{kata.function}.py"] = kata.launcher.read_text(encoding="utf-8")
    conftest = kata.folder / "conftest.py"
    if conftest.is_file():
        files["conftest.py"] = conftest.read_text(encoding="utf-8")
    files[module] = _module(exercise, mode, number)
    if mode == "tests":
        files[f"test_{kata.function}.py"] = kata.starter.read_text(encoding="utf-8")
    return files


def _module(exercise: Exercise, mode: str, number: int | None) -> str:
    kata = exercise.kata
    if mode == "tests":
        return kata.source
    if mode == "repair":
        numbers = exercise.numbers
        if number not in numbers.values():
            raise WorkspaceError(f"no mutant number {number}: they run from 1 to {len(numbers)}")
        return next(mutant.source for mutant in exercise.mutants if numbers[mutant.id] == number)
    return stub(kata)


def stub(kata: Kata) -> str:
    """The function's head and docstring, to be filled in; a `.cu` keeps its launcher and loses its body."""
    if kata.subject.suffix != ".py":
        raise WorkspaceError(f"`build` is not offered for {kata.slug}: try `--mode repair`")
    import ast

    tree = ast.parse(kata.source)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == kata.function:
            lines = kata.source.splitlines()
            body = node.body[0]
            documented = isinstance(body, ast.Expr) and isinstance(body.value, ast.Constant)
            end = body.end_lineno if documented else body.lineno - 1
            head = "\n".join(lines[node.lineno - 1 : end])
            imports = [ast.unparse(one) for one in tree.body if isinstance(one, ast.Import | ast.ImportFrom)]
            return "\n".join(imports) + f"\n\n\n{head}\n    raise NotImplementedError\n"
    raise WorkspaceError(f"{kata.subject} defines no {kata.function}()")


def reset_workspace(workspace: Workspace, exercise: Exercise) -> list[Path]:
    """Put the mode's files back. What the candidate wrote is kept beside them; returns those copies."""
    progress = workspace.progress
    kept = []
    for name, text in _files(exercise, progress.mode, progress.mutant).items():
        path = workspace.folder / name
        if path.exists() and path.read_bytes() != text.encode():
            kept.append(_keep(path))
        path.write_text(text, encoding="utf-8")
    workspace.save(Progress(progress.kata, progress.mode, now(), progress.mutant))
    return kept


def _keep(path: Path) -> Path:
    number = 1
    while (kept := path.with_name(f"{path.name}.kept-{number}")).exists():
        number += 1
    shutil.move(path, kept)
    return kept
