"""The command `kata`."""

import sys
from importlib import import_module

import typer

from mutakata.bank.problem import BankError, NotFound
from mutakata.cli.failure import USE

# The module of each command. Only the module of the command that was typed is imported.
COMMANDS = {
    "list": "browse",
    "show": "browse",
    "start": "play",
    "hint": "play",
    "status": "play",
    "reset": "play",
    "run": "run",
    "watch": "watch",
    "compare": "compare",
    "check": "author",
    "new": "author",
    "checkpoint": "checkpoint",
    "models": "models",
    "site": "site",
    "doctor": "doctor",
}


def assemble(typed: str | None = None) -> typer.Typer:
    """The application: all of it, or as much as the command `typed` needs."""
    app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
    app.callback(
        help="Mutation-testing katas and interview questions for machine-learning numerics and kernels."
    )(lambda: None)  # with a callback, an application of one command still expects its name
    modules = [COMMANDS[typed]] if typed in COMMANDS else dict.fromkeys(COMMANDS.values())
    for name in modules:
        import_module(f"mutakata.cli.{name}").register(app)
    return app


def main() -> None:
    """Run the command that was typed."""
    try:
        assemble(sys.argv[1] if sys.argv[1:] else None)()
    except (NotFound, BankError) as error:
        print(error, file=sys.stderr)
        sys.exit(USE)
    except BrokenPipeError:
        # The reader went away (a pager, head): nothing more can be said to it.
        sys.stderr.close()
        sys.exit(1)
