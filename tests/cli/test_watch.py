"""`kata watch` as a process: it judges at once and at each save, and ends cleanly when told to."""

import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mutakata.workspace.folder import start_workspace
from tests.banks import tiny_exercise

PATIENCE = 60
COMMAND = [sys.executable, "-c", "from mutakata.cli import main; main()", "watch", "--bank"]
VERDICT = b"mutants killed"


@pytest.fixture
def folder(bank_folder: Path, tmp_path: Path) -> Path:
    return start_workspace(tiny_exercise(bank_folder), tmp_path / "work", "tests").folder


@contextmanager
def watching(folder: Path, bank: Path, **streams: int) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen([*COMMAND, str(bank)], cwd=folder, **streams)  # type: ignore[call-overload]
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def read_until(descriptor: int, words: bytes) -> bytes:
    found, end = b"", time.monotonic() + PATIENCE
    while words not in found:
        assert select.select([descriptor], [], [], max(0, end - time.monotonic()))[0], found.decode()
        piece = os.read(descriptor, 65536)
        assert piece, found.decode()
        found += piece
    return found


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_without_a_terminal_it_judges_at_once_and_at_each_save(
    folder: Path, bank_folder: Path, how: signal.Signals
) -> None:
    pipe = subprocess.PIPE
    with watching(folder, bank_folder, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe) as process:
        assert process.stdout is not None and process.stderr is not None
        assert b"0 of 2 mutants killed" in read_until(process.stdout.fileno(), VERDICT)
        solution = (bank_folder / "katas/tiny/solution.py").read_text()
        (folder / "test_rms_norm.py").write_text(solution)
        assert b"2 of 2 mutants killed" in read_until(process.stdout.fileno(), VERDICT)
        (folder / "test_rms_norm.py").write_text("def test_(:\n")
        assert b"test_rms_norm.py:1" in read_until(process.stderr.fileno(), b"mend the syntax")
        process.send_signal(how)
        rest, said = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0 and b"Traceback" not in said and VERDICT not in rest, said.decode()


def test_keys_hint_run_again_and_quit_and_the_terminal_is_as_before(folder: Path, bank_folder: Path) -> None:
    ours, theirs = pty.openpty()
    before = termios.tcgetattr(theirs)
    with watching(folder, bank_folder, stdin=theirs, stdout=theirs, stderr=theirs) as process:
        read_until(ours, b"q quit")
        os.write(ours, b"h")
        read_until(ours, b"of 4")
        os.write(ours, b"n")
        read_until(ours, b"mutant ")
        os.write(ours, b"r")
        read_until(ours, b"q quit")
        os.write(ours, b"q")
        assert process.wait(PATIENCE) == 0
    assert termios.tcgetattr(theirs) == before
    os.close(ours)
    os.close(theirs)


def test_outside_a_workspace_there_is_nothing_to_watch(tmp_path: Path, bank_folder: Path) -> None:
    done = subprocess.run([*COMMAND, str(bank_folder)], cwd=tmp_path, capture_output=True, timeout=PATIENCE)
    assert done.returncode == 2 and b"which kata?" in done.stderr
