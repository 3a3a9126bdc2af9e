"""Runs a suite against implementations, isolated, and returns the kill matrix."""

from mutakata.judge.fork import PytestRefused
from mutakata.judge.model import Cell, Implementation, Matrix, Row
from mutakata.judge.run import (
    FailsOnReference,
    Flaky,
    NoTests,
    NotImportable,
    NotScored,
    Options,
    implementations,
    judge,
    judge_all,
)

__all__ = [
    "Cell",
    "FailsOnReference",
    "Flaky",
    "Implementation",
    "Matrix",
    "NoTests",
    "NotImportable",
    "NotScored",
    "Options",
    "PytestRefused",
    "Row",
    "implementations",
    "judge",
    "judge_all",
]
