"""The record of a workspace: what is damaged is named, and what fails to be saved costs nothing."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from mutakata.workspace.progress import FILE, Progress, ProgressError, read_progress, write_progress

NEW = Progress("tiny", "tests", "2026-01-01T10:00:00+00:00")


def test_what_was_written_is_read_again(tmp_path: Path) -> None:
    run = NEW.after_run(("a",), ("b", "c"), 1, False).after_hint("b").after_hint("b")
    write_progress(tmp_path, run)
    assert read_progress(tmp_path) == run and run.hints == {"b": 2} and run.attempts == 1


def test_once_solved_stays_solved() -> None:
    assert NEW.after_run(("a",), (), 0, True).after_run((), ("a",), 0, False).solved


def test_minutes_count_from_the_start_to_the_last_run(tmp_path: Path) -> None:
    write_progress(tmp_path, NEW)
    record = tmp_path / FILE
    record.write_text(record.read_text().replace('"last_run": ""', '"last_run": "2026-01-01T11:30:00+00:00"'))
    assert NEW.minutes == 0 and read_progress(tmp_path).minutes == 90


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("kata", 3, "kata"),
        ("mode", "guess", "'guess'"),
        ("started", "yesterday", "yesterday"),
        ("last_run", "2026-01-01T10:00:00", "offset-naive"),
        ("attempts", "many", "attempts"),
        ("killed", {"a": 1}, "killed"),
        ("survived", None, "survived"),
        ("hints", [], "hints"),
        ("hints", {"a": "b"}, "hints"),
        ("version", 2, "version 2"),
    ],
)
def test_a_field_that_cannot_be_is_damage(tmp_path: Path, key: str, value: object, words: str) -> None:
    write_progress(tmp_path, NEW)
    (tmp_path / FILE).write_text(json.dumps(asdict(NEW) | {key: value}))
    with pytest.raises(ProgressError, match="is damaged") as raised:
        read_progress(tmp_path)
    assert words in str(raised.value) and "\n" not in str(raised.value)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"null", b'"tiny"', b"{}", b"\xff\xfe", b"\0" * 300])
def test_whatever_else_stands_in_the_file_is_damage(tmp_path: Path, content: bytes) -> None:
    write_progress(tmp_path, NEW)
    (tmp_path / FILE).write_bytes(content)
    with pytest.raises(ProgressError, match=f"is damaged .*`kata start KATA {tmp_path}`"):
        read_progress(tmp_path)


def test_a_record_that_cannot_be_opened_is_not_called_damaged(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir(parents=True)
    with pytest.raises(ProgressError, match="cannot be read: Is a directory"):
        read_progress(tmp_path)


@pytest.mark.parametrize("step", ["os.fsync", "tempfile.mkstemp", "json.dump", "Path.replace"])
def test_a_full_disk_leaves_the_old_record_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    write_progress(tmp_path, NEW)

    def full(*arguments: object, **named: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(f"mutakata.workspace.progress.{step}", full)
    with pytest.raises(ProgressError, match="No space left on device"):
        write_progress(tmp_path, NEW.after_hint("a"))
    monkeypatch.undo()
    assert read_progress(tmp_path) == NEW
    assert [path.name for path in (tmp_path / FILE).parent.iterdir()] == ["progress.json"]


def test_a_file_in_the_place_of_the_folder_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / ".kata").write_text("mine")
    with pytest.raises(ProgressError, match="was not saved"):
        write_progress(tmp_path, NEW)
    assert (tmp_path / ".kata").read_text() == "mine"
