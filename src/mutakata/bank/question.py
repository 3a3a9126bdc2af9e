"""One question: candidate, reference, answers, follow-ups and the wrong answers an interviewer hears."""

import re
from dataclasses import dataclass
from pathlib import Path

from mutakata.bank.document import Document, Fence, Section, Unreadable, read_document
from mutakata.bank.mutant import document_slug_problems, section_problems
from mutakata.bank.problem import Problem
from mutakata.bank.schema import QuestionMeta, read_meta
from mutakata.bank.vocabulary import LEVELS

SECTIONS = (
    "Question",
    "Candidate",
    "Short answer",
    "Full answer",
    "Reference",
    "Follow-ups",
    "Wrong answers",
    "Rubric",
)
PROTECTED = SECTIONS[2:]
LEAST_PARTS = 3


@dataclass(frozen=True)
class FollowUp:
    """A further question with the level it is for and the answer to expect."""

    level: str
    question: str
    answer: str
    line: int


@dataclass(frozen=True)
class WrongAnswer:
    """A sentence an interviewer hears; below it why it tempts, why it fails, what to say next."""

    sentence: str
    text: str
    line: int


@dataclass(frozen=True)
class Question:
    """A question. `checks` are the fences that must pass, from every section."""

    slug: str
    meta: QuestionMeta
    sections: dict[str, str]
    candidate: Fence
    reference: Fence
    follow_ups: tuple[FollowUp, ...]
    wrong_answers: tuple[WrongAnswer, ...]
    checks: tuple[Fence, ...]
    path: Path
    lines: dict[str, int]

    @property
    def title(self) -> str:
        return self.meta.title

    def text(self, section: str) -> str:
        return self.sections[section]


def read_question(path: Path) -> Question | list[Problem]:
    """Load a question, or every problem of its file."""
    try:
        document = read_document(path)
    except Unreadable as error:
        return [error.problem]
    meta = read_meta(QuestionMeta, document)
    problems = list(meta) if isinstance(meta, list) else []
    problems += section_problems(document, SECTIONS) + document_slug_problems(document)
    candidate = _only_code(document, "Candidate", problems)
    reference = _only_code(document, "Reference", problems)
    follow_ups = _follow_ups(document, problems)
    wrong = _wrong_answers(document, problems)
    if not isinstance(meta, list) and meta.topic != path.parent.name:
        what = f"topic is {meta.topic!r} but the folder is {path.parent.name!r}"
        problems.append(Problem(path, document.lines["topic"], what, "move the file or mend the topic"))
    if problems or isinstance(meta, list) or candidate is None or reference is None:
        return problems
    return Question(
        slug=path.stem,
        meta=meta,
        sections={name: section.text for name, section in document.sections.items()},
        candidate=candidate,
        reference=reference,
        follow_ups=tuple(follow_ups),
        wrong_answers=tuple(wrong),
        checks=tuple(f for f in document.fences if f.language == "python" and "check" in f.flags),
        path=path,
        lines=document.lines,
    )


def _only_code(document: Document, name: str, problems: list[Problem]) -> Fence | None:
    section = document.sections.get(name)
    if section is None:
        return None
    code = [
        fence
        for fence in section.fences
        if "check" not in fence.flags and fence.language in ("python", "cuda")
    ]
    if len(code) == 1:
        return code[0]
    what = f"{len(code)} blocks of code in `## {name}`"
    problems.append(
        Problem(
            document.path, section.line, what, "write the whole function in one ```python (or cuda) block"
        )
    )
    return None


def _parts(document: Document, name: str, problems: list[Problem]) -> tuple[Section, ...]:
    section = document.sections.get(name)
    if section is None:
        return ()
    if len(section.parts) < LEAST_PARTS:
        what = f"{len(section.parts)} entries in `## {name}`"
        problems.append(
            Problem(document.path, section.line, what, f"write at least {LEAST_PARTS}, each under a `###`")
        )
    for part in section.parts:
        if not part.text.strip():
            problems.append(
                Problem(document.path, part.line, f"nothing below {part.title!r}", "write what to expect")
            )
    return section.parts


def _follow_ups(document: Document, problems: list[Problem]) -> list[FollowUp]:
    found = []
    for part in _parts(document, "Follow-ups", problems):
        match = re.match(r"(L\d)\W+(.+)", part.title)
        if match is None or match[1] not in LEVELS:
            what = f"follow-up without a level: {part.title!r}"
            problems.append(
                Problem(document.path, part.line, what, "begin it with its level, as in `### L3: What if …?`")
            )
            continue
        found.append(FollowUp(match[1], match[2], part.text, part.line))
    return found


def _wrong_answers(document: Document, problems: list[Problem]) -> list[WrongAnswer]:
    found = []
    for part in _parts(document, "Wrong answers", problems):
        if not any(fence.language == "python" and "check" in fence.flags for fence in part.fences):
            what = f"no counter-example below {part.title!r}"
            problems.append(Problem(document.path, part.line, what, "refute it in a ```python check block"))
        found.append(WrongAnswer(part.title.strip('"“”'), part.text, part.line))
    return found
