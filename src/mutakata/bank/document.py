"""A content file: YAML front matter, one title, `##` sections, fenced code; every part knows its line."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import yaml

from mutakata.bank.problem import Problem


@dataclass(frozen=True)
class Fence:
    """A fenced block. `line` is the line of its first line of code."""

    language: str
    flags: tuple[str, ...]
    text: str
    line: int


@dataclass(frozen=True)
class Section:
    """A heading with all that stands below it, up to the next heading of the same level or above."""

    title: str
    line: int
    text: str
    fences: tuple[Fence, ...]
    parts: tuple["Section", ...] = ()

    @property
    def prose(self) -> str:
        """The text before the first sub-heading."""
        return self.text.split("\n### ", 1)[0].strip() if not self.text.startswith("### ") else ""


@dataclass(frozen=True)
class Document:
    """A parsed file. `lines` maps each front-matter key (and `key.index`) to its line."""

    path: Path
    meta: dict[str, Any]
    lines: dict[str, int]
    body: str
    body_line: int

    @cached_property
    def _tokens(self) -> list[Any]:
        tokens: list[Any] = _parser().parse(self.body)
        return tokens

    @cached_property
    def headings(self) -> tuple[tuple[int, str, int], ...]:
        """(level, text, index of the line in the body) of every heading."""
        found = []
        for token, inline in zip(self._tokens, self._tokens[1:], strict=False):
            if token.type == "heading_open" and token.level == 0:
                found.append((int(token.tag[1]), inline.content.strip(), token.map[0]))
        return tuple(found)

    @cached_property
    def title(self) -> str:
        return next((text for level, text, _ in self.headings if level == 1), "")

    @cached_property
    def fences(self) -> tuple[Fence, ...]:
        return tuple(self._fences_between(0, len(self.body.splitlines())))

    @cached_property
    def sections(self) -> dict[str, Section]:
        """`##` sections by title; a title used twice keeps its first section (see `repeated`)."""
        found: dict[str, Section] = {}
        for section in self._cut(2, 0, len(self.body.splitlines())):
            found.setdefault(section.title, section)
        return found

    @property
    def repeated(self) -> list[tuple[str, int]]:
        seen: set[str] = set()
        twice = []
        for level, text, index in self.headings:
            if level == 2:
                if text in seen:
                    twice.append((text, self.body_line + index))
                seen.add(text)
        return twice

    def _cut(self, level: int, start: int, stop: int) -> Iterator[Section]:
        rows = self.body.splitlines()
        inside = [h for h in self.headings if start <= h[2] < stop]
        for position, (depth, text, index) in enumerate(inside):
            if depth != level:
                continue
            end = next((h[2] for h in inside[position + 1 :] if h[0] <= level), stop)
            yield Section(
                title=text,
                line=self.body_line + index,
                text="\n".join(rows[index + 1 : end]).strip("\n"),
                fences=tuple(self._fences_between(index, end)),
                parts=tuple(self._cut(level + 1, index + 1, end)) if level < 3 else (),
            )

    def _fences_between(self, start: int, stop: int) -> Iterator[Fence]:
        for token in self._tokens:
            if token.type == "fence" and start <= token.map[0] < stop:
                language, *flags = token.info.split() or [""]
                yield Fence(language, tuple(flags), token.content, self.body_line + token.map[0] + 1)


@cache
def _parser() -> Any:
    """Blocks alone: what stands inside a line is of no interest here, and is most of the time."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt()
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


class Unreadable(Exception):
    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        super().__init__(str(problem))


def read_document(path: Path) -> Document:
    """Split a file into front matter and body. Raises Unreadable with file, line and the mend."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        fix = "make the file readable, as UTF-8 text"
        raise Unreadable(Problem(path, 0, f"cannot be read: {error}", fix)) from error
    return parse_document(path, text)


def parse_document(path: Path, text: str) -> Document:
    rows = text.splitlines()
    if not rows or rows[0].strip() != "---":
        raise Unreadable(
            Problem(path, 1, "no front matter", "begin the file with a line of ---, then YAML, then ---")
        )
    end = next((i for i, row in enumerate(rows[1:], 1) if row.strip() == "---"), None)
    if end is None:
        raise Unreadable(Problem(path, 1, "front matter is not closed", "end it with a line of ---"))
    meta, lines = _read_yaml(path, "\n".join(rows[1:end]))
    return Document(path, meta, lines, "\n".join(rows[end + 1 :]), end + 2)


def _read_yaml(path: Path, text: str) -> tuple[dict[str, Any], dict[str, int]]:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        node = yaml.compose(text, Loader=loader)
        meta = yaml.load(text, Loader=loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 2 if mark else 1
        what = f"front matter is not YAML: {getattr(error, 'problem', None) or error}"
        raise Unreadable(
            Problem(path, line, what, "quote values that hold a colon, a # or a bracket")
        ) from error
    if not isinstance(meta, dict) or not isinstance(node, yaml.MappingNode):
        raise Unreadable(Problem(path, 2, "front matter is not a mapping", "write it as `key: value` lines"))
    lines: dict[str, int] = {}
    for key, value in node.value:
        if key.value in lines:
            what = f"key {key.value!r} stands twice in the front matter"
            raise Unreadable(Problem(path, key.start_mark.line + 2, what, "keep one of them"))
        lines[key.value] = key.start_mark.line + 2
        if isinstance(value, yaml.SequenceNode):
            for index, item in enumerate(value.value):
                lines[f"{key.value}.{index}"] = item.start_mark.line + 2
    return meta, lines
