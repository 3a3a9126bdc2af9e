"""Front matter, checked strictly: unknown keys and values outside the vocabulary are problems with a line."""

import difflib
from collections.abc import Collection, Mapping
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import PydanticCustomError

from mutakata.bank import vocabulary
from mutakata.bank.document import Document
from mutakata.bank.problem import Problem


def _one_of(words: Collection[str]) -> AfterValidator:
    def check(value: str) -> str:
        if value not in words:
            raise PydanticCustomError("vocabulary", "write one of {words}", {"words": ", ".join(words)})
        return value

    return AfterValidator(check)


Level = Annotated[str, _one_of(vocabulary.LEVELS)]
Format = Annotated[str, _one_of(vocabulary.FORMATS)]
Round = Annotated[str, _one_of(vocabulary.ROUNDS)]
Skill = Annotated[str, _one_of(vocabulary.SKILLS)]
Role = Annotated[str, _one_of(vocabulary.ROLES)]
Topic = Annotated[str, _one_of(vocabulary.TOPICS)]
Family = Annotated[str, _one_of(vocabulary.FAMILIES)]
Extra = Annotated[str, _one_of(vocabulary.EXTRAS)]

Text = Annotated[str, Field(min_length=1)]
Slug = Annotated[str, Field(pattern=r"^[a-z0-9]+(?:[-_][a-z0-9]+)*$")]
Report = Annotated[str, Field(pattern=r"^[\w.-]+/[\w.-]+#\d+$")]
Minutes = Annotated[int, Field(ge=1, le=240)]


class FrontMatter(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class MutantMeta(FrontMatter):
    family: Family
    killed_by: list[Slug]
    survives: list[Slug]
    seen: list[Report]
    equivalent: Text | None = None


class KataMeta(FrontMatter):
    title: Text
    level: Level
    minutes: Minutes
    subject: Text
    function: Text
    topic: Topic
    contract: Text
    needs: list[Extra]
    order: int
    launcher: Text | None = None


class QuestionMeta(FrontMatter):
    title: Text
    level: Level
    format: Format
    minutes: Minutes
    round: Round
    skill: Skill
    roles: Annotated[list[Role], Field(min_length=1)]
    topic: Topic
    kata: Slug
    bugs: list[Slug]
    taught_in: list[Slug]
    related: list[Slug]


Meta = TypeVar("Meta", bound=FrontMatter)


def read_meta(kind: type[Meta], document: Document) -> Meta | list[Problem]:
    """The front matter as `kind`, or every problem in it."""
    try:
        return kind.model_validate(document.meta)
    except ValidationError as error:
        return [_problem(kind, document, detail) for detail in error.errors()]


def _problem(kind: type[FrontMatter], document: Document, detail: Mapping[str, Any]) -> Problem:
    key = ".".join(map(str, detail["loc"]))
    head = str(detail["loc"][0])
    line = document.lines.get(key) or document.lines.get(head, 1)
    value = detail.get("input")
    if detail["type"] == "missing":
        what, fix = f"{head} is missing", f"add `{head}:` to the front matter"
    elif detail["type"] == "extra_forbidden":
        known = list(kind.model_fields)
        near = difflib.get_close_matches(head, known, 1)
        what = f"unknown key {head!r}"
        fix = f"did you mean {near[0]!r}?" if near else f"the keys are {', '.join(known)}"
    elif "pattern" in detail.get("ctx", {}):
        what = f"{head} holds {value!r}"
        shape = (
            "owner/repo#number" if "#" in detail["ctx"]["pattern"] else "lower-case words joined by - or _"
        )
        fix = f"write it as {shape}"
    else:
        what, fix = f"{head} is {value!r}", detail["msg"][0].lower() + detail["msg"][1:]
    return Problem(document.path, line, what, fix)
