"""What a candidate has done in a workspace: attempts, kills, hints and time, in one small file."""

import contextlib
import json
import os
import tempfile
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

FILE = Path(".kata") / "progress.json"
VERSION = 1
MODES = {
    "tests": "write the suite that kills every mutant",
    "repair": "mend a faulty implementation",
    "build": "write the function from its brief",
}


class ProgressError(Exception):
    """The record cannot be read or written; the message says what to do and what is safe."""


@dataclass(frozen=True)
class Progress:
    """The record of one workspace. `hints` counts the rungs taken by mutant id; times are UTC."""

    kata: str
    mode: str
    started: str
    mutant: int | None = None
    attempts: int = 0
    killed: tuple[str, ...] = ()
    survived: tuple[str, ...] = ()
    false_kills: int = 0
    solved: bool = False
    last_run: str = ""
    hints: dict[str, int] = field(default_factory=dict)
    version: int = VERSION

    @property
    def minutes(self) -> float:
        """From the start to the last run."""
        if not self.last_run:
            return 0.0
        return (_time(self.last_run) - _time(self.started)).total_seconds() / 60

    def after_run(
        self, killed: tuple[str, ...], survived: tuple[str, ...], false_kills: int, solved: bool
    ) -> "Progress":
        return replace(
            self,
            attempts=self.attempts + 1,
            killed=killed,
            survived=survived,
            false_kills=false_kills,
            solved=self.solved or solved,
            last_run=now(),
        )

    def after_hint(self, mutant: str) -> "Progress":
        return replace(self, hints=self.hints | {mutant: self.hints.get(mutant, 0) + 1})


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text)


def read_progress(folder: Path) -> Progress:
    """The record of the workspace at `folder`. Raises ProgressError."""
    path = folder / FILE
    try:
        progress = TypeAdapter(Progress).validate_json(path.read_bytes())
        if progress.version != VERSION:
            raise ValueError(f"version {progress.version}, this kata reads version {VERSION}")
        if progress.mode not in MODES:
            raise ValueError(f"mode is {progress.mode!r}, not one of {', '.join(MODES)}")
        _time(progress.started)
        _ = progress.minutes  # the time of the last run can be read too
    except OSError as error:
        raise ProgressError(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, TypeError) as error:
        fix = f"delete it, then `kata start KATA {folder}` makes a new one; your own files are kept"
        raise ProgressError(f"{path} is damaged ({_first(error)}): {fix}") from error
    return progress


def _first(error: Exception) -> str:
    if not isinstance(error, ValidationError):
        return str(error)
    found = error.errors()[0]
    return ": ".join((*map(str, found["loc"]), found["msg"]))


def write_progress(folder: Path, progress: Progress) -> None:
    """Replace the record in one step, so that a full disk leaves the old one. Raises ProgressError."""
    path = folder / FILE
    temporary = None
    try:
        path.parent.mkdir(exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            json.dump(asdict(progress), stream, indent=1)
            stream.flush()
            os.fsync(stream.fileno())
        Path(temporary).replace(path)
    except OSError as error:
        if temporary:
            with contextlib.suppress(OSError):
                Path(temporary).unlink()
        what = f"progress was not saved to {path}: {error.strerror}"
        raise ProgressError(f"{what}; the earlier record and your tests are as they were") from error
