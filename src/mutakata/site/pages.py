"""Every page of the site as Markdown, rendered from the bank by the templates in site/templates."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from mutakata.bank import Bank, Mutant, vocabulary
from mutakata.site import coverage, figures, markdown, matrix, measured
from mutakata.site.audience import Audience, KataView, QuestionView, kata_view, question_view
from mutakata.site.evidence import Evidence

Pages = dict[str, str]
MINUTES = (5, 10, 15, 20, 30, 45, 60, 90)


@dataclass(frozen=True)
class Site:
    """What the pages are rendered from: one audience's views of the bank, katas and questions in order.

    `place` is the folder site/ of a checkout; `shown` are the hand-written pages that this audience gets.
    """

    audience: Audience
    place: Path
    katas: tuple[KataView, ...]
    questions: tuple[QuestionView, ...]
    shown: frozenset[str]

    @property
    def interviewer(self) -> bool:
        return self.audience == "interviewer"

    @property
    def mutants(self) -> tuple[Mutant, ...]:
        """Every mutant that this audience may see."""
        return tuple(mutant for kata in self.katas if kata.keys for mutant in kata.keys.mutants)


def site(
    audience: Audience, place: Path, bank: Bank, evidence: Mapping[str, Evidence], shown: frozenset[str]
) -> Site:
    katas = [kata_view(kata, bank, evidence[kata.slug], audience) for kata in bank.katas.values()]
    katas.sort(key=lambda one: (one.order, one.slug))
    order = list(vocabulary.TOPICS)
    questions = sorted(
        (question_view(question, audience) for question in bank.questions.values()),
        key=lambda one: (order.index(one.topic), one.level, one.slug),
    )
    return Site(audience, place, tuple(katas), tuple(questions), shown)


def render(whole: Site) -> Pages:
    """Path below the docs folder to text, for every page and data file of this audience."""
    jinja = environment(whole)
    pages = _fixed_pages(whole, jinja)
    pages |= _question_pages(whole, jinja)
    pages |= _kata_pages(whole, jinja)
    if whole.interviewer:
        pages |= _mutant_pages(whole, jinja)
        pages |= _coverage_page(whole, jinja)
    return pages


def environment(whole: Site) -> Environment:
    """Templates see the audience's views, the vocabulary and our drawing functions; never the bank."""
    jinja = Environment(
        loader=FileSystemLoader(whole.place / "templates"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    filters: dict[str, Callable[..., Any]] = {
        "fences": markdown.web_fences,
        "reports": markdown.reports,
        "number": markdown.number,
        "cell": markdown.cell,
        "lower_headings": markdown.lower_headings,
        "raised": markdown.raised,
        "share": markdown.share,
        "percent": markdown.percent,
        "e": escape,
    }
    jinja.filters |= filters
    jinja.globals |= {
        "interviewer": whole.interviewer,
        "katas": whole.katas,
        "kata_of": {one.slug: one for one in whole.katas},
        "questions": whole.questions,
        "question_of": {one.slug: one for one in whole.questions},
        "words": vocabulary,
        "fence": markdown.fence,
        "beside": markdown.beside,
        "summary": markdown.summary,
        "figures": figures,
        "matrix": matrix,
    }
    return jinja


def _fixed_pages(whole: Site, jinja: Environment) -> Pages:
    data = whole.place / "data"
    shown = next((kata for kata in whole.katas if kata.starter_kills), None)
    pages = {
        "index.md": _render(jinja, "home.md", shown=shown, rules=measured.rules_in_short(data)),
        "questions/index.md": _render(jinja, "questions.md", facets=_facets(whole), minute_limits=MINUTES),
        "katas/index.md": _render(jinja, "katas.md"),
    }
    for name in sorted(whole.shown):
        path = whole.place / "pages" / name
        if path.is_file():
            pages[name] = markdown.web_fences(path.read_text(encoding="utf-8"))
    for name, values in measured.contexts(data, whole.interviewer).items():
        pages[f"measured/{name}.md"] = _render(jinja, f"measured/{name}.md", **values)
    return pages


def _facets(whole: Site) -> list[dict[str, Any]]:
    """The filters of the list, with every value of the vocabulary that some question has."""
    named: dict[str, Mapping[str, str]] = {
        "level": {name: f"{name} {word}" for name, word in vocabulary.LEVELS.items()},
        "format": {name: name.replace("-", " ") for name in vocabulary.FORMATS},
        "role": {name: name.replace("-", " ") for name in vocabulary.ROLES},
        "topic": {name: name for name in vocabulary.TOPICS},
        "kata": {one.slug: one.title for one in whole.katas},
    }
    used = {name: {value for one in whole.questions for value in one.values(name)} for name in named}
    return [
        {"name": name, "values": [(value, label) for value, label in labels.items() if value in used[name]]}
        for name, labels in named.items()
        if used[name]
    ]


def _question_pages(whole: Site, jinja: Environment) -> Pages:
    pages = {}
    mutants = {(mutant.kata, mutant.id): mutant for mutant in whole.mutants}
    for before, one, after in _with_neighbours(whole.questions):
        bugs = [mutants.get((one.kata, name)) for name in (one.answers.bugs if one.answers else ())]
        pages[f"questions/{one.slug}.md"] = _render(
            jinja,
            "question.md",
            question=one,
            before=before,
            after=after,
            bugs=[bug for bug in bugs if bug],
            candidate_text=_with_lines(one.candidate, one.code),
            reference_text=_with_lines(one.answers.reference, one.answers.code, one.code)
            if one.answers
            else "",
            question_count=len(whole.questions),
        )
    facts = ("title", "level", "format", "topic", "minutes", "kata", "roles")
    rows = [{"slug": one.slug, **{name: one.facts[name] for name in facts}} for one in whole.questions]
    pages["assets/questions.json"] = _compact(rows)
    pages["assets/words.json"] = _compact({one.slug: f" {one.words}" for one in whole.questions})
    return pages


def _compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _with_lines(text: str, code: str, other: str = "") -> str:
    """A section whose one block of code has numbered lines; those that `other` lacks are highlighted."""
    found = markdown.web_fences(text)
    for language in ("python", "cuda"):
        marked = markdown.changed_lines(other, code) if other else ""
        old = f"```{language}\n{code}"
        if old in found:
            options = ' linenums="1"' + (f' hl_lines="{marked}"' if marked else "")
            return found.replace(old, f"```{language}{options}\n{code}", 1)
    return found


def _with_neighbours(listed: tuple[Any, ...]) -> list[tuple[Any, Any, Any]]:
    return list(zip((None, *listed), listed, (*listed[1:], None), strict=False))


def _kata_pages(whole: Site, jinja: Environment) -> Pages:
    pages = {}
    for one in whole.katas:
        asked = [each for each in whole.questions if each.kata == one.slug]
        pages[f"katas/{one.slug}.md"] = _render(jinja, "kata.md", kata=one, asked=asked, hidden_on=_hidden_on)
        if one.keys and one.keys.evidence.stryker:
            report = _compact(one.keys.evidence.stryker).replace("<", "\\u003c")
            pages[f"katas/{one.slug}/report.html"] = _render(jinja, "stryker.html", kata=one, report=report)
    return pages


def _hidden_on(kata: KataView, name: str) -> int:
    """How many mutants pass the default tolerance on this input."""
    errors = kata.keys.evidence.errors if kata.keys else {}
    return sum(verdicts[name]["looks_right"] for verdicts in errors.values())


def _mutant_pages(whole: Site, jinja: Environment) -> Pages:
    pages = {"mutants/index.md": _render(jinja, "mutants.md", row_of=_row_of)}
    for kata in whole.katas:
        assert kata.keys is not None
        for number, (before, mutant, after) in enumerate(_with_neighbours(kata.keys.mutants), 1):
            pages[f"mutants/{kata.slug}/{mutant.id}.md"] = _render(
                jinja,
                "mutant.md",
                kata=kata,
                mutant=mutant,
                number=number,
                row=_row_of(kata, mutant),
                verdicts=matrix.verdicts(kata.keys.evidence, mutant.id),
                before=before,
                after=after,
                asked=[
                    one
                    for one in whole.questions
                    if one.answers and one.kata == kata.slug and mutant.id in one.answers.bugs
                ],
            )
    return pages


def _row_of(kata: KataView, mutant: Mutant) -> matrix.Row | None:
    return matrix.row_of(kata.keys.evidence, mutant.id, mutant.title) if kata.keys else None


def _coverage_page(whole: Site, jinja: Environment) -> Pages:
    defects = coverage.matched(coverage.read_defects(whole.place / "data" / "bugs.tsv"), whole.mutants)
    areas: dict[str, list[int]] = {}
    for one in defects:
        areas.setdefault(one.area, [0, 0])[not one.mutants] += 1
    grid = coverage.grid(whole.katas, whole.questions)
    found = [one for one in defects if one.mutants]
    page = _render(jinja, "coverage.md", grid=grid, defects=defects, found=found, areas=areas)
    return {"coverage.md": page}


def _render(jinja: Environment, name: str, **values: Any) -> str:
    return jinja.get_template(name).render(**values).lstrip("\n")
