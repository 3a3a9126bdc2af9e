"""Checks a built site: every page that was rendered exists, every link and anchor leads somewhere."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LINKS = {"a": "href", "link": "href", "script": "src", "img": "src", "image": "href", "source": "src"}
# The theme's own search results page and error page are reached by script and by the server.
LEFT_OUT = ("404.html",)


@dataclass(frozen=True, order=True)
class Broken:
    """A link of `page`, below the site's folder, that leads nowhere."""

    page: str
    link: str
    why: str

    def __str__(self) -> str:
        return f"{self.page}: {self.link}: {self.why}"


@dataclass
class Page(HTMLParser):
    """The ids of a page, and what it points at."""

    ids: set[str] = field(default_factory=set)
    links: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.ids |= {value for name in ("id", "name") if (value := given.get(name))}
        if (link := given.get(LINKS.get(tag, ""))) is not None and given.get("rel") != "canonical":
            self.links.add(link)


def read(path: Path) -> Page:
    page = Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page


def check_site(site: Path, pages: Path) -> list[Broken]:
    """Every problem of the site in `site` that was made of the Markdown in `pages`."""
    known = {path: read(path) for path in sorted(site.rglob("*.html"))}
    broken = [Broken(name, "", "the page was not built") for name in _missing(site, pages)]
    for path, page in known.items():
        name = path.relative_to(site).as_posix()
        if name not in LEFT_OUT:
            broken += [Broken(name, link, why) for link in page.links if (why := _why(link, path, known))]
    return sorted(set(broken))


def _missing(site: Path, pages: Path) -> Iterator[str]:
    for path in sorted(pages.rglob("*.md")):
        place = path.relative_to(pages)
        folder = place.parent if place.stem == "index" else place.with_suffix("")
        if not (site / folder / "index.html").is_file():
            yield place.as_posix()


def _why(link: str, page: Path, known: dict[Path, Page]) -> str:
    """Why a link is broken; empty for one that is not, or that leaves the site."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return ""
    if parts.path.startswith("/"):
        return "is absolute, and breaks where the site is not at the root"
    target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    if target.is_dir():
        target /= "index.html"
    if not target.is_file():
        return "no such file"
    if parts.fragment and target in known and unquote(parts.fragment) not in known[target].ids:
        return "no such anchor"
    return ""
