"""Runs sessions side by side and survives what they do: hang, crash, exit, fall silent."""

import contextlib
import json
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from mutakata.judge.model import COLLECTION, Cell, Implementation, Outcome, Row
from mutakata.judge.session import Job

# A session that hung or crashed is taken up again behind the test that did it, this many times.
MOST_RESUMES = 3


@dataclass(frozen=True)
class Worker:
    """A running session: where its lines come from, and how to end it."""

    pid: int
    pipe: int
    process: subprocess.Popen[bytes] | None = None


Start = Callable[[Job], Worker]


# A test that computes is given its limit in its own processor time, so that a busy machine loses nobody;
# one that sleeps or waits is ended after this many times the limit.
PATIENCE = 5


@dataclass(frozen=True)
class Limits:
    """Seconds of processor time that one test, and the import of the suite, may take."""

    test: float
    collection: float


class _Clock:
    """Measures a worker from its last sign of life."""

    def __init__(self, pid: int, limit: float) -> None:
        self.pid = pid
        self.restart(limit)

    def restart(self, limit: float) -> None:
        self.limit = limit
        self.began, self.spent_before = time.monotonic(), _processor_seconds(self.pid)
        self.look_again = self.began + limit

    def expired(self) -> bool:
        """Whether the limit is used up. Where it is not, `look_again` says when it may be."""
        now = time.monotonic()
        if now < self.look_again:
            return False
        spent = _processor_seconds(self.pid) - self.spent_before
        if spent >= self.limit or now - self.began >= PATIENCE * self.limit:
            return True
        self.look_again = now + max(0.1, self.limit - spent)
        return False


def _processor_seconds(pid: int) -> float:
    """User and system time of a process; without /proc, the clock on the wall."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return time.monotonic()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@dataclass
class _Run:
    """One implementation in progress."""

    implementation: Implementation
    job: Job
    worker: Worker
    clock: "_Clock"
    pending: bytes = b""
    running: str | None = None
    collected: bool = False
    expected: frozenset[str] = frozenset()
    ended: bool = False
    cells: list[Cell] = field(default_factory=list)
    text: str = ""
    resumes: int = 0


def supervise(
    todo: Iterable[tuple[Implementation, Job]], start: Start, limits: Limits, width: int
) -> Iterator[Row]:
    """Yield a row as each implementation ends. `start` is called for at most `width` at a time."""
    queue = list(todo)[::-1]
    live: list[_Run] = []
    owner = os.getpid()
    with selectors.DefaultSelector() as selector:
        try:
            while queue or live:
                while queue and len(live) < width:
                    live.append(_begin(*queue.pop(), start, limits, selector))
                _wait(live, selector, limits)
                for run in [run for run in live if run.ended]:
                    live.remove(run)
                    _reap(run.worker, selector)
                    again = _resume(run, start, limits, selector)
                    if again:
                        live.append(again)
                    else:
                        yield Row(run.implementation, tuple(run.cells), run.text)
        finally:
            # A forked child leaves through here too; the workers are not its own to end.
            for run in live if os.getpid() == owner else ():
                _reap(run.worker, selector)


def _begin(
    implementation: Implementation, job: Job, start: Start, limits: Limits, selector: selectors.BaseSelector
) -> _Run:
    worker = start(job)
    run = _Run(implementation, job, worker, _Clock(worker.pid, limits.collection))
    selector.register(worker.pipe, selectors.EVENT_READ, run)
    return run


def _wait(live: list[_Run], selector: selectors.BaseSelector, limits: Limits) -> None:
    now = time.monotonic()
    for key, _ in selector.select(max(0.0, min(run.clock.look_again for run in live) - now)):
        _read(key.data, limits)
    for run in live:
        if not run.ended and run.clock.expired():
            _lose(run, "timeout")


def _read(run: _Run, limits: Limits) -> None:
    data = os.read(run.worker.pipe, 1 << 16)
    if not data:
        _lose(run, "crash")
        return
    *lines, run.pending = (run.pending + data).split(b"\n")
    for line in lines:
        _take(run, json.loads(line))
    run.clock.restart(limits.test)


def _take(run: _Run, event: dict[str, object]) -> None:
    kind = event["event"]
    if kind == "collected":
        run.collected = True
        run.expected = frozenset(map(str, event["tests"]))  # type: ignore[call-overload]
    elif kind == "start":
        run.running = str(event["test"])
    elif kind == "cell":
        text = str(event.pop("text"))
        del event["event"]
        run.cells.append(Cell(**event))  # type: ignore[arg-type]
        run.text = run.text or text
        run.running = None
    elif kind == "end":
        run.ended = True
        if run.expected - {cell.test for cell in run.cells} and not run.job.fail_fast:
            _lose(run, "crash")  # the implementation ended the session: KeyboardInterrupt, pytest.exit


def _lose(run: _Run, outcome: Outcome) -> None:
    test = run.running or (COLLECTION if not run.collected else "(between two tests)")
    run.cells.append(Cell(test, outcome))
    run.ended = True


def _resume(run: _Run, start: Start, limits: Limits, selector: selectors.BaseSelector) -> _Run | None:
    lost = run.cells[-1] if run.cells else None
    hopeless = lost is None or lost.outcome not in ("timeout", "crash") or run.running is None
    if hopeless or run.resumes == MOST_RESUMES or run.job.fail_fast:
        return None
    job = replace(run.job, done=run.job.done | {cell.test for cell in run.cells})
    again = _begin(run.implementation, job, start, limits, selector)
    again.cells, again.text, again.resumes = run.cells, run.text, run.resumes + 1
    return again


def _reap(worker: Worker, selector: selectors.BaseSelector) -> None:
    """End the worker with all that it started, and collect it."""
    selector.unregister(worker.pipe)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(worker.pid, signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError):
        os.kill(worker.pid, signal.SIGKILL)
    if worker.process is not None:
        worker.process.wait()
    else:
        with contextlib.suppress(ChildProcessError):
            os.waitpid(worker.pid, 0)
    os.close(worker.pipe)
