"""Where text goes: colour and rules in a terminal; plain text of 80 columns in a pipe."""

import sys
from collections.abc import Iterable, Sequence

from rich import box
from rich.console import Console, JustifyMethod
from rich.table import Table
from rich.text import Text

PIPE_WIDTH = 80
LEAST = 16


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


def table(
    console: Console,
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    title: str = "",
    cut_last: bool = False,
) -> Table:
    """A table with rules in a terminal, aligned columns in a pipe.

    A column named `#…` is aligned right. `cut_last` keeps each row on one line by cutting its last column.
    """
    made = Table(
        title=title or None,
        box=box.SIMPLE_HEAD if console.is_terminal and not cut_last else None,
        title_justify="left",
        pad_edge=False,
        header_style="bold",
        padding=(0, 2, 0, 0) if cut_last else (0, 1),
    )
    for name in columns:
        right = name.startswith("#")
        # The last column takes what is left; the others keep their words whole where they can.
        side: JustifyMethod = "right" if right else "left"
        made.add_column(name.lstrip("#") or name, justify=side, overflow="fold", no_wrap=right)
    for row in rows:
        made.add_row(*row)
    if cut_last:
        _fit(made, console.width)
    return made


def _fit(made: Table, width: int) -> None:
    """Give each column its natural width, the last what is left; the widest is cut where that is nothing."""
    *columns, last = made.columns
    gap = made.padding[1]
    for column in columns:
        cells = (column.header, *column.cells)
        column.width = max(Text.from_markup(str(cell)).cell_len for cell in cells)
    room = width - sum((column.width or 0) + gap for column in columns)
    if room < LEAST:
        widest = max(columns, key=lambda column: column.width or 0)
        widest.width = max(1, (widest.width or 0) - (LEAST - room))
    last.width = max(room, LEAST)
    for column in made.columns:
        column.no_wrap, column.overflow = True, "ellipsis"
