"""`kata list` and `kata show`: find a kata or a question and read it in the terminal."""

import contextlib
from collections.abc import Iterable
from typing import Annotated

import typer

from mutakata.bank import Bank, Kata, Question, load_bank, sources
from mutakata.bank.load import not_found
from mutakata.cli.content import Banks
from mutakata.cli.failure import USE, fail
from mutakata.report.console import out, table


def register(app: typer.Typer) -> None:
    app.command(name="list")(list_)
    app.command()(show)


def list_(
    what: Annotated[str, typer.Argument(help="katas, questions or all.")] = "all",
    level: Annotated[list[str] | None, typer.Option(help="L1 to L5; may be given more than once.")] = None,
    role: Annotated[str | None, typer.Option(help="Questions for this role.")] = None,
    format: Annotated[
        str | None, typer.Option(help="Questions of this format, such as code-reading.")
    ] = None,
    minutes: Annotated[int | None, typer.Option(help="At most this many minutes.")] = None,
    topic: Annotated[str | None, typer.Option(help="norm, softmax, …")] = None,
    kata: Annotated[str | None, typer.Option(help="Questions that go with this kata.")] = None,
    bank: Banks = None,
) -> None:
    """List katas and questions; filters combine."""
    if what not in ("all", "katas", "questions"):
        fail(f"list what? {what!r} is not katas, questions or all", USE)
    _check_filters(level or [], role, format, topic)
    content = load_bank(sources(bank or ()))
    katas = [
        one
        for one in content.katas.values()
        if not (role or format) and _fits(one, level, minutes, topic) and kata in (None, one.slug)
    ]
    questions = [
        one
        for one in content.questions.values()
        if _fits(one.meta, level, minutes, topic)
        and (role is None or role in one.meta.roles)
        and format in (None, one.meta.format)
        and kata in (None, one.meta.kata)
    ]
    _print(katas if what != "questions" else [], questions if what != "katas" else [], content)


def _check_filters(levels: list[str], role: str | None, format: str | None, topic: str | None) -> None:
    from mutakata.bank import vocabulary

    wanted: list[tuple[str | None, Iterable[str], str]] = [
        (one, vocabulary.LEVELS, "level") for one in levels
    ]
    wanted += [
        (role, vocabulary.ROLES, "role"),
        (format, vocabulary.FORMATS, "format"),
        (topic, vocabulary.TOPICS, "topic"),
    ]
    for value, known, name in wanted:
        if value is not None and value not in known:
            fail(f"no {name} {value!r}: write one of {', '.join(known)}", USE)


def _fits(one: object, levels: list[str] | None, minutes: int | None, topic: str | None) -> bool:
    return (
        (not levels or getattr(one, "level") in levels)  # noqa: B009 (katas and front matter share these names)
        and (minutes is None or getattr(one, "minutes") <= minutes)  # noqa: B009
        and topic in (None, getattr(one, "topic"))  # noqa: B009
    )


def _print(katas: list[Kata], questions: list[Question], content: Bank) -> None:
    console = out()
    if katas:
        rows = [
            (one.slug, one.level, str(one.minutes), one.topic, str(len(content.mutants[one.slug])), one.title)
            for one in sorted(katas, key=lambda one: one.order)
        ]
        console.print(table(console, ("kata", "level", "#min", "topic", "#mutants", "title"), rows))
    if questions:
        listed = [
            (one.slug, one.meta.level, str(one.meta.minutes), one.meta.format, one.title)
            for one in sorted(questions, key=lambda one: (one.meta.topic, one.meta.level, one.slug))
        ]
        console.print(table(console, ("question", "level", "#min", "format", "title"), listed))
    if not katas and not questions:
        fail("nothing fits: drop a filter", 1)
    if content.problems:
        console.print(f"[yellow]{len(content.problems)} problems in the content: `kata check` shows them[/]")


def show(
    name: Annotated[str, typer.Argument(help="A question or a kata.")],
    answer: Annotated[bool, typer.Option("--answer", help="Show the answers too.")] = False,
    bank: Banks = None,
) -> None:
    """Read a question or a kata's brief. Answers are shown only with `--answer`."""
    from rich.markdown import Markdown

    content = load_bank(sources(bank or ()))
    console = out()
    if name in content.questions:
        text = question_text(content.questions[name], answer)
    elif name in content.katas:
        text = kata_text(content, content.katas[name], answer)
    else:
        raise not_found(name, [*content.questions, *content.katas], "question or kata")
    with console.pager(styles=True) if console.is_terminal else contextlib.nullcontext():
        console.print(Markdown(text))


def question_text(question: Question, answer: bool) -> str:
    """The question as Markdown; what is protected only with `answer`."""
    from mutakata.bank.question import PROTECTED, SECTIONS

    meta = question.meta
    facts = f"{meta.level} · {meta.format} · {meta.minutes} minutes · {meta.round} · {', '.join(meta.roles)}"
    parts = [f"# {question.title}", facts]
    for name in SECTIONS:
        if answer or name not in PROTECTED:
            parts.append(f"## {name}\n\n{question.text(name)}")
    if not answer:
        parts.append(f"*`kata show {question.slug} --answer` shows the answers.*")
    return "\n\n".join(parts)


def kata_text(content: Bank, kata: Kata, answer: bool) -> str:
    """The brief as Markdown; with `answer` the solution and the mutants too."""
    parts = [f"# {kata.title}", f"{kata.level} · {kata.minutes} minutes · {kata.topic}", kata.brief]
    if answer:
        parts.append(f"## Solution\n\n```python\n{kata.solution.read_text(encoding='utf-8')}```")
        parts.append("## Mutants")
        parts += [
            f"### {m.title}\n\n`{m.id}`, {m.family}\n\n```diff\n{m.diff}```\n\n{m.why}"
            for m in content.mutants[kata.slug]
        ]
    else:
        parts.append(f"*`kata start {kata.slug}` makes a folder to work in.*")
    return "\n\n".join(parts)
