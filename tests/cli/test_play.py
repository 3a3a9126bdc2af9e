"""`kata start`, `hint`, `status`, `reset` and `run` in a workspace, where something is wrong."""

import json
import shutil
from pathlib import Path

import pytest

from tests.banks import SPEC
from tests.cli.test_commands import Kata, kata, start

__all__ = ["kata"]

RECORD = ".kata/progress.json"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--mode", "read"), "write tests, repair, build"),
        (("--mode", "repair", "--mutant", "0"), "they run from 1 to 2"),
        (("--mode", "repair", "--mutant", "3"), "they run from 1 to 2"),
        (("n" * 300,), "name another folder"),
    ],
)
def test_start_refuses_and_writes_nothing(kata: Kata, words: tuple[str, ...], said: str) -> None:
    code, out, err = kata("start", "tiny", *words)
    assert code == 2 and said in err and not out and list(Path.cwd().iterdir()) == []


def test_a_folders_name_is_printed_as_it_is(kata: Kata) -> None:
    name = "my [bold]folder[/x]"
    code, out, _ = kata("start", "tiny", name)
    assert code == 0 and f"{name}/BRIEF.md" in out and f"cd '{name}'" in out and Path(name).is_dir()


def test_the_advice_for_a_damaged_record_works(kata: Kata, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = start(kata, monkeypatch)
    (folder / "test_rms_norm.py").write_text("# mine\n")
    (folder / RECORD).write_text('{"kata": "tiny"}')
    for command in ("run", "hint", "reset", "watch"):
        code, out, err = kata(command)
        assert code == 4 and f"`kata start KATA {folder}`" in err and not out, command
    assert kata("status", bank=False)[0] == 4
    (folder / RECORD).unlink()
    monkeypatch.chdir(folder.parent)
    assert kata("start", "tiny", folder)[0] == 0
    assert (folder / "test_rms_norm.py").read_text() == "# mine\n" and (folder / RECORD).is_file()


def test_a_start_that_cannot_record_is_mended_by_a_second(kata: Kata) -> None:
    folder = Path("tiny")
    folder.mkdir()
    (folder / ".kata").write_text("in the way")
    code, _, err = kata("start", "tiny")
    assert code == 4 and "was not saved" in err
    (folder / ".kata").unlink()
    assert kata("start", "tiny")[0] == 0 and kata("start", "tiny")[0] == 2


def test_a_hint_is_shown_though_it_cannot_be_recorded(kata: Kata, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = start(kata, monkeypatch)
    before = (folder / RECORD).read_bytes()

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("mutakata.workspace.progress.os.fsync", full)
    code, out, err = kata("hint", "1")
    assert code == 4 and "Family" in out and "No space left" in err
    assert (folder / RECORD).read_bytes() == before


def test_hints_name_a_mutant_that_is_there(kata: Kata, monkeypatch: pytest.MonkeyPatch) -> None:
    start(kata, monkeypatch)
    code, _, err = kata("hint", "3")
    assert code == 2 and "they run from 1 to 2" in err


def test_in_repair_the_hint_is_about_the_mutant_that_lies_there(
    kata: Kata, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = start(kata, monkeypatch, "--mode", "repair", "--mutant", "2")
    code, out, _ = kata("hint")
    assert code == 0 and "mutant 2, hint 1 of 4" in out
    assert list(json.loads((folder / RECORD).read_text())["hints"].values()) == [1]


def test_in_build_there_is_nothing_to_hint_at(kata: Kata, monkeypatch: pytest.MonkeyPatch) -> None:
    start(kata, monkeypatch, "--mode", "build")
    code, _, err = kata("hint")
    assert code == 2 and "`build` has none" in err


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("def rms_norm(:\n", 2, "rms_norm.py:1"),
        ("x = 1\n", 2, "defines no rms_norm()"),
        ("import nowhere\n", 2, "No module named 'nowhere'"),
        ("raise SystemExit(0)\n", 2, "ends the interpreter"),
        ("def rms_norm(x, weight, eps):\n    import os; os._exit(0)\n", 1, "the inputs were not tried"),
        ("def rms_norm(x, weight, eps):\n    raise ValueError('[/red]')\n", 1, "[/red]"),
        ("def rms_norm(x, weight, eps):\n    x *= 0\n    return x\n", 1, "edited its input"),
    ],
)
def test_an_implementation_that_cannot_be_right(
    kata: Kata, monkeypatch: pytest.MonkeyPatch, text: str, code: int, words: str
) -> None:
    folder = start(kata, monkeypatch, "--mode", "build")
    (folder / "rms_norm.py").write_text(text)
    found, out, err = kata("run")
    assert found == code and words in " ".join((out + err).split()), out + err


def test_a_missing_file_of_the_workspace(kata: Kata, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = start(kata, monkeypatch)
    (folder / "test_rms_norm.py").unlink()
    code, _, err = kata("run")
    assert code == 2 and "`kata reset` puts the starter back" in err
    assert kata("reset")[0] == 0 and (folder / "test_rms_norm.py").is_file()


def test_what_a_run_showed_is_on_record(
    kata: Kata, monkeypatch: pytest.MonkeyPatch, bank_folder: Path
) -> None:
    folder = start(kata, monkeypatch)
    shutil.copy(bank_folder / "katas/tiny/solution.py", folder / "test_rms_norm.py")
    (folder / "below").mkdir()
    monkeypatch.chdir(folder / "below")
    assert kata("run")[0] == 0
    assert kata("run", "--only", "1")[0] == 0  # a part of the mutants is no attempt
    monkeypatch.chdir(folder.parent)
    _, out, _ = kata("status", bank=False)
    assert out.splitlines()[-1].split()[:6] == ["tiny", "tests", "solved", "2/2", "1", "0"]


def test_a_repaired_mutant_is_solved(kata: Kata, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = start(kata, monkeypatch, "--mode", "repair")
    (folder / "rms_norm.py").write_text(SPEC)
    assert kata("run")[0] == 0 and "solved" in kata("status", bank=False)[1]


def test_status_where_no_workspace_is(kata: Kata) -> None:
    for words in (("status",), ("status", "nowhere")):
        code, _, err = kata(*words, bank=False)
        assert code == 2 and "`kata start KATA` makes one" in err
