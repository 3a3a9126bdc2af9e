"""How a command ends badly: a message on standard error and an exit code."""

import sys
from typing import NoReturn

import typer

USE, REFERENCE, MACHINERY = 2, 3, 4


def fail(message: str, code: int) -> NoReturn:
    """Say what is wrong on standard error and exit."""
    print(message, file=sys.stderr)
    raise typer.Exit(code)
