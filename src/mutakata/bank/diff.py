"""A mutation written as a diff: its old lines must stand at exactly one place of the source."""

from dataclasses import dataclass


class DiffError(ValueError):
    """The diff cannot be read or applied; `offset` is the line inside the diff, from 0."""

    def __init__(self, what: str, fix: str, offset: int = 0) -> None:
        self.what, self.fix, self.offset = what, fix, offset
        super().__init__(f"{what} ({fix})")


@dataclass(frozen=True)
class Hunk:
    """Consecutive lines to find, and what to put there. `offset` is its first line inside the diff."""

    old: tuple[str, ...]
    new: tuple[str, ...]
    offset: int


def parse_diff(text: str) -> tuple[Hunk, ...]:
    """Read lines that begin with '-', '+' or a space; a line of @@ separates two places."""
    hunks = []
    rows = text.splitlines()
    start = 0
    for index in range(len(rows) + 1):
        if index == len(rows) or rows[index].startswith("@@"):
            if start < index:
                hunks.append(_parse_hunk(rows[start:index], start))
            start = index + 1
    if not hunks:
        raise DiffError("the diff is empty", "write at least one line that begins with - or +")
    return tuple(hunks)


def _parse_hunk(rows: list[str], offset: int) -> Hunk:
    for index, row in enumerate(rows):
        if row and row[0] not in "-+ ":
            fix = "begin each line with -, + or a space; separate places by @@"
            raise DiffError(f"not a diff line: {row!r}", fix, offset + index)
    old = tuple(row[1:].rstrip() for row in rows if row[:1] != "+")
    new = tuple(row[1:].rstrip() for row in rows if row[:1] != "-")
    if old == new:
        raise DiffError("the diff changes nothing", "write a - line and a + line that differ", offset)
    if not any(old):
        raise DiffError("the diff only adds lines", "add a line of context, beginning with a space", offset)
    return Hunk(old, new, offset)


def apply_diff(source: str, hunks: tuple[Hunk, ...]) -> str:
    """Return the mutated source. Each hunk is found in the source as the hunks before it left it."""
    rows = source.splitlines()
    for hunk in hunks:
        places = _find(rows, hunk.old)
        if len(places) != 1:
            shown = next((row.strip() for row in hunk.old if row.strip()), "")
            if not places:
                raise DiffError(
                    f"matches nowhere in the source: {shown!r}", "copy the old lines exactly", hunk.offset
                )
            numbers = ", ".join(str(place + 1) for place in places)
            raise DiffError(
                f"matches {len(places)} places (lines {numbers}): {shown!r}",
                "add a line of context, beginning with a space, that stands at one of them only",
                hunk.offset,
            )
        rows[places[0] : places[0] + len(hunk.old)] = hunk.new
    return "\n".join(rows) + "\n"


def _find(rows: list[str], old: tuple[str, ...]) -> list[int]:
    stripped = [row.rstrip() for row in rows]
    return [
        start for start in range(len(rows) - len(old) + 1) if tuple(stripped[start : start + len(old)]) == old
    ]
