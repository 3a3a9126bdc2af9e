"""`kata doctor`: what this machine can run, and why not the rest."""

import platform
import sys
from importlib.metadata import PackageNotFoundError, version

import typer

from mutakata.bank import load_bank, sources
from mutakata.cli.content import Banks


def register(app: typer.Typer) -> None:
    app.command()(doctor)


def doctor(bank: Banks = None) -> None:
    """Say which katas this machine can run, and what to type for the others."""
    from mutakata.backends.needs import forkable, missing
    from mutakata.report.console import out, table

    console = out()
    own = _version("mutakata") or "(not installed)"
    console.print(f"mutakata {own}, Python {platform.python_version()}, {sys.platform}", soft_wrap=True)
    packages = [
        f"{name} {found}" for name in ("numpy", "pytest", "torch", "triton") if (found := _version(name))
    ]
    console.print(", ".join(packages))
    how = "forked (fast)" if forkable(()) else "spawned (slower: fork is missing or unsafe here)"
    console.print(f"workers: {how}")
    content = load_bank(sources(bank or ()))
    rows = []
    reasons: dict[str, None] = {}
    for kata in sorted(content.katas.values(), key=lambda one: one.order):
        lacks = missing(kata.needs)
        reasons.update(dict.fromkeys(lacks))
        verdict = "[yellow]not here[/]" if lacks else "[green]runs[/]"
        rows.append((kata.slug, ", ".join(kata.needs) or "-", verdict))
    console.print(table(console, ("kata", "needs", "verdict"), rows))
    for reason in reasons:
        console.print(reason, soft_wrap=True, markup=False)


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""
