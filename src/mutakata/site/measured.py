"""The generated measurements of site/data as tables."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any


def contexts(data: Path, interviewer: bool) -> dict[str, dict[str, Any]]:
    """Name of a page below measured/ to what its template needs. A candidate gets none that name mutants."""
    rules = _read(data / "published_rules.json")
    found: dict[str, dict[str, Any]] = {
        "accumulation": {"formats": formats()},
        "rules": {"data": rules, "ops": _by_operation(rules)},
        "liger": {"data": _read(data / "liger.json")},
        "libraries": {"data": _read(data / "libraries.json"), "named": interviewer},
    }
    if interviewer:
        certified, confusion = _read(data / "certification.json"), _read(data / "confusion.json")
        found |= {
            "epsilon": {},
            "certification": {"data": certified, "rows": _by_contract(certified)},
            "diagnosis": {"data": confusion, "ops": _by_operation(confusion)},
            "simulators": {"data": _read(data / "simulator_catches.json")},
        }
    return found


def rules_in_short(data: Path) -> dict[str, Any] | None:
    """Every rule over all operations, for the home page."""
    rules = _read(data / "published_rules.json")
    rows = _by_operation(rules).get("all")
    if not rows:
        return None
    return {"rows": rows, "total": rows[0]["kills_fixed"][1], "ops": len(_by_operation(rules)) - 1}


def formats() -> list[dict[str, Any]]:
    """The four formats, from the table that the engine itself rounds by."""
    from mutakata.numerics.rounding import DTYPES, FORMATS, unit_roundoff

    return [
        {
            "name": name,
            "bits": FORMATS[dtype].precision,
            "roundoff": float(unit_roundoff(dtype)),
            "top": FORMATS[dtype].overflow - 1,
            "stands": 2 ** FORMATS[dtype].precision,
        }
        for name, dtype in reversed(DTYPES.items())
    ]


def _read(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def _by_operation(measurement: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for row in measurement.get("rows", ()):
        found.setdefault(row["op"], []).append(row)
    return found


def _by_contract(certified: dict[str, Any]) -> list[dict[str, Any]]:
    """One row for each contract and dtype: the worst correct implementation and the weakest defect."""
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in certified.get("rows", ()):
        groups.setdefault((row["contract"], row["dtype"]), []).append(row)
    return [
        {
            "contract": contract,
            "dtype": dtype,
            "widths": len(rows),
            "faithful": max(row["faithful"] for row in rows),
            "mutants": max(row["mutants"] for row in rows),
            "worst": max((row["worst_faithful"] for row in rows), key=lambda one: float(one["ratio"])),
            "weakest": _strongest_sight(rows),
        }
        for (contract, dtype), rows in groups.items()
    ]


def _strongest_sight(rows: Iterable[dict[str, Any]]) -> dict[str, Any] | None:
    """The defect that shows least, each taken at the width where it shows best."""
    best: dict[str, dict[str, Any]] = {}
    for row in rows:
        one = row.get("weakest_mutant")
        if one and float(one["ratio"]) > float(best.get(one["name"], {"ratio": 0})["ratio"]):
            best[one["name"]] = one
    return min(best.values(), key=lambda one: float(one["ratio"]), default=None)
