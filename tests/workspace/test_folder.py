"""The files of each mode; nothing is written over, nothing is given away, nothing is lost."""

import subprocess
import sys
from pathlib import Path

import pytest

from mutakata.bank import Exercise
from mutakata.workspace.folder import (
    WorkspaceError,
    find_workspace,
    reset_workspace,
    start_workspace,
    workspaces_below,
)
from mutakata.workspace.progress import FILE, MODES, ProgressError
from tests.banks import FILES, tiny_exercise


@pytest.fixture
def exercise(bank_folder: Path) -> Exercise:
    return tiny_exercise(bank_folder)


def files(folder: Path) -> dict[str, str]:
    found = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_text() for path in found}


def test_each_mode_has_its_files(exercise: Exercise, tmp_path: Path) -> None:
    common = {".kata/progress.json", "BRIEF.md", "rms_norm.py"}
    for mode in MODES:
        start_workspace(exercise, tmp_path / mode, mode, 1 if mode == "repair" else None)
    assert set(files(tmp_path / "tests")) == common | {"test_rms_norm.py"}
    assert set(files(tmp_path / "repair")) == set(files(tmp_path / "build")) == common
    assert files(tmp_path / "tests")["rms_norm.py"] == exercise.kata.source


def test_tests_mode_gives_no_mutant_and_no_solution_away(exercise: Exercise, tmp_path: Path) -> None:
    start_workspace(exercise, tmp_path / "w", "tests")
    text = "\n".join(files(tmp_path / "w").values())
    for mutant in exercise.mutants:
        for secret in (mutant.id, mutant.symptom, mutant.why, *mutant.hunks[0].new):
            assert secret.strip() in exercise.kata.source or secret not in text
    solution = exercise.kata.solution.read_text().splitlines()
    starter = exercise.kata.starter.read_text()
    assert not [line for line in solution if line.strip() and line not in starter and line in text]


def test_repair_gives_the_mutant_without_its_name(exercise: Exercise, tmp_path: Path) -> None:
    for mutant in exercise.mutants:
        folder = tmp_path / mutant.id
        start_workspace(exercise, folder, "repair", exercise.numbers[mutant.id])
        assert files(folder)["rms_norm.py"] == mutant.source
        assert mutant.id not in "".join(files(folder).values())


def test_a_stub_keeps_the_head_and_loses_the_body(exercise: Exercise, tmp_path: Path) -> None:
    start_workspace(exercise, tmp_path / "w", "build")
    text = files(tmp_path / "w")["rms_norm.py"]
    assert "def rms_norm(x, weight, eps):" in text and "Normalise the last axis" in text
    assert "raise NotImplementedError" in text and "mean" not in text
    call = "from rms_norm import rms_norm\nrms_norm(1, 2, 3)"
    done = subprocess.run([sys.executable, "-c", call], cwd=tmp_path / "w", capture_output=True, text=True)
    assert "NotImplementedError" in done.stderr


@pytest.mark.parametrize("number", [0, 3, -1])
def test_a_number_that_no_mutant_has_writes_nothing(exercise: Exercise, tmp_path: Path, number: int) -> None:
    with pytest.raises(WorkspaceError, match="they run from 1 to 2"):
        start_workspace(exercise, tmp_path / "w", "repair", number)
    assert not (tmp_path / "w").exists()


@pytest.mark.parametrize("name", ["BRIEF.md", "rms_norm.py", "test_rms_norm.py"])
def test_one_file_of_somebody_is_enough_to_refuse(exercise: Exercise, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("mine")
    before = files(tmp_path)
    with pytest.raises(WorkspaceError, match=name):
        start_workspace(exercise, tmp_path, "tests")
    assert files(tmp_path) == before


def test_a_folder_that_lost_its_record_is_taken_up_again(exercise: Exercise, tmp_path: Path) -> None:
    start_workspace(exercise, tmp_path, "tests")
    (tmp_path / "test_rms_norm.py").write_text("# mine\n")
    (tmp_path / "rms_norm.py").unlink()
    (tmp_path / FILE).unlink()
    workspace = start_workspace(exercise, tmp_path, "tests")
    assert workspace.progress.attempts == 0 and find_workspace(tmp_path) == workspace
    assert files(tmp_path)["test_rms_norm.py"] == "# mine\n"
    assert files(tmp_path)["rms_norm.py"] == exercise.kata.source


def test_another_modes_folder_is_not_taken_up(exercise: Exercise, tmp_path: Path) -> None:
    start_workspace(exercise, tmp_path, "build")
    (tmp_path / FILE).unlink()
    with pytest.raises(WorkspaceError):
        start_workspace(exercise, tmp_path, "tests")


@pytest.mark.parametrize("place", ["file", "file/below", "n" * 300])
def test_a_place_that_cannot_be_a_folder_is_refused(exercise: Exercise, tmp_path: Path, place: str) -> None:
    work = tmp_path / "work"
    work.mkdir()
    (work / "file").write_text("mine")
    with pytest.raises(WorkspaceError, match="name another folder"):
        start_workspace(exercise, work / place, "tests")
    assert files(work) == {"file": "mine"}


def test_a_workspace_is_found_from_its_folders(exercise: Exercise, tmp_path: Path) -> None:
    start_workspace(exercise, tmp_path / "a", "tests")
    start_workspace(exercise, tmp_path / "b", "build")
    (tmp_path / "a/deep/er").mkdir(parents=True)
    found = find_workspace(tmp_path / "a/deep/er")
    assert found is not None and found.folder == tmp_path / "a"
    assert find_workspace(tmp_path) is None
    assert [one.progress.mode for one in workspaces_below(tmp_path)] == ["tests", "build"]
    (tmp_path / "b" / FILE).write_text("{")
    with pytest.raises(ProgressError):
        workspaces_below(tmp_path)


def test_reset_keeps_every_version_of_what_was_written(exercise: Exercise, tmp_path: Path) -> None:
    workspace = start_workspace(exercise, tmp_path, "tests")
    mine = tmp_path / "test_rms_norm.py"
    for number, content in enumerate((b"# one\n", b"# two \xff not UTF-8\n"), start=1):
        mine.write_bytes(content)
        (kept,) = reset_workspace(workspace, exercise)
        assert kept.name == f"test_rms_norm.py.kept-{number}" and kept.read_bytes() == content
        assert mine.read_text() == exercise.kata.starter.read_text()
    assert (tmp_path / "test_rms_norm.py.kept-1").read_bytes() == b"# one\n"
    assert reset_workspace(workspace, exercise) == []


def test_the_starter_passes_under_plain_pytest(exercise: Exercise, tmp_path: Path) -> None:
    start_workspace(exercise, tmp_path, "tests")
    assert (
        FILES["katas/tiny/starter.py"].strip().splitlines()[0] in (tmp_path / "test_rms_norm.py").read_text()
    )
    plain = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(plain, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0 and "1 passed" in done.stdout, done.stdout
