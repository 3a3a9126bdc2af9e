"""What a kernel did wrong, in words, with the line that did it."""

import linecache
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Site:
    """A line of a kernel's source."""

    path: str
    line: int

    def __str__(self) -> str:
        text = linecache.getline(self.path, self.line).strip()
        return f"{Path(self.path).name}:{self.line}: {text}"


@dataclass(frozen=True)
class Access:
    """Who touches memory: `verb` is load, store or atomic; `program` is its place in the grid."""

    verb: str
    kernel: str
    program: str
    site: Site


class Fault(AssertionError):
    """A kernel did what no GPU defines. An AssertionError, so that a test fails with these very words.

    `kind` is out-of-bounds, race or duplicate-store; `sites` are the lines involved, the present one first.
    """

    def __init__(self, kind: str, what: str, sites: tuple[Site, ...], fix: str) -> None:
        self.kind = kind
        self.sites = sites
        super().__init__("\n".join([f"{kind}: {what}", *(f"    {site}" for site in sites), f"    {fix}"]))
