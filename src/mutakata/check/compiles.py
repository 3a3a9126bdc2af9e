"""Would the GPU's compilers take the kernels? What only a simulation accepts is neither kernel nor mutant."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from mutakata.backends.cases import load_cases
from mutakata.backends.modules import Source, load
from mutakata.bank import Exercise, Kata, Problem
from mutakata.check.finding import Findings
from mutakata.numerics.observe import observe

if TYPE_CHECKING:
    from mutakata.backends.triton import Seen

Text = tuple[Path, str]  # the file that a finding names, and a kernel's source


def check_compiles(exercise: Exercise, findings: Findings) -> None:
    """Correct kernels for every architecture, mutants for the newest; nothing for a kata without kernels."""
    for need, compiles in _COMPILERS.items():
        if need in exercise.kata.needs:
            compiles(exercise, findings)


def _correct(kata: Kata) -> list[Text]:
    return [(path, path.read_text(encoding="utf-8")) for path in (kata.subject, *kata.faithful)]


def _mutants(exercise: Exercise) -> list[Text]:
    return [(mutant.path, mutant.source) for mutant in exercise.mutants]


def _cuda(exercise: Exercise, findings: Findings) -> None:
    from mutakata.backends.cuda import ARCHITECTURES, NOT_PROVED, GateResult, gate

    todo = [(*one, arch) for one in _correct(exercise.kata) for arch in ARCHITECTURES]
    todo += [(*one, ARCHITECTURES[-1]) for one in _mutants(exercise)]

    def ask(one: tuple[Path, str, str]) -> GateResult:
        return gate(one[1], str(exercise.kata.subject), one[2])

    first = ask(todo[0])
    if first.accepted is None:
        findings.not_proved.append(f"{exercise.kata.slug}, for a GPU's compiler: {NOT_PROVED}, {first.log}")
        return
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        answers = [first, *pool.map(ask, todo[1:])]
    for (path, _, arch), answer in zip(todo, answers, strict=True):
        findings.count("compilations")
        if not answer.accepted:
            _refused(findings, path, f"{answer.tool} for {arch}", answer.log)


def _triton(exercise: Exercise, findings: Findings) -> None:
    from mutakata.backends.triton import ARCHITECTURES, Seen, compile_seen

    todo: list[tuple[Path, Seen, int]] = []
    for path, text in _correct(exercise.kata):
        todo += [(path, seen, arch) for seen in _launches(exercise.kata, text) for arch in ARCHITECTURES]
    for path, text in _mutants(exercise):
        todo += [(path, seen, ARCHITECTURES[-1]) for seen in _launches(exercise.kata, text)]
    answers = compile_seen([(seen, arch) for _, seen, arch in todo])
    for (path, seen, arch), answer in zip(todo, answers, strict=True):
        findings.count("compilations")
        if not answer.ok:
            _refused(findings, path, f"triton for sm_{arch}, kernel {seen.kernel}", answer.error)


def _launches(kata: Kata, text: str) -> "list[Seen]":
    """How the named inputs launch a source's kernels: one launch for each kernel and types of arguments."""
    from mutakata.backends.triton import forget, launches

    forget()
    try:
        function = load(Source(kata.function, text, kata.subject))
    except Exception:
        return []  # said by the promises, which load it too
    for case in load_cases(kata.cases).values():
        observe(function, case.make)
    return list({(seen.kernel, seen.signature): seen for seen in launches()}.values())


def _refused(findings: Findings, path: Path, by: str, log: str) -> None:
    said = next((line.strip() for line in log.splitlines() if "error" in line.lower()), log.strip()[:200])
    fix = "mend it: what no compiler takes runs on no GPU"
    findings.problems.append(Problem(path, 0, f"refused by {by}: {said}", fix))


_COMPILERS: dict[str, Callable[[Exercise, Findings], None]] = {"cuda": _cuda, "triton": _triton}
