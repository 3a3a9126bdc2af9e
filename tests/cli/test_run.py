"""`kata run` at its edges: what cannot be read, what cannot be scored, and what each format then prints."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.banks import tiny_bank, write_mutant
from tests.cli.test_commands import WEAK, Kata, kata, suite

__all__ = ["kata"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"def test_a():\n  x = (\n", "test_mine.py:2"),
        (b"def test_a(): pass\n\0", "null bytes"),
        (b"# coding: nonsense\ndef test_a(): pass\n", "unknown encoding"),
    ],
)
def test_a_suite_that_python_cannot_read(kata: Kata, content: bytes, words: str) -> None:
    Path("test_mine.py").write_bytes(content)
    code, out, err = kata("run", "tiny", "--suite", "test_mine.py")
    assert code == 2 and words in err and not out and "Traceback" not in err and ":None" not in err


@pytest.mark.parametrize("name", ["none.py", ".", "n" * 300 + ".py", "test_mine.py/below.py"])
def test_a_suite_that_is_no_file(kata: Kata, name: str) -> None:
    suite(WEAK)
    code, out, err = kata("run", "tiny", "--suite", name)
    assert code == 2 and "no file" in err and "name a pytest file" in err and not out


def test_a_suite_that_may_not_be_read(kata: Kata, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    suite(WEAK)
    monkeypatch.setattr(Path, "read_bytes", refused)
    code, out, err = kata("run", "tiny", "--suite", "test_mine.py")
    assert code == 2 and "cannot be read" in err and "Permission denied" in err and not out


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("import pytest\n@pytest.mark.skip\ndef test_a(): assert False\n", 2, "holds no test that ran"),
        ("def check(): assert False\n", 2, "holds no test that ran"),
        ("raise RuntimeError('[/bold] no')\n", 2, "[/bold] no"),
        ("from rms_norm import other\n", 2, "cannot be imported"),
        ("def test_a(missing): pass\n", 3, "fails on the reference: test_a"),
        ("seen = []\ndef test_a(): seen.append(1)\ndef test_b(): assert seen\n", 3, "disagree about test_b"),
    ],
)
def test_a_suite_that_is_not_scored_says_why(kata: Kata, text: str, code: int, words: str) -> None:
    found, out, err = kata("run", "tiny", "--suite", suite(text))
    assert found == code and words in err and not out and "not scored" in err


def test_one_mutant_is_chosen_by_number_or_by_name(kata: Kata) -> None:
    found = [
        json.loads(kata("run", "tiny", "--only", name, "--format", "json")[1])["mutants"]
        for name in ("1", "2", "no-weight")
    ]
    assert [len(one) for one in found] == [1, 1, 1]
    assert [one[0]["number"] for one in found[:2]] == [1, 2]
    assert found[2][0]["id"] == "no-weight" and found[2] in [[one[0]] for one in found]
    code, _, err = kata("run", "tiny", "--only", "3")
    assert code == 2 and "no mutant number 3: they run from 1 to 2" in err


def test_fail_fast_keeps_the_verdict(kata: Kata) -> None:
    code, out, _ = kata("run", "tiny", "--fail-fast", "--format", "json")
    assert code == 0 and json.loads(out)["score"]["killed"] == 2


def test_only_equivalent_mutants_are_no_success(kata: Kata, bank_folder: Path) -> None:
    path = write_mutant(
        bank_folder, "same", "-    return normalised * weight\n+    return weight * normalised"
    )
    path.write_text(path.read_text().replace("seen: []", "seen: []\nequivalent: products commute"))
    code, out, _ = kata("run", "tiny", "--only", "same")
    assert code == 1 and "0 of 0 mutants killed | 1 equivalent" in out


def test_a_kata_with_problems_is_refused_with_its_file(kata: Kata, bank_folder: Path) -> None:
    path = write_mutant(bank_folder, "lost", "-    nothing\n+    something")
    code, _, err = kata("run", "tiny")
    assert code == 2 and str(path) in err and "matches nowhere" in err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("run", "tiny", "--format", "xml"), "xml"),
        (("run", "tiny", "--isolation", "jail"), "write fork or spawn"),
        (("run", "tiny", "--mutants", "nowhere"), "no folder"),
        (("run", "--suite", "test_mine.py"), "which kata?"),
    ],
)
def test_wrong_words_are_wrong_use(kata: Kata, words: tuple[str, ...], said: str) -> None:
    code, out, err = kata(*words)
    assert code == 2 and said in err and not out


def test_in_a_pipe_the_process_prints_plain_text_and_its_exit_code(tmp_path: Path) -> None:
    bank = tiny_bank(tmp_path / "bank")
    (tmp_path / "test_mine.py").write_text("from rms_norm import rms_norm\ndef test_a(): assert rms_norm\n")
    command = [sys.executable, "-c", "from mutakata.cli import main; main()"]
    run = [*command, "run", "tiny", "--suite", "test_mine.py", "--bank", str(bank)]
    env = {**os.environ, "COLUMNS": "200", "TERM": "xterm-256color"}
    done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, env=env, timeout=60)
    assert done.returncode == 1 and done.stderr == "", done.stderr
    assert "\x1b" not in done.stdout and max(map(len, done.stdout.splitlines())) <= 80
    assert "0 of 2 mutants killed" in done.stdout and "next: `kata start tiny`" in done.stdout
    assert "weight" not in done.stdout and "eps" not in done.stdout
