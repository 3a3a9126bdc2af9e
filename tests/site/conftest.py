import shutil
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from mutakata.bank import Sources, load_bank
from mutakata.site.audience import AUDIENCES
from mutakata.site.build import Place, build, checkout
from mutakata.site.evidence import Evidence, gather
from mutakata.site.serve import serving
from tests.site.bank import make_bank

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@dataclass(frozen=True)
class Made:
    """The marked bank, judged and built for both audiences."""

    where: Sources
    place: Place
    evidence: dict[str, Evidence]


@pytest.fixture(scope="session")
def made(tmp_path_factory) -> Made:
    pytest.importorskip("mkdocs", reason="mkdocs-material is not installed")
    place = Place(checkout().root, tmp_path_factory.mktemp("build"))
    if not (place.site / "node_modules" / "katex").is_dir():
        pytest.skip("site/node_modules is missing: npm ci --prefix site")
    where = make_bank(tmp_path_factory.mktemp("bank"))
    assert not load_bank(where).problems
    _, evidence = build(place, where)
    return Made(where, place, evidence)


@pytest.fixture(scope="session")
def evidence(tmp_path_factory) -> dict[str, Evidence]:
    where = make_bank(tmp_path_factory.mktemp("bank"))
    return gather(load_bank(where), where, tmp_path_factory.mktemp("judged"))


@pytest.fixture(scope="session")
def served(made):
    """Audience to the address of its site."""
    with ExitStack() as stack:
        yield {one: stack.enter_context(serving(made.place.output(one))) for one in AUDIENCES}


@pytest.fixture(scope="session")
def browser():
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("no chromium: apt-get install -y chromium")
    with (
        playwright.sync_playwright() as engine,
        engine.chromium.launch(executable_path=CHROMIUM, args=FLAGS) as found,
    ):
        yield found


@dataclass
class Watched:
    """A browser page, with what its console said and what it asked of other hosts."""

    page: Any
    said: list[str]
    outside: list[str]


@pytest.fixture
def visit(browser, served):
    """visit(audience, path, width=…, scheme=…): an open page; closed at the end of the test."""
    contexts = []

    def go(audience: str, path: str, width: int = 1280, scheme: str = "light") -> Watched:
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        contexts.append(context)
        page = context.new_page()
        found = Watched(page, [], [])
        page.on(
            "console", lambda one: found.said.append(one.text) if one.type in ("error", "warning") else None
        )
        page.on("pageerror", lambda error: found.said.append(str(error)))
        page.on(
            "request",
            lambda one: (
                None
                if one.url.startswith((served[audience], "data:", "blob:"))
                else found.outside.append(one.url)
            ),
        )
        page.goto(f"{served[audience]}/{path}", wait_until="networkidle")
        return found

    yield go
    for context in contexts:
        context.close()


def pages_of(site: Path) -> list[str]:
    """Addresses of every page of a built site, below its root."""
    found = [path.relative_to(site).as_posix() for path in sorted(site.rglob("*.html"))]
    return [name.removesuffix("index.html") for name in found]
