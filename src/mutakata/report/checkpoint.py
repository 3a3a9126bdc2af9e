"""A checkpoint's promise as a table, plain text in a pipe, or JSON."""

import json
from collections.abc import Sequence
from typing import Any

from rich.console import Console, Group
from rich.text import Text

from mutakata.numerics.checkpoint import Finding, Promise
from mutakata.report.console import table

FORMAT_VERSION = 1
Row = tuple[str, Any, str]


def show(console: Console, promise: Promise, stored: Sequence[Row], findings: Sequence[Finding]) -> None:
    """Print the facts, what the weight file holds, and the contradictions."""
    where = f", read from its {promise.scope}" if promise.scope else ""
    console.print(f"{promise.origin}: {promise.family.name}{where}", soft_wrap=True, markup=False)
    rows = [
        (
            fact.name,
            _value(fact.text),
            _cell("; ".join(filter(None, (_source(promise, fact.source), fact.note)))),
        )
        for fact in promise.facts
    ]
    console.print(table(console, ("promise", "value", "from"), rows))
    console.print(f"code: {promise.family.source}", soft_wrap=True, markup=False)
    if stored:
        console.print(table(console, ("in the file", "value", ""), [(n, str(v), t) for n, v, t in stored]))
    console.print(conclusion(findings))


def _source(promise: Promise, source: str) -> str:
    return "family" if source == promise.family.source else source


def _value(text: str) -> str:
    return "[yellow]absent[/]" if text == "absent" else _cell(text)


def _cell(text: str) -> str:
    return text.replace("[", r"\[")


def conclusion(findings: Sequence[Finding]) -> Group:
    """The contradictions, or the sentence that there are none."""
    if not findings:
        return Group(Text("no contradiction", style="green"))
    count = f"{len(findings)} contradiction{'s' * (len(findings) != 1)}:"
    return Group(Text(count, style="bold red"), *(Text(f"  {one.id}: {one.message}") for one in findings))


def as_json(
    promise: Promise | None, stored: Sequence[Row], findings: Sequence[Finding], problems: Sequence[str] = ()
) -> str:
    """One object: format_version, config, family, scope, source, facts, weights, findings, problems."""
    facts = promise.facts if promise else ()
    return json.dumps(
        {
            "format_version": FORMAT_VERSION,
            "config": promise.origin if promise else None,
            "family": promise.family.name if promise else None,
            "scope": promise.scope if promise else None,
            "source": promise.family.source if promise else None,
            "facts": [
                {
                    "name": fact.name,
                    "absent": fact.value is None,
                    "value": fact.value,
                    "source": fact.source,
                    "note": fact.note,
                }
                for fact in facts
            ],
            "weights": [{"name": name, "value": value, "note": note} for name, value, note in stored],
            "findings": [{"id": one.id, "message": one.message} for one in findings],
            "problems": list(problems),
        },
        indent=2,
    )
