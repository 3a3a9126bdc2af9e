"""`kata check` and `kata new` as typed: paths, formats, exit codes, and skeletons that are refused."""

import json
from pathlib import Path

import pytest

from tests.bank.test_load import edit
from tests.cli.test_commands import Kata, kata

__all__ = ["kata"]


def test_what_is_right_is_proved_and_counted(kata: Kata, bank_folder: Path) -> None:
    code, out, _ = kata("check", bank_folder / "katas/tiny", "--format", "json")
    found = json.loads(out)
    assert code == 0 and found["problems"] == [] and found["not_proved"] == []
    assert found["proved"]["katas"] == 1 and found["proved"]["mutants"] == 2


@pytest.mark.parametrize("file", ["solution.py", "starter.py", "cases.py", "faithful/einsum.py"])
def test_each_file_of_a_kata_may_be_named(kata: Kata, bank_folder: Path, file: str) -> None:
    code, out, _ = kata("check", bank_folder / "katas/tiny" / file)
    assert code == 0 and "0 problems" in out and "1 katas" in out


def test_a_problem_is_printed_with_file_line_and_what_to_do(kata: Kata, bank_folder: Path) -> None:
    path = bank_folder / "mutants/tiny/eps-outside.md"
    line = edit(path, "survives: [ordinary]", "survives: [small]")
    code, out, _ = kata("check", path)
    assert code == 1 and f"{path}:{line}: survives names 'small'" in out
    assert "it looks right on ordinary" in out and "1 problems" in out


def test_the_matrix_shows_killers_dominators_and_redundant_tests(kata: Kata, bank_folder: Path) -> None:
    _, out, _ = kata("check", bank_folder / "katas/tiny", "--matrix")
    assert "a test_ordinary" in out and "b test_small" in out
    assert "* eps-outside" in out and "redundant tests:" in out


def test_what_was_not_judged_is_no_success(
    kata: Kata, monkeypatch: pytest.MonkeyPatch, bank_folder: Path
) -> None:
    (Path.cwd() / "notes.md").write_text("nothing of the bank\n")
    code, _, err = kata("check", "notes.md")
    assert code == 4 and "nothing was judged" in err
    monkeypatch.setattr("mutakata.check.bank.missing", lambda needs: ["no compiler: install one"])
    code, out, err = kata("check", bank_folder / "katas/tiny")
    assert code == 4 and "not proved here tiny: no compiler" in out and "nothing was judged" in err


def test_a_path_that_is_not_there(kata: Kata) -> None:
    code, _, err = kata("check", "nowhere")
    assert code == 2 and "no file or folder nowhere" in err


@pytest.mark.parametrize(
    ("kind", "name", "file", "missing"),
    [
        ("mutant", "tiny/mine", "mutants/tiny/mine.md", ["family is 'TODO'", "matches nowhere", "`## Symptom` is empty", "`## Why` is empty"]),
        ("kata", "mine", "katas/mine/kata.md", ["level is 'TODO'", "topic is 'TODO'", "the brief is empty"]),
        ("question", "norm/mine", "questions/norm/mine.md", ["level is 'TODO'", "format is 'TODO'", "`## Question` is empty", "`## Rubric` is empty"]),
    ],
)  # fmt: skip
def test_a_skeleton_is_refused_with_what_is_missing_and_never_written_over(
    kata: Kata, bank_folder: Path, kind: str, name: str, file: str, missing: list[str]
) -> None:
    path = bank_folder / file
    code, out, _ = kata("new", kind, name, "--into", bank_folder, bank=False)
    assert code == 0 and f"wrote {path}" in out and f"kata check {path.parent} --bank {bank_folder}" in out
    code, out, _ = kata("check", path)
    assert code == 1 and [words for words in missing if words not in out] == [], out
    path.write_text("mine")
    code, _, err = kata("new", kind, name, "--into", bank_folder, bank=False)
    assert code == 2 and "exists already" in err and path.read_text() == "mine"


@pytest.mark.parametrize(
    ("kind", "name", "words"),
    [
        ("mutant", "mine", "new mutant KATA/MUTANT"),
        ("kata", "a/b", "new kata KATA"),
        ("poem", "mine", "new kata KATA"),
        ("mutant", "../mine", "'..' is no slug"),
        ("kata", "", "'' is no slug"),
        ("question", "norm/My Question", "'My Question' is no slug"),
        ("mutant", f"tiny/{'n' * 300}", "cannot write"),
    ],
)
def test_a_name_that_cannot_be_is_refused(kata: Kata, kind: str, name: str, words: str) -> None:
    code, _, err = kata("new", kind, name, bank=False)
    assert code == 2 and words in err and not list(Path.cwd().rglob("*.md"))


def test_a_place_that_cannot_be_written_to_is_refused(kata: Kata) -> None:
    Path("file").write_text("mine")
    code, _, err = kata("new", "kata", "mine", "--into", "file", bank=False)
    assert code == 2 and "cannot write below file: Not a directory" in err
