"""`kata check` and `kata new`: what an author must prove, and skeletons to begin from."""

import typer


def register(app: typer.Typer) -> None:
    pass
