"""Help in rungs: each says more about one surviving mutant than the one before."""

import inspect
from collections.abc import Callable

from mutakata.backends.cases import load_cases
from mutakata.bank import Exercise, Mutant
from mutakata.bank.vocabulary import FAMILIES

RUNGS = ("family", "symptom", "killing input", "diff")


def price(number: int, taken: int) -> str:
    """What the next rung would cost, for the table of survivors."""
    if taken >= len(RUNGS):
        return "all hints taken"
    return f"kata hint {number}: {RUNGS[taken]}"


def rung(exercise: Exercise, mutant: Mutant, taken: int) -> str:
    """The text of the rung after `taken` ones, as Markdown."""
    tell: tuple[Callable[[], str], ...] = (
        lambda: f"**Family** {mutant.family}: {FAMILIES[mutant.family]}.",
        lambda: f"**Symptom** {mutant.symptom}",
        lambda: _killing_input(exercise, mutant),
        lambda: f"**{mutant.title}**\n\n```diff\n{mutant.diff}```\n\n{mutant.why}",
    )
    return tell[min(taken, len(RUNGS) - 1)]()


def _killing_input(exercise: Exercise, mutant: Mutant) -> str:
    cases = load_cases(exercise.kata.cases)
    case = next((cases[name] for name in mutant.killed_by if name in cases), None)
    if case is None:
        return "**Input** none is named."
    return f"**Input** `{case.id}`: {case.reason}\n\n```python\n{inspect.getsource(case.make)}```"
