"""The promises of mutants: where they differ, where they look right, and that no two are the same."""

from collections.abc import Callable
from itertools import combinations
from typing import Any

from mutakata.backends.cases import Case, load_cases
from mutakata.backends.modules import Source, load
from mutakata.bank import Exercise, Kata, Mutant, Problem
from mutakata.check.finding import Findings
from mutakata.numerics import expected
from mutakata.numerics.expectation import Expected
from mutakata.numerics.observe import CellVerdict, Observation, alike, judge_observation, observe

Seen = dict[str, Observation]


def check_promises(exercise: Exercise, findings: Findings) -> None:
    """Run the reference, each faithful implementation and each mutant on every named input of the kata."""
    kata = exercise.kata
    cases = load_cases(kata.cases)
    for case in cases.values():
        if not case.reason:
            fix = "say in its docstring which regime it is"
            findings.problems.append(Problem(kata.cases, case.line, f"input {case.id!r} has no reason", fix))
    wanted = {
        name: expected(kata.contract, **observe(_nothing, case.make).inputs) for name, case in cases.items()
    }
    for source in (kata.subject, *kata.faithful):
        text = source.read_text(encoding="utf-8")
        seen = _see(Source(kata.function, text, source, kata.launcher), cases)
        for name, one in seen.items():
            verdict = judge_observation(kata.contract, one, wanted[name])
            if not verdict.right:
                fix = "mend it: a correct implementation keeps the contract on every named input"
                findings.problems.append(Problem(source, 0, f"on input {name!r}: {verdict.text}", fix))
        findings.count("correct implementations")
    seen_by_mutant = {}
    for mutant in exercise.mutants:
        seen_by_mutant[mutant.id] = seen = _see(
            Source(kata.function, mutant.source, kata.subject, kata.launcher), cases
        )
        _check_mutant(mutant, kata, seen, wanted, findings)
        findings.count("mutants")
    _check_distinct(exercise, seen_by_mutant, wanted, findings)


def _nothing(**arguments: Any) -> None: ...


def _see(source: Source, cases: dict[str, Case]) -> Seen:
    function: Callable[..., Any]
    try:
        function = load(source)
    except Exception as error:
        raised = f"{type(error).__name__}: {error}"
        return {name: Observation({}, None, f"on import, {raised}", ()) for name in cases}
    return {name: observe(function, case.make) for name, case in cases.items()}


def _check_mutant(
    mutant: Mutant, kata: Kata, seen: Seen, wanted: dict[str, Expected], findings: Findings
) -> None:
    verdicts = {name: judge_observation(kata.contract, one, wanted[name]) for name, one in seen.items()}
    if mutant.equivalent:
        for name, verdict in verdicts.items():
            if not verdict.right:
                _say(
                    findings,
                    mutant,
                    "equivalent",
                    f"is called equivalent, but on {name!r}: {verdict.text}",
                    "drop the key",
                )
        return
    if not mutant.killed_by:
        _say(
            findings,
            mutant,
            "killed_by",
            "killed_by is empty",
            f"name inputs of {kata.cases.name} that kill it",
        )
    for key, names, holds in (
        ("killed_by", mutant.killed_by, _differs),
        ("survives", mutant.survives, _looks_right),
    ):
        for index, name in enumerate(names):
            if name not in verdicts:
                fix = f"the inputs are {', '.join(verdicts)}"
                _say(findings, mutant, f"{key}.{index}", f"{key} names an unknown input {name!r}", fix)
            elif not holds(verdicts[name]):
                _say(findings, mutant, f"{key}.{index}", *_broken(key, name, verdicts))


def _differs(verdict: CellVerdict) -> bool:
    return verdict.differs


def _looks_right(verdict: CellVerdict) -> bool:
    # Within the bound nobody could object, even where a default tolerance is tighter than rounding.
    return verdict.looks_right or verdict.right


def _broken(key: str, name: str, verdicts: dict[str, CellVerdict]) -> tuple[str, str]:
    verdict = verdicts[name]
    if key == "killed_by":
        good = [other for other, one in verdicts.items() if one.differs]
        what = f"killed_by names {name!r}, where it is only {verdict.ratio:.2g} of the bound off"
        return what, f"it differs on {', '.join(good) or 'no input: add a case that shows it'}"
    good = [other for other, one in verdicts.items() if _looks_right(one)]
    first = verdict.text.splitlines()[-1].strip()
    what = f"survives names {name!r}, where a default tolerance sees it: {first}"
    return what, f"it looks right on {', '.join(good) or 'no input: write survives: []'}"


def _say(findings: Findings, mutant: Mutant, key: str, what: str, fix: str) -> None:
    line = mutant.lines.get(key) or mutant.lines.get(key.split(".")[0], 1)
    findings.problems.append(Problem(mutant.path, line, what, fix))


def _check_distinct(
    exercise: Exercise, seen: dict[str, Seen], wanted: dict[str, Expected], findings: Findings
) -> None:
    for a, b in combinations((mutant for mutant in exercise.mutants if not mutant.equivalent), 2):
        if all(alike(wanted[name], seen[a.id][name], seen[b.id][name]) for name in wanted):
            what = f"cannot be told from {b.id} on any named input"
            findings.problems.append(
                Problem(a.path, 0, what, "add an input that tells them apart, or drop one")
            )
