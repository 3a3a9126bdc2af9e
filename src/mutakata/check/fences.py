"""Executes the `check` fences of a question or a page: numbers claimed in prose are asserted there."""

import linecache
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from mutakata.backends.cases import load_cases
from mutakata.backends.modules import Source, load
from mutakata.bank import Exercise, Problem, Question
from mutakata.bank.document import Fence
from mutakata.check.finding import Findings


def check_question_fences(question: Question, exercise: Exercise, findings: Findings) -> None:
    """Each fence sees np, `candidate`, `reference` and `case(name)`: the arguments of a named input."""
    kata = exercise.kata
    try:
        functions = {
            # Two names: Triton reads the source of a kernel again at its first call, by file name.
            name: load(Source(kata.function, fence.text, Path(f"{question.path}:{name}"), kata.launcher))
            for name, fence in (("candidate", question.candidate), ("reference", question.reference))
        }
    except Exception as error:
        what = f"its code cannot be loaded: {type(error).__name__}: {error}"
        findings.problems.append(Problem(question.path, question.candidate.line, what, "mend the code"))
        return
    names: dict[str, Any] = {"case": lambda name: load_cases(kata.cases)[name].make(), **functions}
    for fence in question.checks:
        check_fence(question.path, fence, names, findings)


def check_fence(path: Path, fence: Fence, names: Mapping[str, Any], findings: Findings) -> None:
    """Run one fence in a namespace of its own."""
    name = f"<{path}:{fence.line}>"
    linecache.cache[name] = (len(fence.text), None, fence.text.splitlines(True), name)
    try:
        with np.errstate(all="ignore"):
            exec(compile(fence.text, name, "exec"), {"np": np, "__name__": "check", **names})
    except SyntaxError as error:
        line = fence.line + (error.lineno or 1) - 1
        findings.problems.append(Problem(path, line, f"the check does not parse: {error.msg}", "mend it"))
    except Exception as error:
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == name]
        offset = (frames[-1].lineno or 1) - 1 if frames else 0
        said = f"{type(error).__name__}: {error}".strip().rstrip(":")
        code = f" in `{frames[-1].line}`" if frames else ""
        findings.problems.append(
            Problem(path, fence.line + offset, f"the check fails: {said}{code}", "mend the claim or the code")
        )
    findings.count("checks in prose")
