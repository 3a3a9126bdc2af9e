"""What a check found, and what it could not look at."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from mutakata.bank import Problem


@dataclass
class Findings:
    """Problems, and things not proved on this machine with the reason. `proved` counts what was looked at."""

    problems: list[Problem] = field(default_factory=list)
    not_proved: list[str] = field(default_factory=list)
    proved: dict[str, int] = field(default_factory=dict)

    def count(self, thing: str, number: int = 1) -> None:
        self.proved[thing] = self.proved.get(thing, 0) + number

    def __iter__(self) -> Iterator[Problem]:
        return iter(sorted(set(self.problems)))
