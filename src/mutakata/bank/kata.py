"""One exercise: brief, starter, the suite that kills everything, named inputs."""

from dataclasses import dataclass
from pathlib import Path

from mutakata.bank.document import Unreadable, read_document
from mutakata.bank.mutant import Mutant, document_slug_problems
from mutakata.bank.problem import Problem
from mutakata.bank.schema import KataMeta, read_meta

FILES = {
    "starter.py": "the suite a candidate begins with",
    "solution.py": "the suite that kills every mutant",
    "cases.py": "the named inputs",
}


@dataclass(frozen=True)
class Kata:
    """An exercise without its mutants. `subject` is the reference's source file."""

    slug: str
    folder: Path
    title: str
    level: str
    minutes: int
    subject: Path
    function: str
    topic: str
    contract: str
    needs: tuple[str, ...]
    order: int
    launcher: Path | None
    brief: str
    lines: dict[str, int]

    @property
    def path(self) -> Path:
        return self.folder / "kata.md"

    @property
    def cases(self) -> Path:
        return self.folder / "cases.py"

    @property
    def starter(self) -> Path:
        return self.folder / "starter.py"

    @property
    def solution(self) -> Path:
        return self.folder / "solution.py"

    @property
    def faithful(self) -> tuple[Path, ...]:
        """The other correct implementations, in order of name."""
        return tuple(sorted(p for p in (self.folder / "faithful").glob(f"*{self.subject.suffix}")))

    @property
    def source(self) -> str:
        return self.subject.read_text(encoding="utf-8")


@dataclass(frozen=True)
class Exercise:
    """A kata with its mutants: what a run needs."""

    kata: Kata
    mutants: tuple[Mutant, ...]

    @property
    def numbers(self) -> dict[str, int]:
        """The number by which a candidate knows each mutant before it is killed."""
        return {mutant.id: number for number, mutant in enumerate(self.mutants, 1)}

    def mutant(self, slug: str) -> Mutant:
        return next(mutant for mutant in self.mutants if mutant.id == slug)


def read_kata(folder: Path, roots: tuple[Path, ...]) -> Kata | list[Problem]:
    """Load `folder`/kata.md, or every problem of the folder."""
    try:
        document = read_document(folder / "kata.md")
    except Unreadable as error:
        return [error.problem]
    meta = read_meta(KataMeta, document)
    problems = list(meta) if isinstance(meta, list) else []
    problems += [
        Problem(folder / name, 0, "the file is missing", f"write it: {what}")
        for name, what in FILES.items()
        if not (folder / name).is_file()
    ]
    if not document.body.strip():
        problems.append(
            Problem(document.path, document.body_line, "the brief is empty", "say what the function must do")
        )
    if isinstance(meta, list):
        return problems
    subject = find_reference(meta.subject, roots)
    if subject is None:
        what = f"subject {meta.subject!r} is not in reference/"
        problems.append(
            Problem(document.path, document.lines["subject"], what, "write a path such as rms_norm/spec.py")
        )
    problems += document_slug_problems(document)
    launcher = folder / meta.launcher if meta.launcher else None
    if launcher and not launcher.is_file():
        problems.append(
            Problem(
                document.path, document.lines["launcher"], f"no file {launcher}", "write it, or mend the name"
            )
        )
    if problems or subject is None:
        return problems
    return Kata(
        slug=folder.name,
        folder=folder,
        title=meta.title,
        level=meta.level,
        minutes=meta.minutes,
        subject=subject,
        function=meta.function,
        topic=meta.topic,
        contract=meta.contract,
        needs=tuple(meta.needs),
        order=meta.order,
        launcher=launcher,
        brief=document.body.strip(),
        lines=document.lines,
    )


def find_reference(name: str, roots: tuple[Path, ...]) -> Path | None:
    return next((root / "reference" / name for root in roots if (root / "reference" / name).is_file()), None)
