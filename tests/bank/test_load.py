"""Whatever is wrong with content is found, in one run, with file and line."""

from collections.abc import Callable
from pathlib import Path

import pytest

from mutakata.bank import BankError, NotFound, Problem, Sources, load_bank, load_exercise, sources
from tests.banks import write_mutant

QUESTION = """\
---
title: A question
level: L2
format: debugging
minutes: 10
round: technical
skill: reading
roles: [ml-library]
topic: norm
kata: tiny
bugs: [no-weight]
taught_in: [tiny]
related: []
---
## Question

What is wrong?

## Candidate

```python
def rms_norm(x, weight, eps):
    return x
```

## Short answer

This.

## Full answer

That.

## Reference

```python
def rms_norm(x, weight, eps):
    return x
```

## Follow-ups

### L2: One?

Yes.

### L3: Two?

Yes.

### L4: Three?

Yes.

## Wrong answers

### "First"

```python check
assert True
```

### "Second"

```python check
assert True
```

### "Third"

```python check
assert True
```

## Rubric

- Sees it.
"""


def write_question(root: Path, text: str = QUESTION, name: str = "norm/a-question") -> Path:
    path = root / "questions" / f"{name}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def problems(root: Path) -> list[Problem]:
    return list(load_bank(Sources((root,))).problems)


def edit(path: Path, old: str, new: str) -> int:
    """Replace once; returns the line, from 1, at which the old text stood."""
    text = path.read_text()
    assert text.count(old) >= 1
    path.write_text(text.replace(old, new, 1))
    return text[: text.index(old)].count("\n") + 1


def test_a_whole_bank_has_no_problems(bank_folder: Path) -> None:
    write_question(bank_folder)
    bank = load_bank(Sources((bank_folder,)))
    assert bank.problems == ()
    assert list(bank.katas) == ["tiny"]
    assert {mutant.id for mutant in bank.mutants["tiny"]} == {"eps-outside", "no-weight"}
    assert bank.question("a-question").follow_ups[1].level == "L3"


MUTANT = "mutants/tiny/no-weight.md"
KATA = "katas/tiny/kata.md"
ASKED = "questions/norm/a-question.md"


@pytest.mark.parametrize(
    ("file", "old", "new", "words"),
    [
        (MUTANT, "family: scale", "family: scala", "family is 'scala'"),
        (MUTANT, "seen: []", "seen: [nowhere]", "owner/repo#number"),
        (MUTANT, "seen: []", "sean: []", "did you mean 'seen'?"),
        (MUTANT, "killed_by:", "killed:", "killed_by is missing"),
        (MUTANT, "## Symptom", "## Symptoms", "unknown section"),
        (MUTANT, "What a user would notice.", "", "`## Symptom` is empty"),
        (MUTANT, "# no-weight", "", "no title"),
        (MUTANT, "-    return normalised * weight", "-    return normalised * gain", "matches nowhere"),
        (MUTANT, "+    return normalised", "+    return normalised)", "does not parse"),
        (MUTANT, "```diff", "```text", "0 diff blocks"),
        (KATA, "level: L1", "level: L9", "level is 'L9'"),
        (KATA, "minutes: 5", "minutes: five", "minutes is 'five'"),
        (KATA, "subject: tiny/spec.py", "subject: tiny/specs.py", "is not in reference/"),
        (KATA, "The brief.", "", "the brief is empty"),
        (ASKED, "kata: tiny", "kata: tinny", "did you mean tiny?"),
        (ASKED, "bugs: [no-weight]", "bugs: [no-weights]", "unknown mutant 'no-weights'"),
        (ASKED, "taught_in: [tiny]", "taught_in: [huge]", "unknown kata 'huge'"),
        (ASKED, "related: []", "related: [other]", "unknown question 'other'"),
        (ASKED, "topic: norm", "topic: rope", "the folder is 'norm'"),
        (ASKED, "roles: [ml-library]", "roles: [wizard]", "roles is"),
        (ASKED, "### L3: Two?", "### Two?", "follow-up without a level"),
        (ASKED, "### L4: Three?\n\nYes.", "", "2 entries in `## Follow-ups`"),
        (ASKED, "```python check", "```python", "no counter-example"),
        (ASKED, "## Rubric", "## Rubrik", "`## Rubric` is missing"),
    ],
)
def test_each_kind_of_defect_is_found_with_its_file(
    bank_folder: Path, file: str, old: str, new: str, words: str
) -> None:
    write_question(bank_folder)
    edit(bank_folder / file, old, new)
    found = [one for one in problems(bank_folder) if one.path == bank_folder / file]
    assert any(words in f"{one.what} {one.fix}" for one in found), [str(one) for one in found]
    assert all(one.fix for one in found)


def test_a_problem_names_the_line_of_its_key(bank_folder: Path) -> None:
    line = edit(bank_folder / MUTANT, "family: scale", "family: scala")
    assert [one.line for one in problems(bank_folder)] == [line]


def test_a_diff_that_fits_twice_names_the_line_of_the_diff(bank_folder: Path) -> None:
    spec = bank_folder / "reference/tiny/spec.py"
    spec.write_text(spec.read_text() + "\n\ndef other(normalised, weight):\n    return normalised * weight\n")
    (found,) = problems(bank_folder)
    assert "matches 2 places" in found.what
    text = (bank_folder / MUTANT).read_text().splitlines()
    assert text[found.line - 1] == "-    return normalised * weight"


def test_problems_of_all_files_come_in_one_run(bank_folder: Path) -> None:
    write_question(bank_folder)
    edit(bank_folder / MUTANT, "family: scale", "family: scala")
    edit(bank_folder / "mutants/tiny/eps-outside.md", "## Why", "## Because")
    edit(bank_folder / ASKED, "level: L2", "level: two")
    assert {one.path.name for one in problems(bank_folder)} == {
        "no-weight.md",
        "eps-outside.md",
        "a-question.md",
    }


@pytest.mark.parametrize("file", ["starter.py", "solution.py", "cases.py"])
def test_a_kata_without_one_of_its_files_is_refused(bank_folder: Path, file: str) -> None:
    (bank_folder / "katas/tiny" / file).unlink()
    assert [one.path.name for one in problems(bank_folder)] == [file]


def test_mutants_of_no_kata_are_reported(bank_folder: Path) -> None:
    (bank_folder / "mutants/tine").mkdir()
    (found,) = problems(bank_folder)
    assert "unknown kata 'tine'" in found.what and "did you mean tiny" in found.fix


def _second_mutant(root: Path) -> tuple[Sources, str]:
    more = root.parent / "more"
    (more / "tiny").mkdir(parents=True)
    (more / "tiny/no-weight.md").write_text((root / MUTANT).read_text())
    return Sources((root,), (more,)), "mutant"


def _second_kata(root: Path) -> tuple[Sources, str]:
    other = root.parent / "other"
    for path in (root / "katas").rglob("*"):
        if path.is_file():
            copy = other / "katas" / path.relative_to(root / "katas")
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(path.read_text())
    return Sources((root, other)), "kata"


def _second_question(root: Path) -> tuple[Sources, str]:
    write_question(root)
    write_question(root, QUESTION.replace("topic: norm", "topic: rope"), "rope/a-question")
    return Sources((root,)), "question"


@pytest.mark.parametrize("build", [_second_mutant, _second_kata, _second_question])
def test_a_slug_used_twice_names_both_places(
    bank_folder: Path, build: Callable[[Path], tuple[Sources, str]]
) -> None:
    where, kind = build(bank_folder)
    twice = [one for one in load_bank(where).problems if "already" in one.what]
    assert len(twice) == 1 and twice[0].what.startswith(f"a {kind} named")


def test_content_from_elsewhere_is_checked_alike(bank_folder: Path, tmp_path: Path) -> None:
    more = tmp_path / "more"
    write_mutant(tmp_path, "bad", "-    nothing\n+    something", family="nonsense")
    (tmp_path / "mutants").rename(more)
    found = load_bank(Sources((bank_folder,), (more,))).problems
    assert {one.path.name for one in found} == {"bad.md"} and len(found) == 2


def test_an_exercise_with_problems_is_not_loaded(bank_folder: Path) -> None:
    edit(bank_folder / MUTANT, "family: scale", "family: scala")
    with pytest.raises(BankError, match=r"no-weight\.md"):
        load_exercise("tiny", Sources((bank_folder,)))


def test_an_unknown_kata_suggests_the_nearest() -> None:
    with pytest.raises(NotFound, match="did you mean rms_norm"):
        load_exercise("rms_nrom", sources())


def test_folders_without_content_are_refused(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="holds no content"):
        sources([tmp_path])
    with pytest.raises(NotFound, match="no folder"):
        sources(mutants=[tmp_path / "none"])


def test_numbers_do_not_follow_the_names(bank_folder: Path) -> None:
    numbers = load_exercise("rms_norm", sources()).numbers
    assert sorted(numbers.values()) == list(range(1, len(numbers) + 1))
    assert list(numbers) != sorted(numbers)


def test_the_bank_itself_can_be_read() -> None:
    assert [str(one) for one in load_bank(sources()).problems] == []
