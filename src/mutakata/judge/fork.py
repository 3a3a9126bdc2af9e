"""Workers forked from this process, which has imported pytest and the backends once."""

import contextlib
import gc
import io
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mutakata.judge.session import Brief, Job, Recorder, arguments, enter, recording
from mutakata.judge.supervise import Start, Worker

Judging = Callable[[Start], None]


class PytestRefused(Exception):
    """Pytest did not begin: its own message says why."""


class _InWorker(BaseException):
    """Carries a forked child out of the parent's loop, to go on as an ordinary session."""


class _Judged(KeyboardInterrupt):
    """Ends the parent's session: an interrupt is what pytest lets through from the middle of collection."""


class _Server:
    """Judges when pytest has found the suite and not yet imported it.

    Configuration and the walk to the file are paid for once. A child returns from the hook and imports,
    collects and runs as pytest always does, with its own implementation in place. The parent leaves the
    session once every child has ended.
    """

    def __init__(self, suite: Path, judging: Judging) -> None:
        self.suite, self.judging, self.began = suite, judging, False
        self.error: BaseException | None = None
        # Kept in a child to keep the parent's frames alive there: to free them is to copy their pages.
        self.left: BaseException | None = None

    @pytest.hookimpl(tryfirst=True)
    def pytest_pycollect_makemodule(self, module_path: Path, parent: pytest.Collector) -> None:
        if self.began or module_path != self.suite:
            return
        self.began = True
        plugins = parent.config.pluginmanager
        plugins.unregister(name="terminalreporter")  # nobody reads what it would format
        recorder = Recorder()
        # Registered here, and used by the children: in each of them it would be a fifth of a short session.
        ours = [plugins.register(Brief()), plugins.register(recorder)]

        def start(job: Job) -> Worker:
            worker = _fork()
            if worker.pid:
                return worker
            enter(job)
            recorder.begin(worker.pipe, job)
            raise _InWorker

        try:
            self.judging(start)
        except _InWorker as left:
            self.left = left
            return
        except BaseException as error:
            self.error = error
        for name in ours:
            plugins.unregister(name=name)
        raise _Judged


def serve(suite: Path, judging: Judging) -> None:
    """Call `judging` with a way to start forked sessions of `suite` (resolved). Raises PytestRefused."""
    gc.collect()
    gc.freeze()
    try:
        _serve(suite, judging)
    finally:
        gc.unfreeze()  # triton's bindings call what a frozen heap keeps at exit a leak, at length


def _serve(suite: Path, judging: Judging) -> None:
    if any((folder / "conftest.py").is_file() for folder in suite.parents):
        # A conftest is imported while pytest is configured: it too must see the implementation in place.
        judging(_start_whole)
        return
    server = _Server(suite, judging)
    with _quiet() as said:
        # With no conftest above the suite, no folder above its own needs to be walked by each child.
        code = pytest.main(["--confcutdir", str(suite.parent), *arguments(suite)], plugins=[server])
    if server.error is not None:
        raise server.error
    if not server.began:
        raise PytestRefused(said.getvalue().strip() or f"pytest ended with {code!r} before it began")


def _start_whole(job: Job) -> Worker:
    worker = _fork()
    if not worker.pid:
        try:
            enter(job)
            pytest.main(arguments(job.suite), plugins=recording(worker.pipe, job))
        finally:
            os._exit(1)
    return worker


def _fork() -> Worker:
    """Both sides of a fork: a pid and the end to read; in the child 0 and the end to write."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writer)
        return Worker(pid, reader)
    os.close(reader)
    return Worker(0, writer)


@contextlib.contextmanager
def _quiet() -> Iterator[io.StringIO]:
    said = io.StringIO()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(said):
        yield said
