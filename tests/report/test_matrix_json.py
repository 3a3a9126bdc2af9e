"""The verdict for programs: the fields that DESIGN.md promises, of plain values."""

import json
from typing import Any

from mutakata.report.matrix_json import matrix_json
from tests.report.matrices import EVERY_KIND

FOUND: dict[str, Any] = json.loads(json.dumps(matrix_json(EVERY_KIND)))


def test_the_promised_fields_are_there() -> None:
    assert set(FOUND) >= {
        "format_version",
        "kata",
        "suite",
        "score",
        "mutants",
        "faithful",
        "tests",
        "seconds",
    }
    assert (FOUND["format_version"], FOUND["kata"], FOUND["suite"]) == (1, "tiny", "/suites/test_f.py")
    assert all(set(one) >= {"id", "family", "status", "killed_by", "how"} for one in FOUND["mutants"])
    assert all(set(one) >= {"id", "status"} for one in FOUND["faithful"])
    assert all(set(one) >= {"id", "kills"} for one in FOUND["tests"])


def test_the_score_adds_up() -> None:
    score = FOUND["score"]
    assert score == {
        "mutants": 6,
        "killed": 2,
        "survived": 1,
        "timeout": 1,
        "crash": 1,
        "equivalent": 1,
        "not_proved": 0,
        "false_kills": 1,
    }
    assert score["mutants"] == sum(score[name] for name in score if name not in ("mutants", "false_kills"))


def test_every_mutant_has_its_status_and_killers() -> None:
    by_id = {one["id"]: one for one in FOUND["mutants"]}
    assert {name: one["status"] for name, one in by_id.items()} == {
        "dead": "killed",
        "raised": "killed",
        "alive": "survived",
        "slow": "timeout",
        "fallen": "crash",
        "same": "equivalent",
    }
    assert by_id["raised"]["killed_by"] == ["test_b[1]"] and by_id["raised"]["how"] == "ValueError"
    assert by_id["slow"]["killed_by"] == [] and by_id["slow"]["how"] == "timeout"


def test_tests_and_faithful_tell_the_other_side() -> None:
    assert FOUND["tests"] == [{"id": "test_a", "kills": ["dead"]}, {"id": "test_b[1]", "kills": ["raised"]}]
    assert {one["id"]: one["status"] for one in FOUND["faithful"]} == {
        "einsum": "falsely killed",
        "right": "accepted",
    }
