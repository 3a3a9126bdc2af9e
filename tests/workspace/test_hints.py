"""Rungs of help: each says more than the one before, and none says it early."""

from pathlib import Path

from mutakata.workspace.hints import RUNGS, price, rung
from tests.banks import tiny_exercise


def test_each_rung_tells_its_own_and_no_more(bank_folder: Path) -> None:
    exercise = tiny_exercise(bank_folder)
    mutant = exercise.mutant("eps-outside")
    family, symptom, case, diff = (rung(exercise, mutant, taken) for taken in range(4))
    assert "epsilon" in family and mutant.symptom in symptom
    assert "`small`" in case and "near epsilon" in case and "def small" in case
    assert mutant.diff in diff and mutant.why in diff
    for early in (family, symptom, case):
        assert mutant.id not in early and mutant.title not in early and mutant.why not in early
    assert rung(exercise, mutant, 9) == diff


def test_the_price_names_the_next_rung() -> None:
    assert [price(7, taken) for taken in range(5)] == [
        *(f"kata hint 7: {name}" for name in RUNGS),
        "all hints taken",
    ]
