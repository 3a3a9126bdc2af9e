"""The command as a candidate types it: exit codes, words, and work that is never lost."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
import typer

from mutakata.cli import COMMANDS, assemble, main

Kata = Callable[..., tuple[int, str, str]]


@pytest.fixture
def kata(
    bank_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Kata:
    """Run the command on the small bank, in an empty folder; returns exit code, output, errors."""
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)

    def run(*words: object, bank: bool = True) -> tuple[int, str, str]:
        extra = ["--bank", str(bank_folder)] if bank else []
        monkeypatch.setattr(sys, "argv", ["kata", *map(str, words), *extra])
        with pytest.raises(SystemExit) as ended:
            main()
        said = capsys.readouterr()
        return int(ended.value.code or 0), said.out, said.err

    return run


def suite(text: str) -> Path:
    path = Path("test_mine.py")
    path.write_text("import numpy as np\nfrom rms_norm import rms_norm\n\n" + text)
    return path


WEAK = "def test_shape(): assert rms_norm(np.ones((2, 3)), np.ones(3), 1e-6).shape == (2, 3)\n"
BITS = """def test_bits():
    x = np.random.default_rng(0).standard_normal((50, 7))
    assert (rms_norm(x, np.ones(7), 1e-6) == x / np.sqrt(np.mean(x * x, axis=-1, keepdims=True) + 1e-6)).all()
"""


def test_the_solution_is_clean_and_its_json_names_every_mutant(kata: Kata) -> None:
    code, out, _ = kata("run", "tiny", "--format", "json")
    found = json.loads(out)
    assert code == 0
    assert found["score"] | {"killed": 2, "survived": 0, "false_kills": 0} == found["score"]
    assert {one["id"]: one["status"] for one in found["mutants"]} == {
        "no-weight": "killed",
        "eps-outside": "killed",
    }
    assert all(one["killed_by"] for one in found["mutants"])
    assert {one["status"] for one in found["faithful"]} == {"accepted"}


def test_survivors_are_numbers_until_revealed(kata: Kata) -> None:
    code, out, _ = kata("run", "tiny", "--suite", suite(WEAK))
    assert code == 1 and "0 of 2 mutants killed" in out
    assert "no-weight" not in out and "killed nothing: test_shape" in out
    assert "no-weight" in kata("run", "tiny", "--suite", "test_mine.py", "--reveal")[1]
    assert max(map(len, out.splitlines())) <= 80 and "\x1b" not in out


def test_a_tolerance_below_rounding_is_told_of_its_false_kill(kata: Kata) -> None:
    code, out, _ = kata("run", "tiny", "--suite", suite(BITS))
    assert (
        code == 1 and "false kill einsum is correct" in out and "below rounding" in re.sub(r"\s+", " ", out)
    )


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("def test_no(): assert False\n", 3, "fails on the reference: test_no"),
        ("", 2, "holds no test"),
        ("def test_(:\n", 2, "test_mine.py:4"),
        ("import nowhere\n", 2, "cannot be imported"),
    ],
)
def test_a_suite_that_cannot_be_scored(kata: Kata, text: str, code: int, words: str) -> None:
    found, _, err = kata("run", "tiny", "--suite", suite(text))
    assert found == code and words in err


def test_wrong_use(kata: Kata) -> None:
    assert kata("run")[0] == 2
    code, _, err = kata("run", "tinny")
    assert code == 2 and "did you mean tiny" in err
    code, _, err = kata("run", "tiny", "--suite", "none.py")
    assert code == 2 and "no file none.py" in err
    code, _, err = kata("run", "tiny", "--only", "no-weigh")
    assert code == 2 and "did you mean no-weight" in err


def test_a_missing_backend_is_not_proved_here(kata: Kata, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mutakata.backends.needs.missing", lambda needs: ["no compiler: install one"])
    code, out, err = kata("run", "tiny")
    assert code == 4 and "2 mutants not proved here" in err and "install one" in err and not out


def test_junit_counts_what_was_not_killed(kata: Kata) -> None:
    import xml.etree.ElementTree as ET

    _, out, _ = kata("run", "tiny", "--suite", suite(WEAK), "--format", "junit")
    found = ET.fromstring(out.partition("?>")[2]).find("testsuite")
    assert found is not None and found.get("failures") == "2"


def test_the_stryker_report_keeps_the_public_schema(kata: Kata) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schemas = (
        Path(__file__).parents[2].glob("site/node_modules/mutation-testing-report-schema/**/*schema.json")
    )
    schema = next(schemas, None)
    if schema is None:
        pytest.skip("mutation-testing-report-schema is not installed: npm ci --prefix site")
    code, out, _ = kata("run", "tiny", "--format", "stryker")
    jsonschema.validate(json.loads(out), json.loads(schema.read_text()))
    assert code == 0 and '"Killed"' in out


def start(kata: Kata, monkeypatch: pytest.MonkeyPatch, *words: str) -> Path:
    code, _, err = kata("start", "tiny", *words)
    assert code == 0, err
    folder = next(path for path in Path.cwd().iterdir() if path.is_dir())
    monkeypatch.chdir(folder)
    return folder


def test_a_workspace_needs_no_name_and_runs_under_plain_pytest(
    kata: Kata, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = start(kata, monkeypatch)
    plain = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    assert subprocess.run(plain, cwd=folder, capture_output=True).returncode == 0
    code, out, _ = kata("run")
    assert code == 1 and "next: write a test that kills mutant 1, or `kata hint 1`" in out
    assert "0/2" in kata("status", bank=False)[1]


def test_a_workspace_gives_nothing_away(kata: Kata, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = start(kata, monkeypatch)
    text = "".join(path.read_text() for path in folder.rglob("*") if path.is_file())
    assert "eps-outside" not in text and "np.sqrt(mean_square) + eps" not in text and "def exact" not in text


def test_start_never_writes_over_work(kata: Kata, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = start(kata, monkeypatch)
    mine = folder / "test_rms_norm.py"
    mine.write_text("# mine\n")
    monkeypatch.chdir(folder.parent)
    code, _, err = kata("start", "tiny")
    assert code == 2 and "holds" in err and mine.read_text() == "# mine\n"


def test_reset_keeps_what_was_written(kata: Kata, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = start(kata, monkeypatch)
    (folder / "test_rms_norm.py").write_text("# mine\n")
    assert kata("reset")[0] == 0
    assert (folder / "test_rms_norm.py.kept-1").read_text() == "# mine\n"
    assert "def test_shape" in (folder / "test_rms_norm.py").read_text()


def test_hints_climb_and_are_recorded(kata: Kata, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = start(kata, monkeypatch)
    assert kata("hint")[0] == 2  # nothing was run yet
    kata("run")
    rungs = [kata("hint", "1")[1] for _ in range(5)]
    assert [re.search(r"hint (\d) of 4", rung)[1] for rung in rungs] == ["1", "2", "3", "4", "4"]  # type: ignore[index]
    assert "Family" in rungs[0] and "would notice" in rungs[1] and "def " in rungs[2] and "return" in rungs[3]
    record = json.loads((folder / ".kata/progress.json").read_text())
    assert list(record["hints"].values()) == [4]


@pytest.mark.parametrize("mode", ["repair", "build"])
def test_an_implementation_is_judged(
    kata: Kata, monkeypatch: pytest.MonkeyPatch, bank_folder: Path, mode: str
) -> None:
    folder = start(kata, monkeypatch, "--mode", mode)
    assert kata("run")[0] == 1
    (folder / "rms_norm.py").write_text((bank_folder / "reference/tiny/spec.py").read_text())
    code, out, _ = kata("run")
    assert code == 0 and "2 of 2 inputs right" in out


def test_a_full_disk_costs_neither_the_verdict_nor_the_record(
    kata: Kata, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = start(kata, monkeypatch)
    before = (folder / ".kata/progress.json").read_text()

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("mutakata.workspace.progress.os.fsync", full)
    code, out, err = kata("run")
    assert code == 4 and "0 of 2 mutants killed" in out and "No space left" in err
    assert (folder / ".kata/progress.json").read_text() == before
    assert [path.name for path in (folder / ".kata").iterdir()] == ["progress.json"]


def test_a_damaged_record_says_what_to_do(kata: Kata, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = start(kata, monkeypatch)
    (folder / ".kata/progress.json").write_text("{")
    code, _, err = kata("run")
    assert code == 4 and "damaged" in err and "delete it" in err


def test_list_filters_and_suggests(kata: Kata) -> None:
    assert "tiny" in kata("list", "katas", "--level", "L1")[1]
    assert "tiny" not in kata("list", "katas", "--level", "L2")[1]
    code, _, err = kata("list", "--level", "L9")
    assert code == 2 and "L1, L2" in err


def test_show_hides_the_answers(kata: Kata) -> None:
    name = "last-norm-before-the-head"
    assert "shift" not in kata("show", name)[1].lower().replace("shifts", "")
    assert "Short answer" in kata("show", name, "--answer")[1]


def test_doctor_says_what_is_missing(kata: Kata, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mutakata.backends.needs._importable", lambda name: False)
    nothing = SimpleNamespace(util=SimpleNamespace(find_spec=lambda name: None))
    monkeypatch.setattr("mutakata.backends.triton.interpreter.importlib", nothing)
    monkeypatch.setattr("mutakata.backends.needs.shutil.which", lambda name: None)
    code, out, _ = kata("doctor")
    assert code == 0 and "pip install 'mutakata[triton]'" in out and "apt-get install g++" in out


def test_without_a_gpu_nothing_is_called_proved_on_one(kata: Kata, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_driver(name: str) -> None:
        raise OSError(name)

    monkeypatch.setattr("mutakata.backends.needs.ctypes.CDLL", no_driver)
    monkeypatch.setenv("MUTAKATA_DEVICE", "cpu")  # `run` sets it; monkeypatch puts back what was there
    code, out, said = kata("run", "softmax_cuda", "--device", "cuda")
    assert code == 4 and not out
    assert "mutants not proved here" in said and "no GPU" in said
    code, _, said = kata("run", "softmax_cuda", "--device", "gpu")
    assert code == 2 and "write cpu or cuda" in said


def test_every_command_is_found_in_its_module() -> None:
    whole = typer.main.get_command(assemble())
    assert isinstance(whole, typer.core.TyperGroup)
    assert whole.commands.keys() == COMMANDS.keys()
    for name in COMMANDS:
        part = typer.main.get_command(assemble(name))
        assert isinstance(part, typer.core.TyperGroup)
        assert name in part.commands
