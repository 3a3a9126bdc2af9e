"""How good the diagnosis is: python benchmarks/diagnosis.py [op ...]

Every defect of the zoo is handed in as an unknown kernel, written anew in benchmarks/unknown, and so are
correct kernels. Writes site/data/confusion.json with one row for each, and fails below 90 % first, 98 % among
the first three, or on a correct kernel that is given a defect. With names of operations, prints those only.
"""

import json
import platform
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from unknown import CORRECT, UNKNOWN

from mutakata.backends.adapt import How, adapt
from mutakata.numerics.compare import DTYPES, compare, questions
from mutakata.numerics.diagnose import Diagnosis, diagnose, predictions
from mutakata.numerics.likeness import likeness
from mutakata.numerics.ops import expected
from mutakata.numerics.presets import contract
from mutakata.numerics.zoo import ZOO

OUTPUT = Path(__file__).resolve().parents[1] / "site" / "data" / "confusion.json"
WIDTHS, ROWS = (63, 128, 1000), 3
# Defects that are one and the same within rounding; `check_same` holds this against the zoo.
SAME = {
    ("eps_dropped", "eps_in_count"): "in float32 n + 1e-6 is n from n = 16 on",
    (
        "sum_bf16_pairwise",
        "sum_bf16_blocked",
    ): "the same bits up to 256 columns; beyond, one sum in two orders",
}
FIRST, THREE = 0.90, 0.98


def rows(op: str) -> Iterator[dict[str, Any]]:
    """One row per unknown kernel of an operation."""
    missing = ZOO[op].mutants.keys() ^ UNKNOWN[op].keys()
    assert not missing, f"{op}: {sorted(missing)} are not in both the zoo and benchmarks/unknown"
    promise, asked = contract(f"{op}/numpy"), questions(op, DTYPES, WIDTHS, ROWS)
    known = predictions(promise, asked)
    for kind, kernels in (("correct", CORRECT[op]), ("defect", UNKNOWN[op])):
        for name in sorted(kernels):
            start = time.process_time()
            found = compare(adapt(kernels[name], How(arrays="torch")), promise, asked)
            diagnosis = diagnose(found, known)
            yield {
                "op": op,
                "kind": kind,
                "kernel": name,
                "verdict": found.verdict,
                **named(name, diagnosis),
                "seconds_cpu": round(time.process_time() - start, 1),
            }


def named(name: str, diagnosis: Diagnosis) -> dict[str, Any]:
    """Where the right defect stands among the defects of the zoo."""
    order = [one.suspect.id for one in diagnosis.ranked if one.suspect.kind == "mutant"]
    return {
        "rank": order.index(name) + 1 if name in order else None,
        "rank_of_class": min((order.index(one) + 1 for one in alike(name) if one in order), default=None),
        "first": [one.suspect.id for one in diagnosis.ranked[:3]],
        "not_told_apart": [one.suspect.id for one in diagnosis.remaining],
        "explained": any(one.suspect.id == name for one in diagnosis.remaining),
    }


def alike(name: str) -> tuple[str, ...]:
    """The defect and those that it cannot be told from by construction."""
    return next((names for names in SAME if name in names), (name,))


def check_same() -> None:
    """Every class in SAME gives outputs that rounding alone explains, up to 256 columns."""
    for first, second in SAME:
        promise, mutants = contract("rms_norm/numpy"), ZOO["rms_norm"].mutants
        for one in questions("rms_norm", DTYPES, (63, 128, 256), ROWS):
            wanted, inputs = expected(promise, **one.case.inputs), one.case.inputs
            with np.errstate(all="ignore"):
                a, b = (mutants[name].function(promise, **inputs) for name in (first, second))
            assert likeness(wanted["y"], a, [b]).explained, f"{first} and {second} differ on {one.id}"


def summary(found: list[dict[str, Any]]) -> dict[str, Any]:
    """Shares over all operations and by operation."""
    defects = [row for row in found if row["kind"] == "defect"]
    return {
        "defects": len(defects),
        "first": sum(row["rank"] == 1 for row in defects),
        "first_by_class": sum(row["rank_of_class"] == 1 for row in defects),
        "among_three": sum(row["rank"] is not None and row["rank"] <= 3 for row in defects),
        "correct": sum(row["kind"] == "correct" for row in found),
        "correct_given_a_defect": sum(
            row["kind"] == "correct" and row["verdict"] != "keeps" for row in found
        ),
    }


def main() -> int:
    check_same()
    found = []
    for op in sys.argv[1:] or ZOO:
        for row in rows(op):
            found.append(row)
            right = row["rank"] == 1 or (row["kind"] == "correct" and row["verdict"] == "keeps")
            print(f"{'  ' if right else '! '}{op:22}{row['kernel']:28}{row['verdict']:15}", end="")
            print(
                row["rank"], row["not_told_apart"][:3] or row["first"], f"{row['seconds_cpu']} s", flush=True
            )
    total = summary(found)
    print(total)
    if not sys.argv[1:]:
        write(found, total)
    enough = total["first"] >= FIRST * total["defects"] and total["among_three"] >= THREE * total["defects"]
    return 0 if enough and not total["correct_given_a_defect"] else 1


def write(found: list[dict[str, Any]], total: dict[str, Any]) -> None:
    versions = f"Python {platform.python_version()}, NumPy {np.__version__}, torch {torch.__version__}"
    record = {
        "command": "python benchmarks/diagnosis.py",
        "machine": f"{platform.machine()}, {versions}",
        "asked": {"dtypes": DTYPES, "widths": WIDTHS, "rows": ROWS, "contract": "numpy"},
        "same_by_construction": [{"defects": names, "reason": why} for names, why in SAME.items()],
        "summary": total,
        "by_op": {op: summary([row for row in found if row["op"] == op]) for op in ZOO},
        "rows": found,
    }
    OUTPUT.parent.mkdir(parents=True, exist_ok=True)
    OUTPUT.write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    sys.exit(main())
