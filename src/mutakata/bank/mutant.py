"""One way to be wrong: the diff is the mutation, the text its story."""

from dataclasses import dataclass
from pathlib import Path

from mutakata.bank.diff import DiffError, Hunk, apply_diff, parse_diff
from mutakata.bank.document import Document, Unreadable, read_document
from mutakata.bank.problem import Problem
from mutakata.bank.schema import MutantMeta, read_meta

SECTIONS = ("Symptom", "Why")


@dataclass(frozen=True)
class Mutant:
    """A reference with one defect. `source` is the whole mutated file."""

    id: str
    kata: str
    title: str
    family: str
    killed_by: tuple[str, ...]
    survives: tuple[str, ...]
    seen: tuple[str, ...]
    equivalent: str | None
    diff: str
    hunks: tuple[Hunk, ...]
    source: str
    symptom: str
    why: str
    path: Path
    lines: dict[str, int]

    @property
    def gross(self) -> bool:
        """Whether it never looks right, on any named input."""
        return not self.survives and self.equivalent is None


def compose(source: str, mutants: tuple[Mutant, ...]) -> str:
    """The source with several defects at once. Raises DiffError where two of them touch the same lines."""
    for mutant in mutants:
        source = apply_diff(source, mutant.hunks)
    return source


def read_mutant(path: Path, kata: str, source: str, suffix: str) -> Mutant | list[Problem]:
    """Load a mutant of `source`, or every problem of its file."""
    try:
        document = read_document(path)
    except Unreadable as error:
        return [error.problem]
    meta = read_meta(MutantMeta, document)
    problems = list(meta) if isinstance(meta, list) else []
    problems += _missing_parts(document)
    problems += document_slug_problems(document)
    hunks: tuple[Hunk, ...] = ()
    mutated = ""
    fences = [fence for fence in document.fences if fence.language == "diff"]
    if len(fences) != 1:
        problems.append(
            Problem(path, document.body_line, f"{len(fences)} diff blocks", "write exactly one ```diff block")
        )
    else:
        try:
            hunks = parse_diff(fences[0].text)
            mutated = apply_diff(source, hunks)
        except DiffError as error:
            problems.append(Problem(path, fences[0].line + error.offset, error.what, error.fix))
        else:
            problems += _parses(mutated, suffix, path, fences[0].line)
    if problems or isinstance(meta, list):
        return problems
    return Mutant(
        id=path.stem,
        kata=kata,
        title=document.title,
        family=meta.family,
        killed_by=tuple(meta.killed_by),
        survives=tuple(meta.survives),
        seen=tuple(meta.seen),
        equivalent=meta.equivalent,
        diff=fences[0].text,
        hunks=hunks,
        source=mutated,
        symptom=document.sections["Symptom"].text,
        why=document.sections["Why"].text,
        path=path,
        lines=document.lines,
    )


def document_slug_problems(document: Document) -> list[Problem]:
    """A file's name is an id: lower-case words."""
    stem = document.path.stem
    if stem == stem.lower() and stem.replace("-", "").replace("_", "").isalnum():
        return []
    return [
        Problem(document.path, 0, f"{stem!r} is no slug", "rename the file to lower-case words joined by -")
    ]


def _missing_parts(document: Document) -> list[Problem]:
    problems = []
    if not document.title:
        problems.append(
            Problem(
                document.path, document.body_line, "no title", "add a line `# What is wrong, in a few words`"
            )
        )
    problems += section_problems(document, SECTIONS)
    return problems


def section_problems(document: Document, required: tuple[str, ...]) -> list[Problem]:
    """Sections that are missing, empty, unknown or written twice."""
    problems = []
    for name in required:
        section = document.sections.get(name)
        if section is None:
            problems.append(
                Problem(document.path, document.body_line, f"section `## {name}` is missing", "add it")
            )
        elif not section.text.strip():
            problems.append(Problem(document.path, section.line, f"section `## {name}` is empty", "write it"))
    for name, section in document.sections.items():
        if name not in required:
            fix = f"the sections are {', '.join(required)}"
            problems.append(Problem(document.path, section.line, f"unknown section `## {name}`", fix))
    for name, line in document.repeated:
        problems.append(Problem(document.path, line, f"section `## {name}` stands twice", "join the two"))
    return problems


def _parses(source: str, suffix: str, path: Path, line: int) -> list[Problem]:
    if suffix != ".py":
        return []
    try:
        compile(source, str(path), "exec")
    except SyntaxError as error:
        what = f"the mutant does not parse: {error.msg} (line {error.lineno} of the mutated source)"
        return [Problem(path, line, what, "mend the + lines of the diff")]
    return []
