"""The Stryker report keeps the public schema, and points at the mutated lines."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mutakata.bank import Exercise
from mutakata.report.stryker import STATUS, matrix_stryker
from tests.banks import tiny_exercise
from tests.report.matrices import matrix, row

SCHEMA = (
    Path(__file__).parents[2]
    / "site/node_modules/mutation-testing-report-schema/src/mutation-testing-report-schema.json"
)


@pytest.fixture
def exercise(bank_folder: Path) -> Exercise:
    return tiny_exercise(bank_folder)


def validate(report: dict[str, Any]) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    if not SCHEMA.is_file():
        pytest.skip("the schema is not installed: npm ci --prefix site")
    jsonschema.validate(json.loads(json.dumps(report)), json.loads(SCHEMA.read_text()))


OUTCOMES = {"killed": "assertion", "survived": "pass", "timeout": "timeout", "crash": "crash"}


@pytest.mark.parametrize(("status", "outcome"), OUTCOMES.items())
def test_each_verdict_keeps_the_schema(exercise: Exercise, status: str, outcome: str) -> None:
    report = matrix_stryker(matrix(row("no-weight", "mutant", outcome, "pass")), exercise)
    (file,) = report["files"].values()
    (mutant,) = file["mutants"]
    assert mutant["status"] == STATUS[status]
    assert mutant["killedBy"] == (["0"] if status == "killed" else [])
    validate(report)


def test_an_equivalent_mutant_is_ignored_with_its_reason(exercise: Exercise) -> None:
    one = replace(exercise.mutant("no-weight"), equivalent="x * 1 is x")
    exercise = replace(exercise, mutants=(one,))
    report = matrix_stryker(matrix(row("no-weight", "equivalent", "pass", "pass")), exercise)
    (mutant,) = next(iter(report["files"].values()))["mutants"]
    assert (mutant["status"], mutant["statusReason"]) == ("Ignored", "x * 1 is x")
    validate(report)


def test_the_location_is_that_of_the_replaced_lines(exercise: Exercise) -> None:
    rows = [row(mutant.id, "mutant", "pass", "pass") for mutant in exercise.mutants]
    report = matrix_stryker(matrix(*rows), exercise)
    (file,) = report["files"].values()
    lines = file["source"].splitlines()
    assert file["source"] == exercise.kata.source and len(file["mutants"]) == 2
    for found in file["mutants"]:
        start, end = found["location"]["start"]["line"], found["location"]["end"]["line"]
        mutated = [*lines[: start - 1], found["replacement"], *lines[end:]]
        assert "\n".join(mutated).split() == exercise.mutant(found["id"]).source.split()


def test_mutants_left_out_of_a_run_are_left_out_of_its_report(exercise: Exercise) -> None:
    report = matrix_stryker(matrix(row("eps-outside", "mutant", "pass", "pass")), exercise)
    assert [one["id"] for one in next(iter(report["files"].values()))["mutants"]] == ["eps-outside"]
