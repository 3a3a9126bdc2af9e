"""Who may see what. The views below are all that a template gets; a candidate's hold no protected text."""

import re
from dataclasses import dataclass
from typing import Literal, cast

from mutakata.bank import Bank, Kata, Mutant, Question
from mutakata.site.evidence import Evidence
from mutakata.site.tests_of import TestCase, tests_of

Audience = Literal["candidate", "interviewer"]
AUDIENCES: tuple[Audience, ...] = ("candidate", "interviewer")

# The front matter of a question that names its defect.
PROTECTED_META = ("bugs",)


@dataclass(frozen=True)
class FollowUp:
    level: str
    question: str
    answer: str


@dataclass(frozen=True)
class WrongAnswer:
    sentence: str
    text: str


@dataclass(frozen=True)
class Answers:
    """What an interviewer holds about a question. `code` is the reference alone, without its prose."""

    short: str
    full: str
    reference: str
    code: str
    follow_ups: tuple[FollowUp, ...]
    wrong_answers: tuple[WrongAnswer, ...]
    rubric: str
    bugs: tuple[str, ...]


@dataclass(frozen=True)
class QuestionView:
    """A question. `facts` is its front matter without what is protected; a candidate has no `answers`."""

    slug: str
    facts: dict[str, object]
    question: str
    candidate: str
    code: str
    language: str
    answers: Answers | None

    @property
    def title(self) -> str:
        return str(self.facts["title"])

    @property
    def level(self) -> str:
        return str(self.facts["level"])

    @property
    def topic(self) -> str:
        return str(self.facts["topic"])

    @property
    def kata(self) -> str:
        return str(self.facts["kata"])

    @property
    def roles(self) -> tuple[str, ...]:
        return tuple(cast(list[str], self.facts["roles"]))

    def values(self, facet: str) -> tuple[str, ...]:
        """What the list's filter of this name sees."""
        return self.roles if facet == "role" else (str(self.facts[facet]),)

    @property
    def words(self) -> str:
        """The distinct words of everything this audience reads, for the list's full-text search."""
        parts = [self.title, self.question, self.candidate]
        if self.answers:
            one = self.answers
            parts += [one.short, one.full, one.reference, one.rubric]
            parts += [text for each in one.follow_ups for text in (each.question, each.answer)]
            parts += [text for each in one.wrong_answers for text in (each.sentence, each.text)]
        return " ".join(sorted(set(re.findall(r"\w[\w.-]*\w|\w", " ".join(parts).lower()))))


@dataclass(frozen=True)
class Keys:
    """What an interviewer holds about a kata: its mutants, its solution, and what judging them showed."""

    mutants: tuple[Mutant, ...]
    solution: str
    tests: dict[str, TestCase]
    faithful: tuple[tuple[str, str], ...]
    evidence: Evidence


@dataclass(frozen=True)
class KataView:
    """A kata. `starter_kills` gives mutants by number, as a candidate's own first run would."""

    slug: str
    title: str
    level: str
    minutes: int
    topic: str
    function: str
    needs: tuple[str, ...]
    order: int
    brief: str
    starter: str
    suffix: str
    subject: str
    mutant_count: int
    starter_kills: dict[str, tuple[int, ...]]
    solved: tuple[int, ...]
    not_proved: str
    keys: Keys | None

    @property
    def language(self) -> str:
        """Of the subject, as a highlighter names it."""
        return "cuda" if self.suffix == ".cu" else "python"


def question_view(question: Question, audience: Audience) -> QuestionView:
    hidden = set() if audience == "interviewer" else set(PROTECTED_META)
    facts = {name: value for name, value in question.meta.model_dump().items() if name not in hidden}
    return QuestionView(
        slug=question.slug,
        facts=facts,
        question=question.text("Question"),
        candidate=question.text("Candidate"),
        code=question.candidate.text,
        language=question.candidate.language,
        answers=answers(question, audience),
    )


def answers(question: Question, audience: Audience) -> Answers | None:
    if audience != "interviewer":
        return None
    return Answers(
        short=question.text("Short answer"),
        full=question.text("Full answer"),
        reference=question.text("Reference"),
        code=question.reference.text,
        follow_ups=tuple(FollowUp(one.level, one.question, one.answer) for one in question.follow_ups),
        wrong_answers=tuple(WrongAnswer(one.sentence, one.text) for one in question.wrong_answers),
        rubric=question.text("Rubric"),
        bugs=tuple(question.meta.bugs),
    )


def kata_view(kata: Kata, bank: Bank, evidence: Evidence, audience: Audience) -> KataView:
    exercise = bank.exercise(kata.slug)
    numbers = exercise.numbers
    return KataView(
        slug=kata.slug,
        title=kata.title,
        level=kata.level,
        minutes=kata.minutes,
        topic=kata.topic,
        function=kata.function,
        needs=kata.needs,
        order=kata.order,
        brief=kata.brief,
        starter=kata.starter.read_text(encoding="utf-8"),
        suffix=kata.subject.suffix,
        subject=f"{kata.subject.parent.name}/{kata.subject.name}",
        mutant_count=len(numbers),
        starter_kills={
            test: tuple(sorted(numbers[name] for name in names if name in numbers))
            for test, names in evidence.starter.items()
        },
        solved=tuple(sorted(numbers[name] for name in evidence.killed if name in numbers)),
        not_proved=evidence.not_proved,
        keys=keys(kata, exercise.mutants, evidence, audience),
    )


def keys(kata: Kata, mutants: tuple[Mutant, ...], evidence: Evidence, audience: Audience) -> Keys | None:
    if audience != "interviewer":
        return None
    solution = kata.solution.read_text(encoding="utf-8")
    faithful = tuple((path.stem, path.read_text(encoding="utf-8")) for path in kata.faithful)
    return Keys(mutants, solution, tests_of(solution), faithful, evidence)
