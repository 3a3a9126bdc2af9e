"""Content as mkdocs-material reads it: fences with options, code beside code, links to public reports."""

import difflib
import re
from collections.abc import Sequence
from html import escape
from typing import Any

FENCE = re.compile(r"^(?P<ticks>`{3,})(?P<language>[\w+-]+)(?P<flags>(?: +[\w-]+)*) *$", re.MULTILINE)
MERMAID = re.compile(r"^```mermaid\n(.*?)^```$", re.MULTILINE | re.DOTALL)
WORDS = re.compile(r"\w+|\s+|[^\w\s]")
REPORT = re.compile(r"[\w.-]+/[\w.-]+#\d+")


def web_fences(text: str) -> str:
    """Fences as pymdownx.superfences wants them: our flags become titles, mermaid a class of our own."""

    def replaced(match: re.Match[str]) -> str:
        flags = match["flags"].split()
        title = ' title="asserted: runs in kata check"' if "check" in flags else ""
        return f"{match['ticks']}{match['language']}{title}"

    return MERMAID.sub(_diagram, FENCE.sub(replaced, text))


def _diagram(match: re.Match[str]) -> str:
    # A class that the theme does not know: it would fetch mermaid from outside for its own.
    return f'<pre class="diagram">{escape(match[1], quote=False)}</pre>'


def fence(code: str, language: str, *, numbered: bool = False, title: str = "", lines: str = "") -> str:
    """A fenced block that no run of backticks inside can end. `lines` are highlighted, as in "2 4-5"."""
    longest = max((len(run) for run in re.findall(r"`+", code)), default=0)
    ticks = "`" * max(3, longest + 1)
    options = ' linenums="1"' if numbered else ""
    options += f' title="{escape(title)}"' if title else ""
    options += f' hl_lines="{lines}"' if lines else ""
    return f"{ticks}{language}{options}\n{code.rstrip()}\n{ticks}"


def changed_lines(old: str, new: str) -> str:
    """The lines of `new` that `old` lacks, from 1, for `hl_lines`."""
    matcher = difflib.SequenceMatcher(None, old.splitlines(), new.splitlines(), autojunk=False)
    found = [
        str(line + 1)
        for tag, _, _, start, stop in matcher.get_opcodes()
        if tag != "equal"
        for line in range(start, stop)
    ]
    return " ".join(found)


def beside(old: str, new: str, titles: tuple[str, str]) -> str:
    """Two versions side by side, as an HTML table; what differs within a line is marked."""
    left, right = old.rstrip().splitlines(), new.rstrip().splitlines()
    rows = []
    for tag, a, b, c, d in difflib.SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        for index in range(max(b - a, d - c)):
            one = left[a + index] if a + index < b else None
            two = right[c + index] if c + index < d else None
            marked = _marked(one, two) if tag == "replace" and one is not None and two is not None else None
            rows.append(
                _cell(one, a + index + 1, "" if tag == "equal" else "del", marked and marked[0])
                + _cell(two, c + index + 1, "" if tag == "equal" else "ins", marked and marked[1])
            )
    heads = "".join(f'<th scope="col" colspan="2">{escape(title)}</th>' for title in titles)
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return (
        '<div class="beside" tabindex="0" role="region" aria-label="side by side">'
        f'<table class="sides"><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>'
    )


def _cell(line: str | None, number: int, kind: str, marked: str | None) -> str:
    if line is None:
        return '<td class="n"></td><td class="void"></td>'
    return f'<td class="n">{number}</td><td class="{kind}"><code>{marked or escape(line) or " "}</code></td>'


def _marked(one: str, two: str) -> tuple[str, str]:
    a, b = WORDS.findall(one), WORDS.findall(two)
    left, right = "", ""
    for tag, i, j, k, m in difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        gone, came = escape("".join(a[i:j])), escape("".join(b[k:m]))
        left += gone if tag == "equal" else (f"<mark>{gone}</mark>" if gone else "")
        right += came if tag == "equal" else (f"<mark>{came}</mark>" if came else "")
    return left, right


def reports(text: str) -> str:
    """owner/repo#number as links to the public report, in HTML."""
    return REPORT.sub(lambda match: _link(match[0]), escape(text))


def _link(report: str) -> str:
    repository, number = report.split("#")
    return f'<a href="https://github.com/{repository}/issues/{number}" rel="noopener">{report}</a>'


def number(value: Any) -> str:
    """A figure as a reader wants it: three digits, thousands apart, powers of ten written out."""
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "–"}[value]
    if isinstance(value, int):
        return f"{value:,}".replace(",", "\u202f")
    if not isinstance(value, float):
        return str(value)
    if value != value or value in (float("inf"), float("-inf")):
        return {"inf": "∞", "-inf": "−∞"}.get(str(value), "NaN")
    if value == 0 or 1e-3 <= abs(value) < 1e4:
        return f"{value:.3g}" if abs(value) < 1000 else f"{value:.0f}"
    mantissa, exponent = f"{value:.1e}".split("e")
    return f"{mantissa}·10{raised(int(exponent))}"


def raised(exponent: int) -> str:
    return str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def percent(pair: Sequence[int]) -> str:
    """The share that (count, whole) makes; 0 % means none, and 100 % means all."""
    count, whole = pair
    if not whole or count in (0, whole):
        return f"{100 * count // whole} %" if whole else "–"
    return f"{min(99, max(1, round(100 * count / whole)))} %"


def share(pair: Sequence[int]) -> str:
    """How many of how many, with the percentage that a reader compares."""
    return f"{percent(pair)} ({pair[0]} of {pair[1]})"


def cell(text: str) -> str:
    """Text inside a table: one line, its bars escaped."""
    return " ".join(str(text).split()).replace("|", "\\|")


def lower_headings(text: str) -> str:
    """Headings one level down, outside of fences, for text that stands under a heading of ours."""
    found, inside = [], False
    for row in text.splitlines():
        inside ^= row.lstrip().startswith("```")
        found.append(f"#{row}" if row.startswith("#") and not inside else row)
    return "\n".join(found)


def summary(text: str) -> str:
    """The first sentence of prose, without Markdown's marks."""
    prose = [block for block in text.split("\n\n") if block[:3] != "```" and block[:1] not in "#| -"]
    plain = re.sub(r"[*_`]|\[([^]]*)\]\([^)]*\)", r"\1", " ".join(prose[0].split())) if prose else ""
    end = re.search(r"[.:](?= |$)", plain)
    return (
        plain[: end.end()].rstrip(":") + ("." if end and plain[end.start()] == ":" else "") if end else plain
    )
