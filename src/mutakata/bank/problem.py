"""What is wrong with the content, where, and what to do about it."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, order=True)
class Problem:
    """One defect of a content file: `line` counts from 1; 0 means the file as a whole."""

    path: Path
    line: int
    what: str
    fix: str

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else str(self.path)
        return f"{place}: {self.what}\n    {self.fix}"


class BankError(Exception):
    """The content cannot be used. Carries every problem found, not only the first."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = sorted(set(problems))
        count = len(self.problems)
        heading = f"{count} problem{'s' * (count != 1)} in the content:"
        super().__init__("\n".join([heading, *map(str, self.problems)]))


class NotFound(LookupError):
    """A name that the bank does not hold; the message suggests the nearest ones."""
