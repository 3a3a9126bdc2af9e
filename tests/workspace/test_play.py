"""Repair and build: an implementation is right or not, and one that hangs or exits harms nothing."""

import sys
from pathlib import Path

import pytest

from mutakata.judge import run as judging
from mutakata.workspace.play import Played, play
from tests.banks import SPEC, tiny_exercise

BODY = "    normalised = x / np.sqrt(mean_square + eps)\n    return normalised * weight\n"


def played(bank_folder: Path, text: str) -> Played:
    path = bank_folder.parent / "rms_norm.py"
    path.write_text(text)
    return play(tiny_exercise(bank_folder), path)


def test_the_reference_is_right(bank_folder: Path) -> None:
    found = played(bank_folder, SPEC)
    assert found.right and [name for name, _, _ in found.cases] == ["ordinary", "small"]


def test_a_wrong_one_says_on_which_inputs(bank_folder: Path) -> None:
    found = played(bank_folder, SPEC.replace(BODY, "    return x / (np.sqrt(mean_square) + eps) * weight\n"))
    assert not found.right
    assert {name: verdict.right for name, _, verdict in found.cases} == {"ordinary": True, "small": False}


@pytest.mark.parametrize(
    "body",
    ["    import os\n    os._exit(0)\n", "    import os, signal\n    os.kill(os.getpid(), signal.SIGSEGV)\n"],
)
def test_one_that_ends_the_interpreter_is_not_right(bank_folder: Path, body: str) -> None:
    found = played(bank_folder, SPEC.replace(BODY, body))
    assert not found.right and found.cases == () and found.row.status == "crash"


def test_one_that_never_ends_is_not_right(bank_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limits = judging.Limits
    monkeypatch.setattr(judging, "Limits", lambda test, collection: limits(min(test, 0.5), collection))
    found = played(bank_folder, SPEC.replace(BODY, "    while True: pass\n"))
    assert not found.right and found.cases == () and found.row.status == "timeout"


def test_an_exit_at_import_is_an_error(bank_folder: Path) -> None:
    with pytest.raises(RuntimeError, match="ends the interpreter"):
        played(bank_folder, "import sys\nsys.exit(0)\n" + SPEC)
    assert "rms_norm" not in sys.modules
