"""What could explain a wrong output: a known defect, two at once, another contract, another eps."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any, Literal

import numpy as np

from mutakata.numerics.compare import Question, alternatives
from mutakata.numerics.contracts import Contract
from mutakata.numerics.expectation import Expected
from mutakata.numerics.rounding import Array
from mutakata.numerics.verdict import named_outputs
from mutakata.numerics.zoo import ZOO

Kind = Literal["contract", "mutant", "eps", "pair"]
Outputs = dict[str, Array]
# Epsilons that defects come from: class defaults, older configs, none at all.
USUAL_EPS = (1e-6, 1e-5, 1e-12, 1e-8, 1e-7, 1e-3, 1.1920928955078125e-07)
# A narrow sum gives other bits in another order, and no order is part of the defect.
_ORDERED = re.compile(r"(sum|projection)_(bf16|fp16)|rows_stored")


@dataclass(frozen=True)
class Suspect:
    """function: the promise computed with this defect. ordered: its order of summation shows.

    promise: the contract that is kept; for another contract, that one.
    """

    id: str
    kind: Kind
    reason: str
    seen: tuple[str, ...]
    function: Callable[..., Any]
    promise: Contract
    ordered: bool = False


def suspects(promise: Contract, eps: float | None) -> list[Suspect]:
    """Everything that alone could explain an output."""
    zoo = ZOO[promise.op]
    plain = next(iter(zoo.faithful.values())).function
    found = [
        Suspect(other.name, "contract", other.source, (), partial(plain, other), other)
        for other in alternatives(promise)
    ]
    found += [
        Suspect(
            name, "mutant", one.reason, one.seen, partial(one.function, promise), promise, _reorders(name)
        )
        for name, one in zoo.mutants.items()
    ]
    if eps is not None:
        found += [
            Suspect(f"eps={value:g}", "eps", f"{value:g} in place of eps", (), with_eps, promise)
            for value in USUAL_EPS
            if value != eps
            for with_eps in (_with_eps(plain, promise, value),)
        ]
    return found


def pairs(promise: Contract, among: Sequence[Suspect]) -> list[Suspect]:
    """Two defects of one kernel at once, where their settings do not collide."""
    mutants = ZOO[promise.op].mutants
    found = []
    for a, b in combinations([one for one in among if one.kind == "mutant"], 2):
        first, second = mutants[a.id].function, mutants[b.id].function
        assert isinstance(first, partial) and isinstance(second, partial)
        if first.func is second.func and not first.keywords.keys() & second.keywords.keys():
            both = partial(first.func, promise, **first.keywords, **second.keywords)
            reason, ordered = f"{a.reason}, and {b.reason}", a.ordered or b.ordered
            found.append(Suspect(f"{a.id}+{b.id}", "pair", reason, a.seen + b.seen, both, promise, ordered))
    return found


def predict(suspect: Suspect, question: Question, wanted: Expected) -> list[Outputs]:
    """What the suspect gives for a question; for one whose order of summation shows, in several orders."""
    inputs = question.case.inputs
    orders = ORDERS if suspect.ordered else ORDERS[:1]
    with np.errstate(all="ignore"):
        return [_in_order(suspect.function, inputs, wanted, order) for order in orders]


def _as_they_are(n: int) -> Any:
    return np.arange(n)


def _neighbours_swapped(n: int) -> Any:
    return np.arange(n - n % 2).reshape(-1, 2)[:, ::-1].ravel().tolist() + list(range(n - n % 2, n))


def _halves_interleaved(n: int) -> Any:
    return np.concatenate([np.arange(0, n, 2), np.arange(1, n, 2)])


def _backwards(n: int) -> Any:
    return np.arange(n)[::-1]


ORDERS = (_as_they_are, _neighbours_swapped, _halves_interleaved, _backwards)


def _in_order(
    function: Callable[..., Any], inputs: dict[str, Any], wanted: Expected, order: Callable[[int], Any]
) -> Outputs:
    """Columns and rows rearranged before the call, and put back after it."""
    if order is _as_they_are:
        return named_outputs(wanted, function(**inputs))[0]
    shape = next(value.shape for value in inputs.values() if isinstance(value, np.ndarray))
    columns = np.asarray(order(shape[-1]))
    rows = np.asarray(order(shape[0])) if len(shape) > 1 else None

    def rearranged(value: Any, by_rows: Any, by_columns: Any) -> Any:
        if not isinstance(value, np.ndarray):
            return value
        moved = value[..., by_columns]
        return moved[by_rows] if value.ndim > 1 and by_rows is not None else moved

    given = {name: rearranged(value, rows, columns) for name, value in inputs.items()}
    back = np.argsort(columns), None if rows is None else np.argsort(rows)
    got, _ = named_outputs(wanted, function(**given))
    return {name: rearranged(value, back[1], back[0]) for name, value in got.items()}


def _with_eps(plain: Callable[..., Any], promise: Contract, value: float) -> Callable[..., Any]:
    return lambda **inputs: plain(promise, **{**inputs, "eps": value})


def _reorders(name: str) -> bool:
    return bool(_ORDERED.search(name))
