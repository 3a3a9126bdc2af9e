"""`kata checkpoint`: exit codes, both formats, and words for every bad input."""

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner, Result

from mutakata.cli import checkpoint

app = typer.Typer()
app.callback()(lambda: None)
checkpoint.register(app)
GOOD = {"model_type": "llama", "rms_norm_eps": 1e-5}


def run(tmp_path: Path, config: Any, *options: str) -> Result:
    path = tmp_path / "config.json"
    path.write_text(config if isinstance(config, str) else json.dumps(config))
    return CliRunner().invoke(app, ["checkpoint", str(path), *options])


def test_a_promise_without_contradiction_exits_0(tmp_path: Path) -> None:
    result = run(tmp_path, GOOD)
    assert result.exit_code == 0
    assert "1e-05" in result.stdout and "absent" in result.stdout and "no contradiction" in result.stdout
    assert "\x1b" not in result.stdout


def test_a_contradiction_exits_1(tmp_path: Path) -> None:
    result = run(tmp_path, GOOD | {"layer_norm_eps": 1e-6})
    assert result.exit_code == 1 and "eps-conflict" in result.stdout


def test_json_has_the_value_and_whether_it_is_absent(tmp_path: Path) -> None:
    result = run(tmp_path, GOOD, "--format", "json")
    found = json.loads(result.stdout)
    facts = {fact["name"]: fact for fact in found["facts"]}
    assert found["format_version"] == 1 and found["family"] == "llama"
    assert facts["eps"]["value"] == 1e-5 and not facts["eps"]["absent"]
    assert facts["tied head"]["absent"] and facts["tied head"]["value"] is None


@pytest.mark.parametrize("config", ["{", "[]", {"model_type": "llama"}, {"model_type": "lama"}, {}])
def test_bad_input_exits_2_and_json_stays_json(tmp_path: Path, config: Any) -> None:
    result = run(tmp_path, config, "--format", "json")
    assert result.exit_code == 2 and result.stderr
    assert json.loads(result.stdout)["problems"]


def test_no_eps_still_shows_what_was_read(tmp_path: Path) -> None:
    result = run(tmp_path, {"model_type": "gemma"})
    assert result.exit_code == 2 and "after_weight" in result.stdout and "no epsilon" in result.stderr


def test_every_problem_is_said_at_once(tmp_path: Path) -> None:
    result = run(tmp_path, {"model_type": "lama", "norm_eps": "x"}, "--weights", str(tmp_path / "none"))
    assert result.exit_code == 2
    assert all(word in result.stderr for word in ("did you mean llama", "not a number", "no such file"))


def test_a_known_relative_is_named_with_family(tmp_path: Path) -> None:
    assert run(tmp_path, GOOD | {"model_type": "my_llama"}, "--family", "llama").exit_code == 0
