"""Every question of the bank has all its parts, and its public half gives nothing away. Nothing is judged here."""

import re
from dataclasses import replace
from functools import cache

import pytest

from mutakata.bank import Bank, load_bank, locate, sources
from mutakata.bank.question import Question, WrongAnswer
from mutakata.bank.vocabulary import LEVELS

REPORT = re.compile(r"\b[\w.-]+/[\w.-]+#\d+")
PARTS = ("**Why it tempts.**", "**Why it fails.**", "**Say next.**")


@cache
def bank() -> Bank:
    return load_bank(sources())


QUESTIONS = sorted(bank().questions)
each_question = pytest.mark.parametrize("slug", QUESTIONS)


def public(question: Question) -> str:
    """What a candidate reads."""
    return "\n".join([question.slug, question.title, question.text("Question"), question.text("Candidate")])


def leaks(question: Question) -> list[str]:
    """What in the public half names the defect, or shows the mended line."""
    text = public(question)
    flat = " ".join(re.split(r"[^a-z0-9]+", text.lower()))
    mutants = {mutant.id: mutant for mutant in bank().exercise(question.meta.kata).mutants}
    names = [
        name for bug in question.meta.bugs for name in (bug.replace("-", " "), mutants[bug].title.lower())
    ]
    found = [name for name in names if " ".join(re.split(r"[^a-z0-9]+", name)).strip() in flat]
    lines = {line.strip() for line in question.candidate.text.splitlines()}
    mended = [line.strip() for line in question.reference.text.splitlines() if line.strip() not in lines]
    found += [line for line in mended if len(line) > 20 and line in text]
    return found + REPORT.findall(text) + ["a check"] * ("python check" in text)


def unproved(wrong: WrongAnswer) -> list[str]:
    """Which parts of a wrong answer are missing, or out of order."""
    places = [wrong.text.find(part) for part in PARTS]
    found = [part for part, place in zip(PARTS, places, strict=True) if place < 0]
    if not found and places != sorted(places):
        found.append("the order")
    fences = re.findall(r"```python check\n(.*?)```", wrong.text, re.DOTALL)
    if not any("assert" in fence for fence in fences):
        found.append("a counter-example that asserts")
    return found


def reports(line: str) -> list[str]:
    """owner/repo#1, #2 as owner/repo#1 and owner/repo#2: a number alone belongs to the repository before it."""
    found, repository = [], ""
    for name, number in re.findall(r"([\w.-]+/[\w.-]+)?#(\d+)", line):
        repository = name or repository
        found.append(f"{repository}#{number}")
    return found


def test_the_bank_has_questions_and_all_of_them_can_be_read() -> None:
    assert QUESTIONS
    assert [str(one) for one in bank().problems if "questions" in one.path.parts] == []


@each_question
def test_the_public_half_gives_nothing_away(slug: str) -> None:
    assert leaks(bank().question(slug)) == []


@each_question
def test_it_names_its_defects_and_the_code_differs(slug: str) -> None:
    question = bank().question(slug)
    assert question.meta.bugs
    assert question.candidate.text != question.reference.text
    assert question.candidate.language == question.reference.language
    assert slug not in question.meta.related


@each_question
def test_follow_ups_rise_from_below_the_level_of_the_question_or_at_it(slug: str) -> None:
    question = bank().question(slug)
    levels = [one.level for one in question.follow_ups]
    assert levels == sorted(levels)
    assert levels[0] <= question.meta.level <= levels[-1]
    assert [one.question for one in question.follow_ups if one.question.rstrip()[-1] not in "?."] == []


@each_question
def test_each_wrong_answer_tempts_fails_and_leads_on(slug: str) -> None:
    wrong = bank().question(slug).wrong_answers
    assert {one.sentence: unproved(one) for one in wrong if unproved(one)} == {}


@each_question
def test_every_check_asserts(slug: str) -> None:
    idle = [fence.line for fence in bank().question(slug).checks if "assert" not in fence.text]
    assert idle == []


@each_question
def test_the_short_answer_is_short_and_is_checked(slug: str) -> None:
    question = bank().question(slug)
    short, full = (
        re.sub(r"```.*?```", "", question.text(f"{name} answer"), flags=re.DOTALL)
        for name in ("Short", "Full")
    )
    assert 40 <= len(short.split()) <= 160
    assert len(short.split()) < len(full.split())
    assert all("```python check" in question.text(f"{name} answer") for name in ("Short", "Full"))


@each_question
def test_the_rubric_has_every_level_and_what_separates_them(slug: str) -> None:
    rubric = bank().question(slug).text("Rubric")
    assert re.findall(r"^\| (L\d) \|", rubric, re.MULTILINE) == list(LEVELS)
    assert rubric.count("From L") >= 2 and "warning sign" in rubric.replace("\n", " ")


@each_question
def test_public_reports_that_it_cites_are_in_the_table(slug: str) -> None:
    table = locate.roots(())[0] / "site" / "data" / "bugs.tsv"
    if not table.exists():
        pytest.skip("the table of public defects is not installed")
    known = {report for line in table.read_text(encoding="utf-8").splitlines() for report in reports(line)}
    cited = REPORT.findall("\n".join(bank().question(slug).sections.values()))
    assert cited
    assert [one for one in cited if one not in known] == []


def test_a_leak_is_seen() -> None:
    question = bank().question(QUESTIONS[0])
    bug = question.meta.bugs[0]
    for text in (
        f"Is it {bug.replace('-', ' ')}?",
        "Compare pytorch/pytorch#1.",
        "```python check\nassert True\n```",
    ):
        assert leaks(replace(question, sections=question.sections | {"Question": text}))
    mended = max(
        set(question.reference.text.splitlines()) - set(question.candidate.text.splitlines()), key=len
    )
    assert leaks(replace(question, sections=question.sections | {"Candidate": mended}))


def test_a_wrong_answer_without_one_of_its_parts_is_seen() -> None:
    wrong = bank().question(QUESTIONS[0]).wrong_answers[0]
    assert unproved(wrong) == []
    for part in (*PARTS, "assert"):
        assert unproved(replace(wrong, text=wrong.text.replace(part, "")))
    assert unproved(
        replace(wrong, text=wrong.text.replace(PARTS[0], "x").replace(PARTS[1], PARTS[0]) + PARTS[1])
    )
