"""The kill matrix as a picture: mutants by tests for an interviewer, numbers by tests for everyone."""

from dataclasses import dataclass
from html import escape

from mutakata.site.audience import KataView
from mutakata.site.evidence import Evidence

CELL = 18
NAME_WIDTH, BAR_GAP, BAR = 250, 14, 70
HEAD_ROOM = 200


@dataclass(frozen=True)
class Row:
    """A mutant judged: the tests that kill it, and on how many named inputs a hurried tester sees nothing."""

    id: str
    title: str
    family: str
    status: str
    kills: tuple[str, ...]
    how: str
    dominator: bool
    hidden: int
    inputs: int

    @property
    def difficulty(self) -> float:
        """Share of named inputs on which it passes a default tolerance: 0 is gross, 1 is never seen."""
        return self.hidden / self.inputs if self.inputs else 0.0


def rows(kata: KataView) -> list[Row]:
    """Every judged mutant, those that hide best first."""
    if kata.keys is None:
        return []
    titles = {mutant.id: mutant.title for mutant in kata.keys.mutants}
    found = [row_of(kata.keys.evidence, name, title) for name, title in titles.items()]
    return sorted((row for row in found if row), key=lambda row: (-row.difficulty, len(row.kills), row.id))


def row_of(evidence: Evidence, name: str, title: str = "") -> Row | None:
    """What was found of one mutant; None where nothing was judged."""
    for one in evidence.matrix.get("mutants", ()):
        if one["id"] == name:
            errors = evidence.errors.get(name, {})
            return Row(
                id=name,
                title=title,
                family=one["family"],
                status=one["status"],
                kills=tuple(one["killed_by"]),
                how=one["how"],
                dominator=name in evidence.matrix["dominators"],
                hidden=sum(verdict["looks_right"] for verdict in errors.values()),
                inputs=len(errors),
            )
    return None


@dataclass(frozen=True)
class Verdict:
    """One mutant on one named input, in words. `kind` is a class of the style sheet."""

    input: str
    reason: str
    ratio: float
    outside: str
    verdict: str
    kind: str


def verdicts(evidence: Evidence, name: str) -> list[Verdict]:
    """The inputs that kill a mutant, the largest error first, then those that do not."""
    found = []
    for case, one in evidence.errors.get(name, {}).items():
        kind = "differs" if one["differs"] else "hides" if one["looks_right"] else "within"
        words = {"differs": "kills", "hides": "looks right", "within": "neither"}[kind]
        share = f"{100 * one['outside']:.3g} %" if one["outside"] else "–"
        found.append(Verdict(case, evidence.inputs.get(case, ""), float(one["ratio"]), share, words, kind))
    order = ("differs", "within", "hides")
    return sorted(found, key=lambda one: (order.index(one.kind), -one.ratio, one.input))


def redundant(kata: KataView) -> list[str]:
    """Tests whose every kill is made by another test too."""
    listed = rows(kata)
    sole = {row.kills[0] for row in listed if len(row.kills) == 1}
    assert kata.keys is not None
    return [test["id"] for test in kata.keys.evidence.matrix.get("tests", ()) if test["id"] not in sole]


def picture(kata: KataView) -> str:
    """The interviewer's matrix, as an SVG in a figure."""
    assert kata.keys is not None
    listed = rows(kata)
    tests = [test["id"] for test in kata.keys.evidence.matrix["tests"]]
    # A suite of hundreds of parameters is drawn by test function, or the picture could not be read.
    if len(tests) > 40:
        tests = list(dict.fromkeys(test.split("[")[0] for test in tests))
    wide = NAME_WIDTH + CELL * len(tests) + 2 * BAR_GAP + BAR + 60
    tall = HEAD_ROOM + CELL * len(listed) + 10
    inner = _heads(tests, len(listed)) + "".join(
        _row(kata.slug, row, tests, HEAD_ROOM + CELL * index) for index, row in enumerate(listed)
    )
    return (
        '<figure class="matrix"><div class="matrix-scroll" tabindex="0" role="region" '
        'aria-label="kill matrix">'
        f'<svg viewBox="0 0 {wide} {tall}" width="{wide}" height="{tall}" role="group" '
        f'aria-label="{len(listed)} mutants by {len(tests)} tests">{inner}</svg></div>'
        "<figcaption>A filled square: the test fails on the mutant. ◆ marks dominators: whoever kills them "
        "kills the others too. The bar is the share of named inputs on which the mutant passes the default "
        "rule of "
        "<code>torch.testing.assert_close</code>: the longer, the harder to find.</figcaption></figure>"
    )


def _heads(tests: list[str], count: int) -> str:
    parts = []
    for index, test in enumerate(tests):
        x = NAME_WIDTH + CELL * index + CELL / 2
        parts.append(
            f'<text class="head" transform="translate({x + 4:.0f} {HEAD_ROOM - 8}) rotate(-55)">'
            f"{escape(_short(test))}</text>"
        )
        parts.append(f'<path class="rule" d="M{x:.0f} {HEAD_ROOM}V{HEAD_ROOM + CELL * count}"/>')
    bar = NAME_WIDTH + CELL * len(tests) + BAR_GAP
    parts.append(f'<text class="head" x="{bar}" y="{HEAD_ROOM - 8}">hides on</text>')
    return "".join(parts)


def _short(test: str) -> str:
    name = test.removeprefix("test_").replace("_", " ")
    return name if len(name) <= 34 else name[:33] + "…"


def _row(slug: str, row: Row, tests: list[str], y: int) -> str:
    kills = {*row.kills, *(test.split("[")[0] for test in row.kills)}
    middle, edge = y + CELL // 2, NAME_WIDTH + CELL * len(tests)
    mark = '<tspan class="dominator">◆ </tspan>' if row.dominator else ""
    title = f"<title>{escape(row.title)}: {row.status}</title>"
    parts = [
        f'<path class="rule" d="M{NAME_WIDTH} {middle}H{edge}"/>',
        f'<a href="../../mutants/{slug}/{row.id}/"><text class="mutant" x="{NAME_WIDTH - 10}" ',
        f'y="{middle + 4}" text-anchor="end">{mark}{escape(row.id)}{title}</text></a>',
    ]
    for index, test in enumerate(tests):
        if test in kills:
            told = f"<title>{escape(test)} kills {escape(row.id)}</title>"
            x = NAME_WIDTH + CELL * index + 2
            square = f'x="{x}" y="{y + 2}" width="{CELL - 4}" height="{CELL - 4}" rx="2"'
            parts.append(f'<rect class="kill" {square}>{told}</rect>')
    at = edge + BAR_GAP
    parts.append(f'<rect class="track" x="{at}" y="{middle - 3}" width="{BAR}" height="6" rx="3"/>')
    if row.hidden:
        long = f"{BAR * row.difficulty:.0f}"
        parts.append(f'<rect class="bar" x="{at}" y="{middle - 3}" width="{long}" height="6" rx="3"/>')
    parts.append(f'<text class="share" x="{at + BAR + 8}" y="{middle + 4}">{row.hidden}/{row.inputs}</text>')
    return f'<g class="row">{"".join(parts)}</g>'


def anonymous(kata: KataView) -> str:
    """What a candidate's first run shows: each test of the starter against the mutants by number."""
    count = kata.mutant_count
    solved = set(kata.solved)
    lines = [(test, set(kills)) for test, kills in kata.starter_kills.items()]
    heads = "".join(f'<th scope="col">{number}</th>' for number in range(1, count + 1))
    body = "".join(
        f'<tr><th scope="row"><code>{escape(test)}</code></th>{_cells(kills, count)}'
        f'<td class="sum">{len(kills)}</td></tr>'
        for test, kills in lines
    )
    body += (
        f'<tr class="goal"><th scope="row">the suite that comes with the kata</th>{_cells(solved, count)}'
        f'<td class="sum">{len(solved)}</td></tr>'
    )
    return (
        '<div class="kill-table" tabindex="0" role="region" aria-label="kill table">'
        f'<table class="kills"><thead><tr><th scope="col">test</th>{heads}'
        f'<th scope="col">killed</th></tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def mosaic(kata: KataView) -> str:
    """Every mutant as a square, filled where the starter finds it."""
    found = {number for kills in kata.starter_kills.values() for number in kills}
    columns = max(1, round(kata.mutant_count**0.5 * 1.3))
    squares = "".join(
        f'<rect class="{"kill" if number in found else "live"}" x="{20 * (index % columns) + 2}" '
        f'y="{20 * (index // columns) + 2}" width="16" height="16" rx="3.5"/>'
        for index, number in enumerate(range(1, kata.mutant_count + 1))
    )
    tall = 20 * -(-kata.mutant_count // columns)
    told = f"{len(found)} of {kata.mutant_count} defects of {kata.title} found by its first suite"
    return (
        f'<figure class="mosaic"><svg viewBox="0 0 {20 * columns} {tall}" role="img" '
        f'aria-label="{escape(told)}">'
        f"{squares}</svg><figcaption>{escape(told)}</figcaption></figure>"
    )


def _cells(kills: set[int], count: int) -> str:
    return "".join(
        f'<td class="{"kill" if number in kills else "live"}"><span class="cell" role="img" '
        f'aria-label="{"killed" if number in kills else "survived"}"></span></td>'
        for number in range(1, count + 1)
    )
