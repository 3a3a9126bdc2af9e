"""One pytest session over one implementation, told to the supervisor cell by cell. Public hooks only."""

import contextlib
import gc
import json
import os
import sys
from collections.abc import Generator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from mutakata.backends.modules import Source, install
from mutakata.judge.model import COLLECTION

# Spare address space for one implementation, beyond what the parent has mapped already: enough for one half
# precision tensor whose offsets pass 2^31, of which hardly a page is ever touched.
MEMORY_LIMIT = 6 << 30


@dataclass(frozen=True)
class Job:
    """One session: which source, which suite, and how.

    `compiled` is the folder for bytecode, the candidate's own not being ours to write to: the first session
    compiles the suite and the others read it. `done` are tests not to be run again.
    """

    source: Source
    suite: Path
    compiled: Path
    done: frozenset[str] = field(default_factory=frozenset)
    backwards: bool = False
    fail_fast: bool = False


def arguments(suite: Path) -> list[str]:
    """What pytest is told: nothing of ours is written into the candidate's folder, no report is formatted."""
    return ["-p", "no:cacheprovider", "--capture=no", "--tb=native", "-q", "--disable-warnings", str(suite)]


class Recorder:
    """Sends each test's start and outcome down a pipe, as lines of JSON."""

    pipe: int
    job: Job

    def __init__(self) -> None:
        self.held = b""
        self.exceptions: dict[str, str] = {}
        self.failed: str | None = None
        self.worst: dict[str, tuple[str, float]] = {}

    def begin(self, pipe: int, job: Job) -> None:
        """Tell of `job`, to `pipe`, from here on."""
        self.pipe, self.job = pipe, job

    def hold(self, **event: Any) -> None:
        """Keep an event until the next one is sent: a write is the dearest part of a short test."""
        self.held += json.dumps(event).encode() + b"\n"

    def send(self, **event: Any) -> None:
        self.hold(**event)
        data, self.held = self.held, b""
        while data:
            data = data[os.write(self.pipe, data) :]

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, session: pytest.Session, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if short_id(item.nodeid) not in self.job.done]
        if self.job.backwards:
            items.reverse()
        self.hold(event="collected", tests=[short_id(item.nodeid) for item in items])

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            text = str(report.longrepr)
            last = text.rstrip().splitlines()[-1].removeprefix("E").strip() if text.strip() else ""
            self.send(event="cell", test=COLLECTION, outcome="error", seconds=0.0, exception=last, text=text)

    def pytest_runtest_logstart(self, nodeid: str, location: Any) -> None:
        self.worst[nodeid] = ("skipped", 0.0)
        self.send(event="start", test=short_id(nodeid))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        outcome, seconds = self.worst[item.nodeid]
        seconds += report.duration
        if report.failed:
            outcome = _classify(call)
            if call.excinfo is not None:
                self.exceptions.setdefault(item.nodeid, call.excinfo.typename)
                if self.failed is None:
                    self.failed = self._where(call.excinfo)
        elif report.when == "call" and outcome == "skipped" and not _skipped(report):
            outcome = "pass"
        self.worst[item.nodeid] = (outcome, seconds)
        return report

    def _where(self, excinfo: pytest.ExceptionInfo[BaseException]) -> str:
        """The place in the suite and the message. Pytest's own formatting takes 20 to 40 ms a failure."""
        frames = [entry for entry in excinfo.traceback if Path(entry.path) == self.job.suite]
        place = f"{self.job.suite.name}:{frames[-1].lineno + 1}: " if frames else ""
        return place + excinfo.exconly()

    def pytest_runtest_logfinish(self, nodeid: str, location: Any) -> None:
        outcome, seconds = self.worst[nodeid]
        text = ""
        if outcome not in ("pass", "skipped") and self.failed:
            text, self.failed = self.failed, ""
        self.hold(
            event="cell",
            test=short_id(nodeid),
            outcome=outcome,
            seconds=seconds,
            exception=self.exceptions.get(nodeid, ""),
            text=text,
        )
        if self.job.fail_fast and outcome not in ("pass", "skipped"):
            self.stop()

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        self.stop()

    def stop(self) -> None:
        """End the process here: what pytest would still do is print."""
        self.send(event="end")
        os._exit(0)


class Brief:
    """Reports a failure without pytest's account of it, a third of the cost of a short failing test."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> pytest.TestReport | None:
        if call.excinfo is None or call.excinfo.errisinstance(pytest.skip.Exception):
            return None
        return pytest.TestReport(
            nodeid=item.nodeid,
            location=item.location,
            keywords=dict.fromkeys(item.keywords, 1),
            outcome="failed",
            longrepr=call.excinfo.typename,
            when=call.when,  # type: ignore[arg-type]  # never "collect" here
            duration=call.duration,
            start=call.start,
            stop=call.stop,
        )


def recording(pipe: int, job: Job) -> list[object]:
    """The plugins by which a session tells its outcomes to the pipe."""
    recorder = Recorder()
    recorder.begin(pipe, job)
    return [Brief(), recorder]


def _skipped(report: pytest.TestReport) -> bool:
    return report.skipped and not hasattr(report, "wasxfail")


def _classify(call: pytest.CallInfo[None]) -> str:
    if call.excinfo is None:
        return "assertion"  # a strict xfail that passed
    if call.excinfo.errisinstance(MemoryError):
        return "crash"
    kinds = (AssertionError, pytest.fail.Exception)
    errors = [call.excinfo.value]
    while errors:
        error = errors.pop()
        if isinstance(error, BaseExceptionGroup):
            errors += error.exceptions
        elif not isinstance(error, kinds):
            return "error"
    return "assertion" if call.when == "call" else "error"


def short_id(nodeid: str) -> str:
    """The id of a test without its file: one suite is one file."""
    return nodeid.split("::", 1)[-1]


def enter(job: Job) -> None:
    """Turn this process into the job's: its own group, no terminal, a memory limit, the source."""
    with contextlib.suppress(PermissionError):  # a spawned worker leads its group already
        os.setsid()
    quiet = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(quiet, number)
    sys.pycache_prefix, sys.dont_write_bytecode = str(job.compiled), False
    _limit_memory()
    _settle_hypothesis()
    gc.set_threshold(100_000, 50, 50)  # a collection would copy every page that is shared with the parent
    install(job.source)


def _limit_memory() -> None:
    import resource

    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except OSError:
        return  # no /proc: the limit would be a guess
    limit = pages * resource.getpagesize() + MEMORY_LIMIT
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard != resource.RLIM_INFINITY:
        limit = min(limit, hard)
    resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _settle_hypothesis() -> None:
    """The same examples for every implementation, and none remembered from another one."""
    if "hypothesis" not in sys.modules:
        return
    from hypothesis import settings

    settings.register_profile("kata", derandomize=True, database=None, deadline=None)
    settings.load_profile("kata")
