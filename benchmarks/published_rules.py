"""Published tolerance rules against the derived bound, on the same implementations and inputs.

python benchmarks/published_rules.py writes site/data/published_rules.json: for every rule the mutants
that it kills and the correct implementations that it rejects, on the inputs that tests usually have (N(0,
1), parameters of one) and on the fixed inputs.
"""

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from mutakata.numerics import Case, contract, expected, fixed_inputs, judge_expected, round_to
from mutakata.numerics.certify import DTYPES, PRIMARY
from mutakata.numerics.expectation import Expected
from mutakata.numerics.tolerances import PUBLISHED, Published
from mutakata.numerics.verdict import named_outputs
from mutakata.numerics.zoo import ZOO

OUTPUT = Path(__file__).resolve().parents[1] / "site" / "data" / "published_rules.json"
WIDTH = 1000
OURS = "derived bound"


def usual(case: Case) -> Case:
    """The ordinary case as most tests have it: weights of one, shifts of zero."""
    plain = {"weight": 1.0, "gamma": 1.0, "beta": 0.0}
    inputs = {k: np.full_like(v, plain[k]) if k in plain else v for k, v in case.inputs.items()}
    return Case("usual", "N(0, 1) and parameters of one", inputs)


def accepts(rule: Published, wanted: Expected, got: Any) -> bool:
    """Does a published rule accept every output?"""
    found, problems = named_outputs(wanted, got)
    if problems:
        return False
    for name in wanted.outputs:
        exact = wanted[name].value
        want = round_to(exact, wanted[name].dtype)
        if want.shape != found[name].shape or want.dtype != found[name].dtype:
            return False
        with np.errstate(all="ignore"):
            if not rule.right(want, found[name], exact):
                return False
    return True


def judged(promise: str, dtype: str) -> Iterator[tuple[str, str, str, str, bool]]:
    """(inputs, kind, implementation, rule, flagged) for every implementation."""
    found = contract(promise)
    cases = fixed_inputs(found.op, dtype, WIDTH)
    for inputs, chosen in (("usual", [usual(cases[0])]), ("fixed", cases)):
        wanted = [expected(found, **case.inputs) for case in chosen]
        for kind, members in (("faithful", ZOO[found.op].faithful), ("mutant", ZOO[found.op].mutants)):
            for name, member in members.items():
                if kind == "mutant" and not member.claims(found.name, dtype, WIDTH):
                    continue
                with np.errstate(all="ignore"):
                    outputs = [member.function(found, **case.inputs) for case in chosen]
                verdicts = [judge_expected(found, w, got) for w, got in zip(wanted, outputs, strict=True)]
                ours = any(v.differs if kind == "mutant" else not v.right for v in verdicts)
                yield inputs, kind, name, OURS, ours
                for rule in PUBLISHED:
                    flagged = any(not accepts(rule, w, got) for w, got in zip(wanted, outputs, strict=True))
                    yield inputs, kind, name, rule.name, flagged


def main() -> int:
    start = time.process_time()
    counts: dict[tuple[str, str, str, str], list[int]] = {}
    for promise in PRIMARY:
        for dtype in DTYPES:
            for inputs, kind, _, rule, flagged in judged(promise, dtype):
                for op in (contract(promise).op, "all"):
                    entry = counts.setdefault((op, rule, inputs, kind), [0, 0])
                    entry[0] += flagged
                    entry[1] += 1
    sources = {
        OURS: "site/pages/numerics.md",
        **{r.name: r.source for r in PUBLISHED},
    }
    rows = [
        {"op": op, "rule": rule, "source": source, **{
            f"{label}_{inputs}": counts[op, rule, inputs, kind]
            for kind, label in (("mutant", "kills"), ("faithful", "false_alarms"))
            for inputs in ("usual", "fixed")
        }}
        for op in ("all", *ZOO)
        for rule, source in sources.items()
    ]  # fmt: skip
    record = {
        "command": "python benchmarks/published_rules.py",
        "width": WIDTH,
        "unit": "[flagged, implementations], an implementation counted once for each dtype it claims",
        "seconds_cpu": round(time.process_time() - start, 1),
        "rows": rows,
    }
    OUTPUT.parent.mkdir(parents=True, exist_ok=True)
    OUTPUT.write_text(json.dumps(record, indent=1) + "\n")
    for row in rows[: len(sources)]:
        print({key: value for key, value in row.items() if key != "source"})
    return 0


if __name__ == "__main__":
    sys.exit(main())
