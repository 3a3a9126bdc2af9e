"""The command `kata`."""

import sys

import typer

from mutakata.bank import BankError, NotFound
from mutakata.cli.failure import USE

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Mutation-testing katas and interview questions for machine-learning numerics and kernels.",
)


def main() -> None:
    """Assemble the sub-commands and run the one that was typed."""
    from mutakata.cli import author, browse, checkpoint, compare, doctor, models, play, run, site, watch

    for part in (browse, play, run, watch, compare, author, checkpoint, models, site, doctor):
        part.register(app)
    try:
        app()
    except (NotFound, BankError) as error:
        print(error, file=sys.stderr)
        sys.exit(USE)
    except BrokenPipeError:
        # The reader went away (a pager, head): nothing more can be said to it.
        sys.stderr.close()
        sys.exit(1)
