"""The verdict for people: a line for each mutant, in 80 columns, without a survivor's name."""

import io

import pytest
from rich.console import Console

from mutakata.judge import Matrix
from mutakata.report import console
from mutakata.report.matrix_table import print_matrix
from tests.report.matrices import EVERY_KIND, matrix, row


def printed(found: Matrix, reveal: bool = False, prices: dict[str, str] | None = None) -> str:
    stream = io.StringIO()
    print_matrix(console._console(stream), found, reveal, prices)
    return stream.getvalue()


def line(text: str, number: int) -> str:
    return next(one for one in text.splitlines() if one.split()[:1] == [str(number)])


def test_each_kind_of_verdict_has_its_line() -> None:
    text = printed(EVERY_KIND, prices={"alive": "kata hint 3: family"})
    assert line(text, 1).split() == ["1", "dead", "scale", "killed", "1", "test_a"]
    assert "ValueError: test_b[1]" in line(text, 2)
    assert line(text, 3).split() == ["3", "-", "-", "survived", "kata", "hint", "3:", "family"]
    assert "timeout" in line(text, 4) and "during test_a; not counted as a kill" in line(text, 4)
    assert "crash" in line(text, 5) and "x * 1 is x" in line(text, 6)


def test_the_score_counts_only_what_failed_an_assertion_or_raised() -> None:
    text = " ".join(printed(EVERY_KIND).split())
    assert "2 of 5 mutants killed | 1 timed out | 1 crashed | 1 equivalent | 1 false kill |" in text


def test_a_false_kill_names_the_test_and_the_likely_reason() -> None:
    text = " ".join(printed(EVERY_KIND).split())
    assert "false kill einsum is correct and fails test_a: a tolerance below rounding" in text
    assert "assert [1] == [2]" in text
    looked = matrix(row("renamed-copy", "faithful", "assertion", "pass"))
    assert "the tests look at the source or the name" in " ".join(printed(looked).split())


def test_no_name_of_what_is_not_dead_without_reveal() -> None:
    for name in ("alive", "slow", "fallen"):
        assert name not in printed(EVERY_KIND) and name in printed(EVERY_KIND, reveal=True)


def test_tests_that_killed_nothing_are_named_unless_the_run_stopped_early() -> None:
    found = (row("dead", "mutant", "assertion", "pass"),)
    assert "killed nothing: test_b[1]" in printed(matrix(*found))
    assert "killed nothing" not in printed(matrix(*found, fail_fast=True))


@pytest.mark.parametrize("length", [10, 60, 200])
def test_a_pipe_gets_plain_lines_of_at_most_80_columns(length: int) -> None:
    long = "m" * length
    text = printed(
        matrix(
            row(long, "mutant", "assertion", "pass", exception="E" * length),
            row("alive", "mutant", "pass", "pass"),
            row("same", "equivalent", "pass", "pass", note="because " * length),
        )
    )
    assert max(map(len, text.splitlines())) <= 80 and "\x1b" not in text
    assert "mmmm" in line(text, 1) and "killed" in line(text, 1) and "EEE" in line(text, 1)
    assert "survived" in line(text, 2) and "because" in line(text, 3)


def test_no_color_is_honoured_in_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    def shown() -> str:
        stream = io.StringIO()
        print_matrix(Console(file=stream, force_terminal=True, width=100), EVERY_KIND)
        return stream.getvalue()

    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    assert "\x1b[32m" in shown() or "\x1b[1;32m" in shown()
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[32m" not in shown() and "\x1b[1;32m" not in shown()
