"""What the bank covers: questions and katas by topic, level and format; public defects with a mutant."""

import csv
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from mutakata.bank import Mutant, vocabulary
from mutakata.site.audience import KataView, QuestionView

REPORT = re.compile(r"[\w.-]+/[\w.-]+#\d+")


@dataclass(frozen=True)
class Defect:
    """A public defect. `mutants` of the bank that cite one of its reports."""

    id: str
    area: str
    reports: str
    symptom: str
    cause: str
    mutants: tuple[Mutant, ...] = ()


@dataclass(frozen=True)
class Grid:
    """Counts of questions by topic and level, and by topic and format; `katas` and `mutants` by topic."""

    levels: dict[tuple[str, str], int]
    formats: dict[tuple[str, str], int]
    katas: dict[str, int]
    mutants: dict[str, int]
    roles: dict[str, int]

    @property
    def thin(self) -> list[str]:
        """What is missing, in a sentence each."""
        found = []
        for topic in vocabulary.TOPICS:
            count = sum(number for (name, _), number in self.levels.items() if name == topic)
            if count < 2:
                found.append(f"{topic}: {count or 'no'} question{'' if count == 1 else 's'}")
        for kind, counts in (("level", vocabulary.LEVELS), ("format", vocabulary.FORMATS)):
            table = self.levels if kind == "level" else self.formats
            found += [
                f"{kind} {name}: no question" for name in counts if not any(key[1] == name for key in table)
            ]
        return found + [f"role {name}: no question" for name in vocabulary.ROLES if not self.roles.get(name)]


def grid(katas: Iterable[KataView], questions: Iterable[QuestionView]) -> Grid:
    levels: Counter[tuple[str, str]] = Counter()
    formats: Counter[tuple[str, str]] = Counter()
    roles: Counter[str] = Counter()
    for one in questions:
        topic = str(one.facts["topic"])
        levels[topic, str(one.facts["level"])] += 1
        formats[topic, str(one.facts["format"])] += 1
        roles.update(one.roles)
    held: Counter[str] = Counter()
    mutants: Counter[str] = Counter()
    for kata in katas:
        held[kata.topic] += 1
        mutants[kata.topic] += kata.mutant_count
    return Grid(dict(levels), dict(formats), dict(held), dict(mutants), dict(roles))


def read_defects(path: Path) -> list[Defect]:
    """The table of public defects: tab-separated, its first line naming the columns."""
    with path.open(encoding="utf-8", newline="") as file:
        return [
            Defect(row["id"], row["area"], row["repo_ref"], row["symptom"], row["root_cause"])
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        ]


def matched(defects: Iterable[Defect], mutants: Iterable[Mutant]) -> list[Defect]:
    """Each defect with the mutants whose `seen` names one of its reports."""
    cited: dict[str, list[Mutant]] = {}
    for mutant in mutants:
        for report in mutant.seen:
            cited.setdefault(report.lower(), []).append(mutant)
    found = []
    for one in defects:
        reports = REPORT.findall(one.reports)
        hits = [mutant for report in reports for mutant in cited.get(report.lower(), ())]
        unique = {(mutant.kata, mutant.id): mutant for mutant in hits}
        found.append(Defect(one.id, one.area, one.reports, one.symptom, one.cause, tuple(unique.values())))
    return found
