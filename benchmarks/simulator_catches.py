"""What the CUDA simulation catches: every faulty kernel of its tests on several seeds, and every right one.

    python benchmarks/simulator_catches.py

Writes site/data/simulator_catches.json and the table of site/pages/simulator.md. Seed 0 is the natural order
of blocks and threads. A fault counts as caught only if kind, array and line are the expected ones.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.backends.cuda.cases import faulty, module_of  # noqa: E402
from tests.backends.cuda.right_kernels import RIGHT  # noqa: E402

from mutakata.backends.cuda import Fault  # noqa: E402

SEEDS = (0, 1, 2, 3, 4)
OUT = ROOT / "site" / "data" / "simulator_catches.json"
PAGE = ROOT / "site" / "pages" / "simulator.md"
BEGIN, END = "<!-- catches: begin -->", "<!-- catches: end -->"


def catches() -> list[dict[str, Any]]:
    """One row per faulty kernel: the seeds on which it was caught."""
    rows = []
    for case in faulty():
        module = module_of(case)
        caught = [s for s in SEEDS if case.wrong(case.run(module, s)) is None]
        rows.append({"kernel": case.name, "file": case.file, "kind": case.kind, "caught_on_seeds": caught})
    return rows


def false_alarms() -> list[dict[str, Any]]:
    """One row per right kernel: the seeds on which it was reported."""
    rows = []
    for case in RIGHT:
        reported = []
        for seed in SEEDS:
            try:
                case(seed)
            except Fault:
                reported.append(seed)
        rows.append({"kernel": case.__name__, "reported_on_seeds": reported})
    return rows


def by_kind(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Per kind: kernels, and how many of them were caught on each seed."""
    kernels = Counter(r["kind"] for r in rows)
    caught = Counter((r["kind"], s) for r in rows for s in r["caught_on_seeds"])
    return [
        {"kind": kind, "kernels": n, "caught": {str(s): caught[kind, s] for s in SEEDS}}
        for kind, n in kernels.items()
    ]


def table(kinds: list[dict[str, Any]], right: list[dict[str, Any]]) -> str:
    """The counts as a Markdown table, with the false alarms as its last row."""
    rows = [["kind", "kernels", *(f"seed {s}" for s in SEEDS)], ["---"] * (2 + len(SEEDS))]
    rows += [[k["kind"], str(k["kernels"]), *map(str, k["caught"].values())] for k in kinds]
    alarms = [str(sum(s in r["reported_on_seeds"] for r in right)) for s in SEEDS]
    rows.append(["right kernels: false alarms", str(len(right)), *alarms])
    return "\n".join("| " + " | ".join(r) + " |" for r in rows)


def write_page(written: str) -> None:
    text = PAGE.read_text(encoding="utf-8")
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    PAGE.write_text(f"{before}{BEGIN}\n{written}\n{END}{after}", encoding="utf-8")


def main() -> None:
    rows, right = catches(), false_alarms()
    kinds = by_kind(rows)
    found = {"seeds": SEEDS, "by_kind": kinds, "faulty": rows, "right": right}
    OUT.parent.mkdir(parents=True, exist_ok=True)
    OUT.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    write_page(table(kinds, right))
    missed = [r["kernel"] for r in rows if len(r["caught_on_seeds"]) < len(SEEDS)]
    alarms = [r["kernel"] for r in right if r["reported_on_seeds"]]
    print(f"{len(rows)} faulty kernels on {len(SEEDS)} seeds, missed: {missed or 'none'}")
    print(f"{len(right)} right kernels, false alarms: {alarms or 'none'}")


if __name__ == "__main__":
    main()
