"""`kata list` and `kata show`: filters that combine, and answers only where they are asked for."""

import re
from pathlib import Path

import pytest

from tests.bank.test_load import write_question
from tests.cli.test_commands import Kata, kata

__all__ = ["kata"]

FITS = ("--level", "L2", "--role", "ml-library", "--format", "debugging", "--minutes", "10", "--kata", "tiny")


def test_filters_combine_on_questions(kata: Kata, bank_folder: Path) -> None:
    write_question(bank_folder)
    code, out, _ = kata("list", "questions", *FITS)
    assert code == 0 and [line.split()[0] for line in out.splitlines()[1:]] == ["a-question"]
    for name, value in (("--level", "L5"), ("--minutes", "9"), ("--topic", "softmax")):
        code, out, err = kata("list", "questions", *FITS[2:] if name == "--level" else FITS, name, value)
        assert code == 1 and "drop a filter" in err and not out, name


def test_levels_may_be_given_more_than_once(kata: Kata, bank_folder: Path) -> None:
    write_question(bank_folder)
    _, out, _ = kata("list", "--level", "L1", "--level", "L2")
    assert re.search(r"^tiny ", out, re.M) and re.search(r"^a-question ", out, re.M)


@pytest.mark.parametrize("flag", ["--level", "--role", "--format", "--topic"])
def test_a_filter_that_nothing_can_fit_names_the_choices(kata: Kata, flag: str) -> None:
    code, out, err = kata("list", flag, "nonsense")
    assert code == 2 and "no " + flag.strip("-") in err and ", " in err and not out


def test_a_list_of_something_else(kata: Kata) -> None:
    code, _, err = kata("list", "bugs")
    assert code == 2 and "katas, questions or all" in err


def test_a_question_is_shown_without_and_with_its_answers(kata: Kata, bank_folder: Path) -> None:
    write_question(bank_folder)
    code, asked, _ = kata("show", "a-question")
    assert code == 0 and "What is wrong?" in asked and "--answer" in asked
    for protected in ("This.", "That.", "One?", "First", "Sees it."):
        assert protected not in asked and protected in kata("show", "a-question", "--answer")[1]


def test_a_kata_is_shown_without_and_with_its_mutants(kata: Kata) -> None:
    code, brief, _ = kata("show", "tiny")
    assert code == 0 and "The brief." in brief and "no-weight" not in brief and "def exact" not in brief
    _, whole, _ = kata("show", "tiny", "--answer")
    assert "no-weight" in whole and "def exact" in whole and "return normalised" in whole


def test_an_unknown_name_suggests_the_nearest(kata: Kata) -> None:
    code, out, err = kata("show", "tinny")
    assert code == 2 and "did you mean tiny" in err and not out
