"""Writes the pages of an audience, copies what is vendored, and lets mkdocs-material make the site."""

import multiprocessing
import os
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from mutakata.bank import Sources, load_bank
from mutakata.site.audience import AUDIENCES, Audience
from mutakata.site.evidence import Evidence, gather
from mutakata.site.pages import Pages, render, site

VENDORED = {
    "katex/dist/katex.min.js": "katex/katex.min.js",
    "katex/dist/katex.min.css": "katex/katex.min.css",
    "mermaid/dist/mermaid.min.js": "mermaid.min.js",
}
FOR_INTERVIEWERS = {"mutation-testing-elements/dist/mutation-test-elements.js": "mutation-test-elements.js"}
FONTS = ("inter", "jetbrains-mono", "source-serif-4")
SUBSETS = ("latin", "latin-ext", "greek")


class SiteError(Exception):
    """The site cannot be built; the message ends with the command to type."""


@dataclass(frozen=True)
class Place:
    """A checkout, whose site/ and mkdocs.yml are read, and the folder below which everything is written."""

    root: Path
    build: Path

    @property
    def site(self) -> Path:
        return self.root / "site"

    def pages(self, audience: Audience) -> Path:
        return self.build / "pages" / audience

    def output(self, audience: Audience) -> Path:
        return self.build / "site" / audience


@dataclass(frozen=True)
class Built:
    """One audience's site: how many pages of HTML, how many bytes in all, after how many seconds."""

    audience: Audience
    folder: Path
    pages: int
    size: int
    seconds: float


def checkout() -> Place:
    """Where this package's site lies. Raises SiteError outside of a checkout."""
    root = Path(__file__).resolve().parents[3]
    if not (root / "mkdocs.yml").is_file():
        raise SiteError(
            f"no mkdocs.yml in {root}: the site is built from a checkout, "
            "`git clone` it and run `pip install --editable '.[site]'` there"
        )
    return Place(root, root / "build")


def read_config(place: Place) -> dict[str, Any]:
    content = yaml.safe_load((place.root / "mkdocs.yml").read_text(encoding="utf-8"))
    assert isinstance(content, dict)
    return content


def navigation(config: Mapping[str, Any], audience: Audience) -> list[Any]:
    """The candidate's navigation; an interviewer's has more pages in its sections, and more sections."""
    nav = [dict(entry) for entry in config["nav"]]
    if audience == "candidate":
        return nav
    sections = {name: entry for entry in nav for name in entry}
    for entry in config["extra"]["interviewer_nav"]:
        for name, pages in entry.items():
            if name in sections:
                sections[name][name] = [*sections[name][name], *pages]
            else:
                nav.insert(len(nav) - 1, {name: pages})
    return nav


def listed(nav: Sequence[Any]) -> frozenset[str]:
    """Every page that a navigation names."""
    found: set[str] = set()
    for entry in nav:
        for value in entry.values() if isinstance(entry, dict) else [entry]:
            found |= {value} if isinstance(value, str) else listed(value)
    return frozenset(found)


def write_pages(
    place: Place, where: Sources, audiences: Sequence[Audience] = AUDIENCES, *, judge: bool = True
) -> dict[str, Evidence]:
    """Render every page into build/pages/<audience>; a file that did not change is not touched."""
    bank = load_bank(where)
    evidence = gather(bank, where, place.build / "judged", judge=judge)
    config = read_config(place)
    for audience in audiences:
        shown = listed(navigation(config, audience))
        pages = render(site(audience, place.site, bank, evidence, shown))
        write_tree(place.pages(audience), place, pages, audience)
    return evidence


def write_tree(target: Path, place: Place, pages: Pages, audience: Audience) -> None:
    """The pages with assets and vendored files. What an earlier build left and this one lacks is removed."""
    kept = {target / name for name in pages}
    for name, text in pages.items():
        _write(target / name, text.encode())
    for source, path in _copied(place, audience).items():
        kept.add(target / path)
        _write(target / path, source.read_bytes())
    fonts = target / "assets" / "fonts.css"
    _write(fonts, font_faces(place).encode())
    for left in [one for one in target.rglob("*") if one.is_file() and one not in kept | {fonts}]:
        left.unlink()


def _copied(place: Place, audience: Audience) -> dict[Path, str]:
    """Source to path below the docs folder. Raises SiteError where npm has not installed."""
    modules = place.site / "node_modules"
    vendored = VENDORED | (FOR_INTERVIEWERS if audience == "interviewer" else {})
    files = {modules / source: f"assets/vendor/{path}" for source, path in vendored.items()}
    fonts = modules / "katex" / "dist" / "fonts"
    files |= {path: f"assets/vendor/katex/fonts/{path.name}" for path in fonts.glob("*.woff2")}
    for family in FONTS:
        for subset in SUBSETS:
            for style in ("normal", "italic"):
                path = modules / f"@fontsource-variable/{family}/files/{family}-{subset}-wght-{style}.woff2"
                if path.is_file():
                    files[path] = f"assets/fonts/{path.name}"
    lacking = [source for source in files if not source.is_file()]
    if lacking:
        raise SiteError(f"no {lacking[0].relative_to(place.root)}: run `npm ci --prefix site`")
    assets = place.site / "assets"
    return files | {
        path: f"assets/{path.relative_to(assets)}" for path in assets.rglob("*") if path.is_file()
    }


def font_faces(place: Place) -> str:
    """The @font-face rules of the subsets we ship, pointing at our own copies."""
    found = []
    for family in FONTS:
        for sheet in ("index.css", "wght-italic.css"):
            path = place.site / "node_modules" / "@fontsource-variable" / family / sheet
            for rule in re.findall(r"@font-face \{.*?\}", path.read_text(encoding="utf-8"), re.DOTALL):
                if any(f"-{subset}-wght-" in rule for subset in SUBSETS):
                    found.append(rule.replace("url(./files/", "url(fonts/"))
    return "\n".join(found)


def _write(path: Path, content: bytes) -> None:
    if not path.is_file() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def build(
    place: Place, where: Sources, audiences: Sequence[Audience] = AUDIENCES, *, judge: bool = True
) -> tuple[list[Built], dict[str, Evidence]]:
    """Render and build; two audiences side by side, each in a process of its own."""
    evidence = write_pages(place, where, audiences, judge=judge)
    # A process of its own: mkdocs sets up logging and plugins for the whole process it runs in.
    with multiprocessing.get_context("spawn").Pool(len(audiences)) as pool:
        return pool.starmap(make_site, [(place, audience) for audience in audiences]), evidence


def make_site(place: Place, audience: Audience) -> Built:
    """Run mkdocs over the rendered pages of one audience. Raises SiteError with what mkdocs said."""
    os.environ["NO_MKDOCS_2_WARNING"] = "1"
    from mkdocs.commands.build import build as mkdocs_build
    from mkdocs.config import load_config
    from mkdocs.exceptions import Abort, ConfigurationError

    began = time.perf_counter()
    output = place.output(audience)
    try:
        config = load_config(
            str(place.root / "mkdocs.yml"),
            docs_dir=str(place.pages(audience)),
            site_dir=str(output),
            nav=navigation(read_config(place), audience),
        )
        mkdocs_build(config)
    except (Abort, ConfigurationError) as error:
        raise SiteError(
            f"mkdocs refused the {audience}'s site: {error}; `kata site check` lists why"
        ) from error
    files = [path for path in output.rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in files)
    count = sum(path.suffix == ".html" for path in files)
    return Built(audience, output, count, size, time.perf_counter() - began)
