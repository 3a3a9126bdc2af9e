"""The suites of a kata: the solution kills everything and spares what is correct, the starter leaves work."""

import ast

from mutakata.backends.modules import Source
from mutakata.bank import Exercise, Problem, Question
from mutakata.check.finding import Findings
from mutakata.judge import Implementation, Matrix, NotScored, PytestRefused, Row, implementations, judge_all

STAYS = "stays"


def check_suites(exercise: Exercise, questions: list[Question], findings: Findings) -> Matrix | None:
    """Judge solution and starter; with the solution, also the code of the questions. Returns its matrix."""
    kata = exercise.kata
    extra = [one for question in questions for one in question_code(question, exercise)]
    matrix = _judge(exercise, kata.solution, extra, findings)
    if matrix is None:
        return None
    for row in matrix.mutants:
        if row.implementation.id in exercise.numbers and row.status not in ("killed", "equivalent"):
            path = exercise.mutant(row.implementation.id).path
            what = f"the solution does not kill it: {row.status} {row.how}".rstrip()
            findings.problems.append(Problem(path, 0, what, f"add a test to {kata.solution}"))
    for row in matrix.false_kills:
        if row.implementation.role == "faithful" and "question:" not in row.implementation.id:
            what = f"rejects the correct {row.implementation.id}: {', '.join(row.kills) or row.how}"
            findings.problems.append(Problem(kata.solution, 0, what, "derive its tolerance from rounding"))
    _check_each_test(exercise, matrix, findings)
    for question in questions:
        check_code(question, matrix, findings)
    _check_starter(exercise, findings)
    return matrix


def _judge(
    exercise: Exercise, suite: object, extra: list[Implementation], findings: Findings
) -> Matrix | None:
    kata = exercise.kata
    path = kata.folder / str(suite)
    try:
        return judge_all(kata, [*implementations(exercise), *extra], path)
    except (NotScored, PytestRefused) as error:
        findings.problems.append(
            Problem(path, 0, f"cannot be scored: {error}", f"run `pytest {path.name}` on it")
        )
    except (OSError, SyntaxError) as error:
        line = getattr(error, "lineno", 0) or 0
        findings.problems.append(Problem(path, line, f"cannot be read: {error}", "mend the file"))
    return None


def _check_starter(exercise: Exercise, findings: Findings) -> None:
    matrix = _judge(exercise, exercise.kata.starter, [], findings)
    if matrix is None:
        return
    path = exercise.kata.starter
    if matrix.clean:
        findings.problems.append(
            Problem(path, 0, "the starter kills everything", "leave work for the candidate")
        )
    for row in matrix.false_kills:
        findings.problems.append(
            Problem(path, 0, f"rejects the correct {row.implementation.id}", "loosen the starter")
        )


def _check_each_test(exercise: Exercise, matrix: Matrix, findings: Findings) -> None:
    """Each test of the solution is the only killer of some mutant, or its docstring says why it stays."""
    own = exercise.numbers
    killers = [
        {test.split("[")[0] for test in row.kills} for row in matrix.mutants if row.implementation.id in own
    ]
    names = {name for one in killers if len(one) == 1 for name in one}
    for name, line, text in _tests(exercise):
        if name not in names and STAYS not in text.lower():
            what = f"{name} is the only killer of no mutant"
            fix = f"drop it, or say in its docstring why it {STAYS}"
            findings.problems.append(Problem(exercise.kata.solution, line, what, fix))


def _tests(exercise: Exercise) -> list[tuple[str, int, str]]:
    tree = ast.parse(exercise.kata.solution.read_text(encoding="utf-8"))
    found = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
            found.append((node.name, node.lineno, ast.get_docstring(node) or ""))
        elif isinstance(node, ast.ClassDef):
            for one in node.body:
                if isinstance(one, ast.FunctionDef) and one.name.startswith("test"):
                    found.append((f"{node.name}::{one.name}", one.lineno, ast.get_docstring(one) or ""))
    return found


def question_code(question: Question, exercise: Exercise) -> list[Implementation]:
    """The candidate and the reference of a question, as implementations of its kata."""
    kata = exercise.kata

    def one(kind: str, text: str, role: str) -> Implementation:
        source = Source(kata.function, text, question.path, kata.launcher)
        return Implementation(f"question:{question.slug}:{kind}", role, source)  # type: ignore[arg-type]

    return [
        one("candidate", question.candidate.text, "mutant"),
        one("reference", question.reference.text, "faithful"),
    ]


def check_code(question: Question, matrix: Matrix, findings: Findings) -> None:
    """The candidate dies by tests that kill the mutants it names; the reference is accepted."""
    rows = {row.implementation.id: row for row in matrix.rows}
    candidate = rows[f"question:{question.slug}:candidate"]
    reference = rows[f"question:{question.slug}:reference"]
    if not reference.accepted:
        what = f"the reference fails {', '.join(reference.kills) or reference.how}"
        findings.problems.append(Problem(question.path, question.reference.line, what, "mend the reference"))
    if candidate.status != "killed":
        what = f"the candidate is not killed: {candidate.status}"
        findings.problems.append(
            Problem(question.path, question.candidate.line, what, "give it the defects of `bugs`")
        )
        return
    for index, bug in enumerate(question.meta.bugs):
        _check_bug(question, index, bug, candidate, rows.get(bug), findings)
    findings.count("questions")


def _check_bug(
    question: Question, index: int, bug: str, candidate: Row, mutant: Row | None, findings: Findings
) -> None:
    if mutant is not None and not set(candidate.kills) & set(mutant.kills):
        what = f"the candidate fails no test that kills {bug}"
        line = question.lines.get(f"bugs.{index}", question.lines["bugs"])
        findings.problems.append(Problem(question.path, line, what, "mend the candidate, or drop the bug"))
