"""Checks the whole bank, or the part of it that some paths name."""

from collections.abc import Callable, Iterable
from pathlib import Path

from mutakata.backends.needs import missing, prepare
from mutakata.bank import Bank, Exercise, Problem, Question
from mutakata.check.compiles import check_compiles
from mutakata.check.fences import check_question_fences
from mutakata.check.finding import Findings
from mutakata.check.promises import check_promises
from mutakata.check.suites import check_suites
from mutakata.judge import Matrix


def check_bank(
    bank: Bank,
    paths: Iterable[Path] = (),
    on_step: Callable[[str], None] = lambda name: None,
    on_matrix: Callable[[Exercise, Matrix], None] = lambda exercise, matrix: None,
) -> Findings:
    """Prove what can be proved here. Problems of reading are taken over; what they hide is not checked."""
    findings = Findings()
    chosen = [path.resolve() for path in paths]
    findings.problems += [one for one in bank.problems if _touches(chosen, one.path)]
    for exercise, questions in _work(bank, chosen):
        on_step(exercise.kata.slug)
        lacks = missing(exercise.kata.needs)
        if lacks:
            findings.not_proved.append(f"{exercise.kata.slug}: {'; '.join(lacks)}")
            continue
        prepare(exercise.kata.needs)
        try:
            matrix = check_exercise(exercise, questions, findings)
        except Exception as error:  # content is code: whatever it raises is a finding, not an end
            what = f"the check stopped: {type(error).__name__}: {error}"
            findings.problems.append(Problem(exercise.kata.path, 0, what, "mend cases.py or the contract"))
            continue
        if matrix is not None:
            on_matrix(exercise, matrix)
    return findings


def check_exercise(exercise: Exercise, questions: list[Question], findings: Findings) -> Matrix | None:
    """One kata with its mutants, suites and questions."""
    check_promises(exercise, findings)
    check_compiles(exercise, findings)
    matrix = check_suites(exercise, questions, findings)
    for question in questions:
        check_question_fences(question, exercise, findings)
    findings.count("katas")
    return matrix


def _work(bank: Bank, chosen: list[Path]) -> list[tuple[Exercise, list[Question]]]:
    found = []
    for slug, kata in sorted(bank.katas.items(), key=lambda item: item[1].order):
        exercise = bank.exercise(slug)
        questions = [one for one in bank.questions.values() if one.meta.kata == slug]
        own = [kata.path, kata.subject, kata.cases, kata.starter, kata.solution, *kata.faithful]
        own += [mutant.path for mutant in exercise.mutants]
        touched = [one for one in questions if _touches(chosen, one.path)]
        if any(_touches(chosen, path) for path in own):
            found.append((exercise, questions))
        elif touched:
            found.append((exercise, touched))
    return found


def _touches(chosen: list[Path], path: Path) -> bool:
    path = path.resolve()
    return not chosen or any(path == one or one in path.parents for one in chosen)
