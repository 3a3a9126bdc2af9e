"""Skeletons for authors: every part is there, and every part is refused until it is written."""

import re
from pathlib import Path

from mutakata.bank.kata import FILES
from mutakata.bank.question import SECTIONS

TODO = "TODO"
SLUG = re.compile(r"[a-z0-9]+([-_][a-z0-9]+)*")


class SkeletonError(Exception):
    """The skeleton cannot be written; the message says why."""


MUTANT = """---
family: TODO
killed_by: []
survives: []
seen: []
---
# TODO: what is wrong, in a few words

```diff
- TODO: the line of the reference, copied exactly
+ TODO: the line as somebody might ship it
```

## Symptom

## Why
"""

KATA = """---
title: TODO
level: TODO
minutes: 30
subject: TODO/spec.py
function: TODO
topic: TODO
contract: TODO
needs: []
order: 100
---
"""

QUESTION = """---
title: TODO
level: TODO
format: TODO
minutes: 10
round: TODO
skill: TODO
roles: []
topic: {topic}
kata: TODO
bugs: []
taught_in: []
related: []
---
"""


def write_skeleton(kind: str, name: str, root: Path) -> list[Path]:
    """Write a new mutant, kata or question below `root`. Raises SkeletonError; writes over nothing."""
    parts = name.split("/")
    wrong = next((part for part in parts if not SLUG.fullmatch(part)), None)
    if wrong is not None:
        raise SkeletonError(f"{wrong!r} is no slug: write small letters and digits, joined by - or _")
    if kind == "mutant" and len(parts) == 2:
        files = {root / "mutants" / parts[0] / f"{parts[1]}.md": MUTANT}
    elif kind == "question" and len(parts) == 2:
        body = "\n".join(f"## {section}\n" for section in SECTIONS)
        files = {root / "questions" / parts[0] / f"{parts[1]}.md": QUESTION.format(topic=parts[0]) + body}
    elif kind == "kata" and len(parts) == 1:
        folder = root / "katas" / name
        files = {folder / "kata.md": KATA} | {
            folder / file: f'"""TODO: {what}."""\n' for file, what in FILES.items()
        }
    else:
        raise SkeletonError(
            "write `new mutant KATA/MUTANT`, `new kata KATA` or `new question TOPIC/QUESTION`"
        )
    try:
        taken = [str(path) for path in files if path.exists()]
        if taken:
            raise SkeletonError(f"{', '.join(taken)} exists already: choose another name")
        for path, text in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise SkeletonError(f"cannot write below {root}: {error.strerror}") from error
    return list(files)
