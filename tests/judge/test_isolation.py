"""What an implementation may do to its process is its own verdict, and nobody else's."""

import sys
from pathlib import Path

import pytest

from mutakata.judge import Matrix, Options, Row, judge
from tests.banks import body_mutant, tiny_exercise

SUITE = """\
import sys
import numpy as np
from rms_norm import rms_norm


def call():
    return rms_norm(np.ones((2, 3)), 2 * np.ones(3), 1e-6)


def test_one():
    assert abs(call() - 2).max() < 1e-5


def test_two():
    assert call().shape == (2, 3)


def test_three():
    assert np.sqrt(4) == 2 and sys.getrecursionlimit() > 100
"""

BAD = {
    "endless": "while True:\n    pass",
    "aborts": "import os; os.abort()",
    "segfaults": "import ctypes; ctypes.string_at(0)",
    "exits": "import os; os._exit(0)",
    "hogs": "return np.ones(1 << 40)",
    "closes": "import os, sys\nif not sys.stdout.closed:\n    sys.stdout.close(); os.close(1)\nreturn normalised * weight",
    "leaks": "np.sqrt = None; return normalised * weight",
    "forks": "import os\nif os.fork() == 0:\n    import time; time.sleep(60)\nreturn normalised * weight",
    "leaves": "raise SystemExit(0)",
    "interrupts": "raise KeyboardInterrupt",
    "deep": "return rms_norm(x, weight, eps)",
}


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Row]:
    from tests.banks import tiny_bank

    folder = tiny_bank(tmp_path_factory.mktemp("bank"))
    for name, body in BAD.items():
        body_mutant(folder, name, body)
    suite = folder / "test_suite.py"
    suite.write_text(SUITE)
    matrix = judge(tiny_exercise(folder), suite)
    return {row.implementation.id: row for row in matrix.rows}


def outcomes(row: Row) -> dict[str, str]:
    return {cell.test: cell.outcome for cell in row.cells}


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("endless", "timeout"),
        ("aborts", "crash"),
        ("segfaults", "crash"),
        ("exits", "crash"),
        ("hogs", "crash"),
        ("closes", "survived"),
        ("forks", "survived"),
        ("leaks", "killed"),
        ("leaves", "killed"),
        ("deep", "killed"),
    ],
)
def test_each_gives_its_verdict(judged: dict[str, Row], name: str, status: str) -> None:
    assert judged[name].status == status, judged[name].cells


def test_an_interrupt_raised_by_a_mutant_is_no_survival(judged: dict[str, Row]) -> None:
    assert judged["interrupts"].status in ("killed", "crash")


def test_the_others_are_unharmed(judged: dict[str, Row]) -> None:
    assert judged["reference"].accepted and judged["einsum"].accepted and judged["renamed-copy"].accepted
    assert judged["no-weight"].status == "killed"
    assert judged["eps-outside"].status == "survived"


@pytest.mark.parametrize("name", ["endless", "aborts", "exits"])
def test_the_tests_behind_a_lost_one_still_run(judged: dict[str, Row], name: str) -> None:
    lost = "timeout" if name == "endless" else "crash"
    assert outcomes(judged[name]) == {"test_one": lost, "test_two": lost, "test_three": "pass"}


def test_leaked_state_stays_within_its_implementation(judged: dict[str, Row]) -> None:
    assert outcomes(judged["leaks"])["test_three"] == "error"
    assert all(outcomes(judged[name])["test_three"] == "pass" for name in ("einsum", "no-weight", "closes"))


def signature(matrix: Matrix) -> dict[str, list[tuple[str, str]]]:
    return {
        row.implementation.id: sorted((cell.test, cell.outcome) for cell in row.cells) for row in matrix.rows
    }


@pytest.mark.skipif(sys.platform == "win32", reason="needs fork")
def test_forked_and_spawned_workers_agree(bank_folder: Path) -> None:
    for name in ("aborts", "exits", "leaks", "leaves"):
        body_mutant(bank_folder, name, BAD[name])
    exercise = tiny_exercise(bank_folder)
    suite = bank_folder / "test_suite.py"
    suite.write_text(SUITE)
    forked, spawned = (judge(exercise, suite, Options(isolation=how)) for how in ("fork", "spawn"))
    assert signature(forked) == signature(spawned)
