"""The method held against itself: correct implementations pass with room to spare, wrong ones do not pass.

A faithful implementation stays at or below FAITHFUL_MARGIN of the bound on every fixed input. A mutant
exceeds it fourfold, or puts 1 % of the elements outside, on at least one fixed input of each dtype that it
claims.
"""

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from mutakata.numerics.contracts import Contract
from mutakata.numerics.inputs import WIDTHS, fixed_inputs
from mutakata.numerics.ops import OPERATIONS, expected
from mutakata.numerics.presets import contract
from mutakata.numerics.verdict import DIFFERS_RATIO, DIFFERS_SHARE, Verdict, judge_expected
from mutakata.numerics.zoo import ZOO

FAITHFUL_MARGIN = 0.8
DTYPES = ("fp32", "fp16", "bf16")
# The contracts that are certified; presets that promise the same under another name are left out.
PRIMARY = tuple(f"{op}/numpy" for op in OPERATIONS)
FURTHER = (
    "rms_norm/llama",
    "rms_norm/gemma",
    "layer_norm/welford",
    "add_rms_norm/llama",
    "add_rms_norm/vllm",
    "swiglu/llama",
    "rope/interleaved",
    "rope/llama",
    "softmax/online",
    "rms_norm_backward/normalised",
    "rms_norm_backward/gemma",
    "rms_norm_backward/llama",
    "rms_norm_backward/liger",
    "layer_norm_backward/torch",
)


@dataclass(frozen=True)
class Cell:
    """One implementation at one width: the largest error it shows on any fixed input, and on which."""

    contract: str
    dtype: str
    width: int
    kind: str
    name: str
    ratio: float
    outside: float
    differs: bool
    case: str


def cells(promise: str | Contract, dtype: str, width: int) -> Iterator[Cell]:
    """Every implementation of the zoo under one contract, dtype and width."""
    found = contract(promise)
    zoo = ZOO[found.op]
    cases = fixed_inputs(found.op, dtype, width)
    wanted = [expected(found, **case.inputs) for case in cases]
    for kind, members in (("faithful", zoo.faithful), ("mutant", zoo.mutants)):
        for name, member in members.items():
            if width > member.widest or (kind == "mutant" and not member.claims(found.name, dtype, width)):
                continue
            with np.errstate(all="ignore"):
                verdicts = [
                    judge_expected(found, want, member.function(found, **case.inputs))
                    for case, want in zip(cases, wanted, strict=True)
                ]
            at = max(range(len(cases)), key=lambda i: _strength(verdicts[i]))
            worst = verdicts[at]
            yield Cell(
                found.name,
                dtype,
                width,
                kind,
                name,
                worst.ratio,
                worst.outside,
                worst.differs,
                cases[at].name,
            )


def _strength(verdict: Verdict) -> tuple[bool, float, float]:
    return verdict.differs, verdict.ratio, verdict.outside


def certify(
    promises: Iterable[str], widths: Iterable[int] = WIDTHS, dtypes: Iterable[str] = DTYPES
) -> list[Cell]:
    """All cells of the given contracts, widths and dtypes."""
    return [
        cell
        for promise in promises
        for dtype in dtypes
        for width in widths
        for cell in cells(promise, dtype, width)
    ]


def failures(found: Iterable[Cell]) -> list[str]:
    """Where the method does not keep its promise, in words; empty when it does.

    A mutant must differ at some width, for each contract and dtype that it claims.
    """
    problems, caught = [], dict[tuple[str, str, str], bool]()
    for cell in found:
        if cell.kind == "faithful" and not cell.ratio <= FAITHFUL_MARGIN:
            problems.append(
                f"{cell.contract} {cell.dtype} n = {cell.width}: faithful {cell.name} reaches "
                f"{cell.ratio:.2f} of the bound on {cell.case}; derive the bound anew"
            )
        if cell.kind == "mutant":
            key = (cell.contract, cell.dtype, cell.name)
            caught[key] = caught.get(key, False) or cell.differs
    problems += [
        f"{promise} {dtype}: mutant {name} stays below {DIFFERS_RATIO:g} times the bound and "
        f"{DIFFERS_SHARE:.0%} of the elements on every fixed input; add the input that shows it"
        for (promise, dtype, name), seen in caught.items()
        if not seen
    ]
    return problems


def table(found: Iterable[Cell]) -> list[dict[str, Any]]:
    """One row per contract, dtype and width: the worst faithful margin and the weakest mutant."""
    groups = dict[tuple[str, str, int], list[Cell]]()
    for cell in found:
        groups.setdefault((cell.contract, cell.dtype, cell.width), []).append(cell)
    rows = []
    for (promise, dtype, width), members in groups.items():
        faithful = max((c for c in members if c.kind == "faithful"), key=lambda c: c.ratio)
        mutants = [c for c in members if c.kind == "mutant"]
        shown = [c for c in mutants if c.differs]
        weakest = min(shown, key=lambda c: c.ratio, default=None)
        rows.append(
            {
                "contract": promise,
                "dtype": dtype,
                "width": width,
                "faithful": len(members) - len(mutants),
                "worst_faithful": _brief(faithful),
                "mutants": len(mutants),
                "mutants_shown": len(shown),
                "not_shown_at_this_width": sorted(c.name for c in mutants if not c.differs),
                "weakest_mutant": _brief(weakest) if weakest else None,
            }
        )
    return rows


def _brief(cell: Cell) -> dict[str, Any]:
    values = asdict(cell)
    ratio = float(f"{cell.ratio:.3g}") if np.isfinite(cell.ratio) else "inf"
    return {"name": values["name"], "case": values["case"], "ratio": ratio, "outside": round(cell.outside, 4)}
