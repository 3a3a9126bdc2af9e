"""Reads and validates content; knows nothing about running it."""

from mutakata.bank.diff import DiffError
from mutakata.bank.kata import Exercise, Kata
from mutakata.bank.load import Bank, Sources, load_bank, load_exercise, sources
from mutakata.bank.mutant import Mutant, compose
from mutakata.bank.problem import BankError, NotFound, Problem
from mutakata.bank.question import Question

__all__ = [
    "Bank",
    "BankError",
    "DiffError",
    "Exercise",
    "Kata",
    "Mutant",
    "NotFound",
    "Problem",
    "Question",
    "Sources",
    "compose",
    "load_bank",
    "load_exercise",
    "sources",
]
