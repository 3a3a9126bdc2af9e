"""What a run found: one cell for each implementation and test, and what follows from the cells."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from mutakata.backends.modules import Source

Role = Literal["reference", "faithful", "equivalent", "mutant"]
Outcome = Literal["pass", "skipped", "assertion", "error", "timeout", "crash"]
Status = Literal["killed", "survived", "timeout", "crash", "equivalent", "not applied", "not proved here"]

KILLS: tuple[Outcome, ...] = ("assertion", "error")
COLLECTION = "(import of the suite)"


@dataclass(frozen=True)
class Implementation:
    """One source to run the suite against. `note` says what it is, or why it is equivalent."""

    id: str
    role: Role
    source: Source
    family: str = ""
    note: str = ""


@dataclass(frozen=True)
class Cell:
    """The outcome of one test on one implementation."""

    test: str
    outcome: Outcome
    seconds: float = 0.0
    exception: str = ""


@dataclass(frozen=True)
class Row:
    """All cells of one implementation, in the order in which they ran; `text` shows its first failure."""

    implementation: Implementation
    cells: tuple[Cell, ...]
    text: str = ""

    @property
    def kills(self) -> tuple[str, ...]:
        """The tests that fail: the kill signature."""
        return tuple(cell.test for cell in self.cells if cell.outcome in KILLS)

    @property
    def status(self) -> Status:
        """What the suite says of it. A timeout or a crash is never a kill."""
        if self.implementation.role == "equivalent":
            return "equivalent"
        if self.kills:
            return "killed"
        outcomes = {cell.outcome for cell in self.cells}
        if "timeout" in outcomes:
            return "timeout"
        return "crash" if "crash" in outcomes else "survived"

    @property
    def accepted(self) -> bool:
        """Whether a correct implementation got through: no test failed, hung or crashed."""
        return bool(self.cells) and all(cell.outcome in ("pass", "skipped") for cell in self.cells)

    @property
    def how(self) -> str:
        """How its first failing test ended."""
        first = next((cell for cell in self.cells if cell.outcome not in ("pass", "skipped")), None)
        if first is None:
            return ""
        return first.exception or first.outcome


@dataclass(frozen=True)
class Matrix:
    """A judged suite. `tests` are the reference's, in order of collection; `numbers` name mutants unseen."""

    kata: str
    suite: str
    tests: tuple[str, ...]
    rows: tuple[Row, ...]
    seconds: float
    fail_fast: bool = False
    numbers: Mapping[str, int] = field(default_factory=dict)

    @property
    def mutants(self) -> tuple[Row, ...]:
        return tuple(row for row in self.rows if row.implementation.role in ("mutant", "equivalent"))

    @property
    def faithful(self) -> tuple[Row, ...]:
        return tuple(row for row in self.rows if row.implementation.role == "faithful")

    @property
    def false_kills(self) -> tuple[Row, ...]:
        """Correct implementations that the suite rejects."""
        correct = (row for row in self.rows if row.implementation.role in ("faithful", "equivalent"))
        return tuple(row for row in correct if not row.accepted)

    def count(self, status: Status) -> int:
        return sum(row.status == status for row in self.mutants)

    @property
    def clean(self) -> bool:
        """Every mutant killed, none merely lost, no correct implementation rejected."""
        killable = len(self.mutants) - self.count("equivalent")
        return 0 < killable == self.count("killed") and not self.false_kills

    def killers(self) -> dict[str, tuple[str, ...]]:
        """Test id to the mutants it kills, for every test of the suite."""
        found: dict[str, list[str]] = {test: [] for test in self.tests}
        for row in self.mutants:
            for test in row.kills:
                found.setdefault(test, []).append(row.implementation.id)
        return {test: tuple(ids) for test, ids in found.items()}

    def idle_tests(self) -> tuple[str, ...]:
        """Tests that killed nothing."""
        return tuple(test for test, ids in self.killers().items() if not ids)

    def redundant_tests(self) -> tuple[str, ...]:
        """Tests whose every kill is made by another test too; removing any single one loses nothing."""
        sole = {row.kills[0] for row in self.mutants if len(row.kills) == 1}
        return tuple(test for test in self.tests if test not in sole)

    def dominators(self) -> tuple[str, ...]:
        """Mutants whose death implies the death of others: their signature holds no other's signature.

        Source: Ammann, Delamaro and Offutt, Establishing theoretical minimal sets of mutants (2014).
        """
        signatures = {row.implementation.id: frozenset(row.kills) for row in self.mutants if row.kills}
        every = set(signatures.values())
        return tuple(name for name, tests in signatures.items() if not any(other < tests for other in every))
