"""Where text goes: colour and rules in a terminal; plain text of 80 columns in a pipe."""

import sys
from collections.abc import Iterable, Sequence

from rich import box
from rich.console import Console
from rich.table import Table

PIPE_WIDTH = 80


def out() -> Console:
    """Standard output, bound now: what is redirected later does not swallow it."""
    return _console(sys.stdout)


def err() -> Console:
    return _console(sys.stderr)


def _console(stream: object) -> Console:
    console = Console(file=stream, highlight=False, soft_wrap=False)  # type: ignore[arg-type]
    if not console.is_terminal:
        console = Console(file=stream, highlight=False, width=PIPE_WIDTH, no_color=True)  # type: ignore[arg-type]
    return console


def table(console: Console, columns: Sequence[str], rows: Iterable[Sequence[str]], title: str = "") -> Table:
    """A table with rules in a terminal, aligned columns in a pipe. A column named `#…` is aligned right."""
    style = box.SIMPLE_HEAD if console.is_terminal else None
    made = Table(title=title or None, box=style, title_justify="left", pad_edge=False, header_style="bold")
    for name in columns:
        right = name.startswith("#")
        # The last column takes what is left; the others keep their words whole where they can.
        made.add_column(name, justify="right" if right else "left", overflow="fold", no_wrap=right)
    for row in rows:
        made.add_row(*row)
    return made
