"""`kata check`: the small bank is proved, and one broken thing of each kind is found with its file."""

from pathlib import Path

import pytest

from mutakata.bank import Sources, load_bank
from mutakata.check.bank import check_bank
from tests.bank.test_load import edit, write_question
from tests.banks import SPEC, write_mutant


@pytest.fixture
def folder(bank_folder: Path) -> Path:
    question = write_question(bank_folder)
    text = question.read_text()
    head, middle, tail = text.split("def rms_norm(x, weight, eps):\n    return x")
    right = SPEC.strip()
    wrong = right.replace("return normalised * weight", "return normalised")
    question.write_text(head + wrong + middle + right + tail)
    return bank_folder


def found(folder: Path) -> list[str]:
    return [f"{one.path.name}:{one.line} {one.what}" for one in check_bank(load_bank(Sources((folder,))))]


def test_what_is_right_is_proved(folder: Path) -> None:
    findings = check_bank(load_bank(Sources((folder,))))
    assert [str(one) for one in findings] == []
    assert findings.proved == {
        "correct implementations": 2,
        "mutants": 2,
        "questions": 1,
        "checks in prose": 3,
        "katas": 1,
    }


MUTANT = "mutants/tiny/eps-outside.md"
ASKED = "questions/norm/a-question.md"
KATA = "katas/tiny"


@pytest.mark.parametrize(
    ("file", "old", "new", "words"),
    [
        (MUTANT, "survives: [ordinary]", "survives: [small]", "eps-outside.md:4 survives names 'small'"),
        (
            MUTANT,
            "killed_by: [small]",
            "killed_by: [ordinary]",
            "eps-outside.md:3 killed_by names 'ordinary'",
        ),
        (MUTANT, "killed_by: [small]", "killed_by: [none]", "unknown input 'none'"),
        (MUTANT, "seen: []", "seen: []\nequivalent: it is not", "is called equivalent"),
        (
            f"{KATA}/solution.py",
            "def test_small",
            "def small",
            "eps-outside.md:0 the solution does not kill it",
        ),
        (f"{KATA}/solution.py", "rtol=1e-12", "rtol=0", "rejects the correct einsum"),
        (
            f"{KATA}/solution.py",
            "def test_small",
            "def test_idle(): pass\n\ndef test_small",
            "test_idle is the only",
        ),
        (f"{KATA}/cases.py", '"""Rows near unit variance."""', "", "input 'ordinary' has no reason"),
        (f"{KATA}/faithful/einsum.py", "* weight", "* weight * weight", "einsum.py:0 on input 'ordinary'"),
        (f"{KATA}/starter.py", "== (2, 3)", "== (2, 4)", "starter.py:0 cannot be scored"),
        (ASKED, "return normalised\n", "return normalised * weight\n", "the candidate is not killed"),
        (ASKED, "bugs: [no-weight]", "bugs: [eps-outside]", "fails no test that kills eps-outside"),
        (ASKED, "return normalised * weight", "return normalised", "the reference fails"),
    ],
)
def test_one_broken_thing_of_each_kind(folder: Path, file: str, old: str, new: str, words: str) -> None:
    edit(folder / file, old, new)
    assert any(words in one for one in found(folder)), found(folder)


def test_a_false_number_in_prose_is_found_at_its_line(folder: Path) -> None:
    line = edit(folder / ASKED, "assert True", "assert 1 + 1 == 3")
    assert any(one.startswith(f"a-question.md:{line} the check fails") for one in found(folder))


def test_two_mutants_alike_are_found(folder: Path) -> None:
    write_mutant(folder, "weightless", "-    return normalised * weight\n+    return 1 * normalised")
    assert any("cannot be told from" in one for one in found(folder))


def test_a_starter_that_leaves_nothing_is_refused(folder: Path) -> None:
    (folder / KATA / "starter.py").write_text((folder / KATA / "solution.py").read_text())
    assert any("the starter kills everything" in one for one in found(folder))


def test_skeletons_are_refused_with_a_list(bank_folder: Path) -> None:
    from mutakata.check.skeleton import SkeletonError, write_skeleton

    for kind, name in (("mutant", "tiny/mine"), ("kata", "mine"), ("question", "norm/mine")):
        write_skeleton(kind, name, bank_folder)
        with pytest.raises(SkeletonError, match="exists already"):
            write_skeleton(kind, name, bank_folder)
    problems = load_bank(Sources((bank_folder,))).problems
    for name in ("tiny/mine.md", "mine/kata.md", "norm/mine.md"):
        assert sum(str(one.path).endswith(name) for one in problems) >= 3, name
