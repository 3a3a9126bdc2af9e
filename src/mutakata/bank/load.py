"""The whole bank from its folders; every problem of every file is reported in one go."""

import difflib
import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from mutakata.bank import locate
from mutakata.bank.kata import Exercise, Kata, read_kata
from mutakata.bank.mutant import Mutant, read_mutant
from mutakata.bank.problem import BankError, NotFound, Problem
from mutakata.bank.question import Question, read_question

Thing = TypeVar("Thing")


@dataclass(frozen=True)
class Sources:
    """Where content is read from: roots in order, and folders of further mutants (one folder per kata)."""

    roots: tuple[Path, ...]
    mutants: tuple[Path, ...] = ()

    @property
    def mutant_folders(self) -> tuple[Path, ...]:
        return tuple(root / "mutants" for root in self.roots) + self.mutants


@dataclass(frozen=True)
class Bank:
    """All content that could be read, and the problems of what could not."""

    katas: dict[str, Kata] = field(default_factory=dict)
    mutants: dict[str, tuple[Mutant, ...]] = field(default_factory=dict)
    questions: dict[str, Question] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()

    def exercise(self, slug: str) -> Exercise:
        return Exercise(self.kata(slug), self.mutants.get(slug, ()))

    def kata(self, slug: str) -> Kata:
        return _get(self.katas, slug, "kata")

    def question(self, slug: str) -> Question:
        return _get(self.questions, slug, "question")


def sources(banks: Iterable[Path] = (), mutants: Iterable[Path] = ()) -> Sources:
    """The bank's own content, then what `--bank` and `--mutants` add. Raises NotFound."""
    folders = tuple(path.resolve() for path in mutants)
    for folder in folders:
        if not folder.is_dir():
            raise NotFound(f"no folder {folder}: --mutants takes a folder that holds <kata>/<mutant>.md")
    return Sources(locate.roots(banks), folders)


def load_bank(where: Sources) -> Bank:
    """Read everything. Problems are collected, not raised."""
    problems: list[Problem] = []
    katas = _read_katas(where, problems)
    mutants = {slug: _read_mutants(kata, where, problems) for slug, kata in katas.items()}
    problems += _orphan_mutants(where)
    questions = _read_questions(where, problems)
    problems += _broken_links(katas, mutants, questions, where)
    return Bank(katas, mutants, questions, tuple(sorted(problems)))


def load_exercise(slug: str, where: Sources) -> Exercise:
    """Read one kata with its mutants. Raises NotFound, or BankError with all of their problems."""
    folders = kata_folders(where)
    if slug not in folders:
        raise not_found(slug, folders, "kata")
    kata = read_kata(folders[slug], where.roots)
    if isinstance(kata, list):
        raise BankError(kata)
    problems: list[Problem] = []
    mutants = _read_mutants(kata, where, problems)
    if problems:
        raise BankError(problems)
    return Exercise(kata, mutants)


def kata_folders(where: Sources) -> dict[str, Path]:
    """Every kata's folder by name; the first root that has it wins."""
    found: dict[str, Path] = {}
    for root in where.roots:
        for path in sorted((root / "katas").glob("*/kata.md")):
            found.setdefault(path.parent.name, path.parent)
    return found


def not_found(name: str, known: Iterable[str], kind: str) -> NotFound:
    near = difflib.get_close_matches(name, list(known), 3, 0.5)
    hint = f"did you mean {' or '.join(near)}?" if near else f"`kata list` shows every {kind}"
    return NotFound(f"no {kind} named {name!r}: {hint}")


def _get(things: Mapping[str, Thing], name: str, kind: str) -> Thing:
    if name not in things:
        raise not_found(name, things, kind)
    return things[name]


def _read_katas(where: Sources, problems: list[Problem]) -> dict[str, Kata]:
    katas: dict[str, Kata] = {}
    for root in where.roots:
        for folder in sorted(path for path in (root / "katas").glob("*") if path.is_dir()):
            if folder.name.startswith(("_", ".")):
                continue
            kata = read_kata(folder, where.roots)
            if isinstance(kata, list):
                problems += kata
            elif folder.name in katas:
                problems.append(_twice(kata.path, "kata", katas[folder.name].path))
            else:
                katas[folder.name] = kata
    return katas


def _read_mutants(kata: Kata, where: Sources, problems: list[Problem]) -> tuple[Mutant, ...]:
    source = kata.source
    found: dict[str, Mutant] = {}
    for folder in where.mutant_folders:
        for path in sorted((folder / kata.slug).glob("*.md")):
            mutant = read_mutant(path, kata.slug, source, kata.subject.suffix)
            if isinstance(mutant, list):
                problems += mutant
            elif mutant.id in found:
                problems.append(_twice(path, "mutant", found[mutant.id].path))
            else:
                found[mutant.id] = mutant
    # Numbered in an order that says nothing: the number of a survivor is all that a candidate is shown.
    return tuple(sorted(found.values(), key=lambda mutant: hashlib.sha256(mutant.id.encode()).digest()))


def _orphan_mutants(where: Sources) -> list[Problem]:
    known = kata_folders(where)
    return [
        Problem(
            folder,
            0,
            f"mutants of an unknown kata {folder.name!r}",
            str(not_found(folder.name, known, "kata")),
        )
        for parent in where.mutant_folders
        for folder in sorted(parent.glob("*"))
        if folder.is_dir() and folder.name not in known
    ]


def _read_questions(where: Sources, problems: list[Problem]) -> dict[str, Question]:
    questions: dict[str, Question] = {}
    for root in where.roots:
        for path in sorted((root / "questions").glob("*/*.md")):
            question = read_question(path)
            if isinstance(question, list):
                problems += question
            elif question.slug in questions:
                problems.append(_twice(path, "question", questions[question.slug].path))
            else:
                questions[question.slug] = question
    return questions


def _twice(path: Path, kind: str, first: Path) -> Problem:
    return Problem(
        path, 0, f"a {kind} named {path.stem!r} stands in {first} already", "rename one: a slug is an id"
    )


def _broken_links(
    katas: dict[str, Kata],
    mutants: dict[str, tuple[Mutant, ...]],
    questions: dict[str, Question],
    where: Sources,
) -> list[Problem]:
    # A target that exists but could not be read is reported for itself, not once more for each link to it.
    kata_names = set(kata_folders(where))
    question_names = {path.stem for root in where.roots for path in (root / "questions").glob("*/*.md")}
    problems = []
    for question in questions.values():
        meta = question.meta
        bugs = {m.id for m in mutants.get(meta.kata, ())}
        bugs |= {p.stem for folder in where.mutant_folders for p in (folder / meta.kata).glob("*.md")}
        links = [("kata", [meta.kata], kata_names, "kata"), ("bugs", meta.bugs, bugs, "mutant")]
        links += [
            ("taught_in", meta.taught_in, kata_names, "kata"),
            ("related", meta.related, question_names, "question"),
        ]
        for key, names, known, kind in links:
            for index, name in enumerate(names):
                if name not in known:
                    line = question.lines.get(f"{key}.{index}") or question.lines[key]
                    what = f"{key} names an unknown {kind} {name!r}"
                    problems.append(Problem(question.path, line, what, str(not_found(name, known, kind))))
    return problems
