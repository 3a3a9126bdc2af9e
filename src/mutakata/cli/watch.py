"""`kata watch`: judge again at each save; keys for hint, next and quit where there is a terminal."""

import contextlib
import select
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import typer

from mutakata.bank import Exercise, load_exercise, sources
from mutakata.cli.content import Banks, Mutants
from mutakata.cli.failure import USE, fail
from mutakata.cli.run import Format, current_workspace, judged, record, require, show, which_kata, which_suite
from mutakata.report.console import out

KEYS = "h hint   n next survivor   r run again   q quit"


def register(app: typer.Typer) -> None:
    app.command()(watch)


def watch(bank: Banks = None, mutants: Mutants = None) -> None:
    """Judge the workspace at each save, until q or Ctrl-C."""
    where = sources(bank or (), mutants or ())
    workspace = current_workspace(None)
    exercise = load_exercise(which_kata(None, workspace), where)
    assert workspace is not None
    require(exercise)
    mode = workspace.progress.mode
    target = which_suite(exercise, None, workspace) if mode == "tests" else workspace.subject(exercise.kata)
    stop, again = threading.Event(), threading.Event()
    # A signal to end is to end as Ctrl-C does: workers gone, terminal as it was.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with contextlib.suppress(KeyboardInterrupt), _keys(stop, again, _Chosen(exercise, bank, mutants)):
        for _ in _saves(target, stop, again):
            _judge(exercise)


class _Chosen:
    """Which survivor the keys speak of."""

    def __init__(self, exercise: Exercise, bank: Banks, mutants: Mutants) -> None:
        self.exercise, self.index = exercise, 0
        self.bank, self.mutants = bank, mutants

    def number(self) -> int | None:
        workspace = current_workspace(None)
        alive = (
            sorted(self.exercise.numbers[name] for name in workspace.progress.survived) if workspace else []
        )
        return alive[self.index % len(alive)] if alive else None


def _judge(exercise: Exercise) -> None:
    """One round. A suite that cannot be scored is reported and watched on."""
    from mutakata.cli.play import judge_implementation
    from mutakata.judge import Options

    workspace = current_workspace(None)
    if workspace is None:
        fail("the workspace's record is gone: `kata start` makes a new one", USE)
    with contextlib.suppress(typer.Exit):
        if workspace.progress.mode == "tests":
            matrix = judged(exercise, which_suite(exercise, None, workspace), Options(), quiet=False)
            show(matrix, exercise, Format.table, False, workspace)
            record(workspace, matrix)
        else:
            judge_implementation(exercise, workspace)
    if sys.stdin.isatty():
        out().print(f"[dim]{KEYS}[/]")


def _saves(target: Path, stop: threading.Event, again: threading.Event) -> Iterator[None]:
    """Now, then whenever the file was saved, also during a round, or a key asks; ends when told to stop."""
    import watchfiles

    again.set()
    for changes in watchfiles.watch(
        target.parent,
        stop_event=stop,
        rust_timeout=200,
        yield_on_timeout=True,
        raise_interrupt=False,
        recursive=False,
    ):
        if again.is_set() or any(Path(path).suffix == target.suffix for _, path in changes):
            again.clear()
            yield


@contextlib.contextmanager
def _keys(stop: threading.Event, again: threading.Event, chosen: _Chosen) -> Iterator[None]:
    """Read single keys in the background; without a terminal there are none, and nothing is changed."""
    if not sys.stdin.isatty():
        yield
        return
    import termios
    import tty

    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    tty.setcbreak(descriptor)
    reader = threading.Thread(target=_read_keys, args=(stop, again, chosen), daemon=True)
    reader.start()
    try:
        yield
    finally:
        stop.set()
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


def _read_keys(stop: threading.Event, again: threading.Event, chosen: _Chosen) -> None:
    from mutakata.cli.play import hint

    while not stop.is_set():
        if not select.select([sys.stdin], [], [], 0.2)[0]:
            continue
        key = sys.stdin.read(1)
        if key == "q":
            stop.set()
        elif key == "r":
            again.set()
        elif key == "n":
            chosen.index += 1
            number = chosen.number()
            out().print(f"mutant {number}" if number else "no survivor")
        elif key == "h":
            number = chosen.number()
            with contextlib.suppress(typer.Exit):
                hint(number, chosen.bank, chosen.mutants) if number else out().print(
                    "no survivor: nothing to hint at"
                )
