"""The bank proves itself: every kata, with its mutants, suites and questions, as `kata check` does."""

import pytest

from mutakata.backends.needs import missing, prepare
from mutakata.bank import load_bank, sources
from mutakata.check.bank import check_exercise
from mutakata.check.finding import Findings

BANK = load_bank(sources())


@pytest.mark.parametrize("slug", sorted(BANK.katas, key=lambda slug: BANK.katas[slug].order))
def test_what_its_author_claims_holds(slug: str) -> None:
    exercise = BANK.exercise(slug)
    lacks = missing(exercise.kata.needs)
    if lacks:
        pytest.skip(f"not proved here: {'; '.join(lacks)}")
    prepare(exercise.kata.needs)
    findings = Findings()
    questions = [one for one in BANK.questions.values() if one.meta.kata == slug]
    check_exercise(exercise, questions, findings)
    assert [str(problem) for problem in findings] == []
    assert findings.proved["mutants"] == len(exercise.mutants) > 0
