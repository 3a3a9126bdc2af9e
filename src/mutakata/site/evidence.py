"""What judging a kata showed: its kill matrix and the size of each mutant's error, kept by content hash."""

import hashlib
import json
import subprocess
import sys
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from mutakata.backends.needs import missing, prepare
from mutakata.bank import Bank, BankError, Exercise, Sources, load_exercise
from mutakata.bank.load import sources

ENGINE = ("backends", "bank", "judge", "numerics", "site/evidence.py")
TIMEOUT = 900


@dataclass(frozen=True)
class Evidence:
    """`matrix` as in `kata run --format json`; `starter`: test to the mutants it kills.

    `inputs` maps a named input to its reason, `errors` a mutant to input to {ratio, outside, differs,
    looks_right, text}. All are empty where `not_proved` says why. `outdated`: something changed since.
    """

    matrix: dict[str, Any] = field(default_factory=dict)
    stryker: dict[str, Any] = field(default_factory=dict)
    starter: dict[str, list[str]] = field(default_factory=dict)
    inputs: dict[str, str] = field(default_factory=dict)
    errors: dict[str, dict[str, dict[str, Any]]] = field(default_factory=dict)
    not_proved: str = ""
    outdated: bool = False

    @property
    def killed(self) -> tuple[str, ...]:
        return tuple(row["id"] for row in self.matrix.get("mutants", ()) if row["status"] == "killed")


def gather(bank: Bank, where: Sources, cache: Path, *, judge: bool = True) -> dict[str, Evidence]:
    """Evidence for every kata; what the cache lacks is judged first, in a process of its own.

    Without `judge` the last result is taken, whatever changed since.
    """
    return {slug: _one(bank.exercise(slug), where, cache, judge) for slug in bank.katas}


def _one(exercise: Exercise, where: Sources, cache: Path, judge: bool) -> Evidence:
    kata = exercise.kata
    lacks = missing(kata.needs)
    if lacks:
        return Evidence(not_proved="; ".join(lacks))
    kept = cache / f"{kata.slug}-{content_hash(exercise)[:20]}.json"
    if not kept.is_file() and not judge:
        return _latest(kata.slug, cache)
    if not kept.is_file():
        problem = _judge_apart(kata.slug, where, kept)
        if problem:
            return Evidence(not_proved=problem)
        for earlier in [one for one in _kept(kata.slug, cache) if one != kept]:
            earlier.unlink()
    return Evidence(**json.loads(kept.read_text(encoding="utf-8")))


def _latest(slug: str, cache: Path) -> Evidence:
    """What was judged last, though something changed since."""
    earlier = _kept(slug, cache)
    if not earlier:
        return Evidence(not_proved="built without judging")
    found = json.loads(earlier[-1].read_text(encoding="utf-8"))
    known = {one.name for one in fields(Evidence)}
    return Evidence(**{name: value for name, value in found.items() if name in known} | {"outdated": True})


def _kept(slug: str, cache: Path) -> list[Path]:
    """Every result of this kata, the last one last."""
    return sorted(cache.glob(f"{slug}-{'[0-9a-f]' * 20}.json"), key=lambda path: path.stat().st_mtime)


def content_hash(exercise: Exercise) -> str:
    """Of all that decides the evidence: the kata's files, its subject and mutants, and the engine."""
    kata = exercise.kata
    package = Path(__file__).parents[1]
    files = [*kata.folder.rglob("*.py"), kata.path, kata.subject, *(one.path for one in exercise.mutants)]
    files += [kata.launcher] if kata.launcher else []
    for name in ENGINE:
        place = package / name
        files += (
            [place] if place.is_file() else [*place.rglob("*.py"), *place.rglob("*.h"), *place.rglob("*.cpp")]
        )
    digest = hashlib.sha256()
    for path in sorted(set(files)):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def _judge_apart(slug: str, where: Sources, target: Path) -> str:
    """A mutant may hang or kill its process, so the build is not that process. Returns what went wrong."""
    target.parent.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "mutakata.site.evidence", slug, str(target)]
    command += [f"--bank={root}" for root in where.roots] + [f"--mutants={path}" for path in where.mutants]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return f"judging took more than {TIMEOUT} s"
    if done.returncode or not target.is_file():
        lines = (done.stderr or done.stdout).strip().splitlines()
        return lines[-1] if lines else f"judging ended with exit code {done.returncode}"
    return ""


def collect(exercise: Exercise) -> Evidence:
    """Judge solution and starter, and call every mutant on every named input."""
    from mutakata.judge import NotScored, PytestRefused, judge
    from mutakata.report.matrix_json import matrix_json
    from mutakata.report.stryker import matrix_stryker

    kata = exercise.kata
    prepare(kata.needs)
    inputs, errors = _errors(exercise)
    matrix = judge(exercise, kata.solution)
    try:
        starter = {test: list(names) for test, names in judge(exercise, kata.starter).killers().items()}
    except (NotScored, PytestRefused):
        starter = {}
    found = matrix_json(matrix) | {"suite": f"katas/{kata.slug}/{kata.solution.name}"}
    stryker = matrix_stryker(matrix, exercise)
    stryker["testFiles"] = {found["suite"]: next(iter(stryker["testFiles"].values()))}
    return Evidence(found, stryker, starter, inputs, errors)


def _errors(exercise: Exercise) -> tuple[dict[str, str], dict[str, dict[str, dict[str, Any]]]]:
    from mutakata.backends.cases import load_cases
    from mutakata.backends.modules import Source, load
    from mutakata.numerics import expected
    from mutakata.numerics.observe import Observation, judge_observation, observe

    kata = exercise.kata
    cases = load_cases(kata.cases)
    wanted = {
        name: expected(kata.contract, **observe(lambda **_: None, case.make).inputs)
        for name, case in cases.items()
    }
    errors: dict[str, dict[str, dict[str, Any]]] = {}
    for mutant in exercise.mutants:
        try:
            function = load(Source(kata.function, mutant.source, kata.subject, kata.launcher))
            seen = {name: observe(function, case.make) for name, case in cases.items()}
        except Exception as error:
            seen = {
                name: Observation({}, None, f"on import, {type(error).__name__}: {error}", ())
                for name in cases
            }
        errors[mutant.id] = {
            name: asdict(judge_observation(kata.contract, one, wanted[name])) for name, one in seen.items()
        }
    return {name: case.reason for name, case in cases.items()}, errors


def _main(arguments: list[str]) -> None:
    from mutakata.judge import NotScored, PytestRefused

    slug, target, *options = arguments
    banks = [Path(one.removeprefix("--bank=")) for one in options if one.startswith("--bank=")]
    mutants = [Path(one.removeprefix("--mutants=")) for one in options if one.startswith("--mutants=")]
    try:
        found = collect(load_exercise(slug, sources(banks, mutants)))
    except (NotScored, PytestRefused, BankError, OSError, SyntaxError) as error:
        sys.exit(str(error))
    Path(target).write_text(json.dumps(asdict(found)), encoding="utf-8")


if __name__ == "__main__":
    _main(sys.argv[1:])
