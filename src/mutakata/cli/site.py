"""`kata site`: build the bank's site for each audience, serve it, check it."""

from typing import TYPE_CHECKING, Annotated

import typer

from mutakata.bank import sources
from mutakata.cli.content import Banks, Mutants
from mutakata.cli.failure import MACHINERY, USE, fail
from mutakata.report.console import err, out

if TYPE_CHECKING:
    from mutakata.site.audience import Audience

Who = Annotated[
    list[str] | None, typer.Option("--audience", help="candidate or interviewer; both if not given.")
]
Judge = Annotated[
    bool,
    typer.Option(
        "--judge/--no-judge",
        help="Judge what changed, or take the last results as they are.",
    ),
]

app = typer.Typer(no_args_is_help=True, help="The bank as a site, for candidates and for interviewers.")


def register(parent: typer.Typer) -> None:
    parent.add_typer(app, name="site")


@app.command()
def build(audience: Who = None, judge: Judge = True, bank: Banks = None, mutants: Mutants = None) -> None:
    """Render every page and build the sites into build/site/."""
    import time

    from mutakata.site.build import SiteError, checkout
    from mutakata.site.build import build as build_sites

    began = time.perf_counter()
    try:
        built, evidence = build_sites(
            checkout(), sources(bank or (), mutants or ()), _audiences(audience), judge=judge
        )
    except SiteError as error:
        fail(str(error), MACHINERY)
    console = out()
    for one in built:
        console.print(
            f"{one.audience}: {one.pages} pages, {one.size / 1e6:.1f} MB, {one.seconds:.1f} s  {one.folder}",
            soft_wrap=True,
        )
    for slug, found in evidence.items():
        if found.not_proved:
            console.print(f"not proved here: {slug}: {found.not_proved}", soft_wrap=True, markup=False)
    console.print(f"{time.perf_counter() - began:.1f} s in all")


@app.command()
def pages(audience: Who = None, judge: Judge = True, bank: Banks = None, mutants: Mutants = None) -> None:
    """Render the Markdown pages only, into build/pages/, for `mkdocs build`."""
    from mutakata.site.build import SiteError, checkout, write_pages

    place = checkout()
    try:
        write_pages(place, sources(bank or (), mutants or ()), _audiences(audience), judge=judge)
    except SiteError as error:
        fail(str(error), MACHINERY)
    for one in _audiences(audience):
        out().print(str(place.pages(one)), soft_wrap=True)


def _audiences(names: list[str] | None) -> list["Audience"]:
    from mutakata.site.audience import AUDIENCES

    unknown = [name for name in names or () if name not in AUDIENCES]
    if unknown:
        fail(f"no audience {unknown[0]!r}: write {' or '.join(AUDIENCES)}", USE)
    return [name for name in AUDIENCES if not names or name in names]


@app.command()
def serve(
    audience: Annotated[str, typer.Option(help="candidate or interviewer.")] = "interviewer",
    address: Annotated[str, typer.Option(help="host:port")] = "127.0.0.1:8000",
    bank: Banks = None,
    mutants: Mutants = None,
) -> None:
    """Serve one audience's site, with live reload when content changes. Results are the last judged."""
    from mutakata.site.build import SiteError, checkout
    from mutakata.site.serve import serve as serve_site

    (who,) = _audiences([audience])
    try:
        serve_site(checkout(), sources(bank or (), mutants or ()), who, address, err().print)
    except SiteError as error:
        fail(str(error), MACHINERY)


@app.command()
def check(audience: Who = None) -> None:
    """Fail if a page, link or anchor of the built sites is missing."""
    from mutakata.site.build import SiteError, checkout
    from mutakata.site.check import check_site

    try:
        place = checkout()
    except SiteError as error:
        fail(str(error), MACHINERY)
    found = 0
    for one in _audiences(audience):
        if not place.output(one).is_dir():
            fail(f"no {place.output(one)}: run `kata site build`", MACHINERY)
        for broken in check_site(place.output(one), place.pages(one)):
            found += 1
            out().print(f"{one}: {broken}", soft_wrap=True, markup=False, highlight=False)
    out().print(f"{found} broken links or missing pages")
    raise typer.Exit(1 if found else 0)
