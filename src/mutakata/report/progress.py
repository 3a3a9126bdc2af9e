"""A progress bar on standard error, only in a terminal and only for what takes over a second."""

import contextlib
import time
from collections.abc import Callable, Iterator

PATIENCE = 1.0


@contextlib.contextmanager
def progress(label: str, total: int, quiet: bool = False) -> Iterator[Callable[[], None]]:
    """Yield a function to call at each step."""
    if quiet:
        yield lambda: None
        return
    # Here, not above: 25 ms that a machine's reader has no use for.
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from mutakata.report.console import err

    console = err()
    if not console.is_terminal:
        yield lambda: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    # Left to itself the bar swaps sys.stdout, and later puts back what pytest had put there meanwhile.
    bar = Progress(
        *columns,
        console=console,
        transient=True,
        auto_refresh=False,
        redirect_stdout=False,
        redirect_stderr=False,
    )
    task = bar.add_task(label, total=total)
    began = time.monotonic()

    def step() -> None:
        bar.advance(task)
        if time.monotonic() - began > PATIENCE:
            bar.start()
            bar.refresh()

    try:
        yield step
    finally:
        bar.stop()
