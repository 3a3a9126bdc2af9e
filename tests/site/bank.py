"""A small bank with a marker in every field, and one of many questions."""

from pathlib import Path
from textwrap import dedent

from mutakata.bank import Sources
from mutakata.bank.vocabulary import FORMATS, LEVELS, ROLES, TOPICS

# Field to the word planted in it. What a candidate may read is public, everything else is protected.
PUBLIC = {
    "title": "zqtitle",
    "question": "zqquestion",
    "candidate": "zqcandidate",
    "kata title": "zqkatatitle",
    "brief": "zqbrief",
    "starter": "zqstarter",
}
PROTECTED = {
    "bugs and mutant slug": "zqslug",
    "short answer": "zqshort",
    "full answer": "zqfull",
    "asserted number": "zqassert",
    "reference prose": "zqprose",
    "reference code": "zqcode",
    "follow-up": "zqfollow",
    "expected answer": "zqexpected",
    "wrong answer": "zqwrong",
    "why it fails": "zqrefuted",
    "rubric": "zqrubric",
    "mutant title": "zqmutant",
    "mutant diff": "zqdiff",
    "symptom": "zqsymptom",
    "why": "zqwhy",
    "seen": "zqseen",
    "equivalent": "zqequivalent",
    "solution": "zqsolution",
    "solution test": "zqtest",
    "faithful name": "zqfaithful",
    "faithful code": "zqother",
    "input name": "zqinput",
    "input reason": "zqregime",
    "reference of the kata": "zqsubject",
}

SUBJECT = """
import numpy as np


def rms_norm(x, weight, eps):
    wide = np.promote_types(x.dtype, np.float32)
    {name} = x.astype(wide)
    mean_square = np.mean({name} * {name}, axis=-1, keepdims=True)
    return ({name} / np.sqrt(mean_square + eps) * weight.astype(wide)).astype(x.dtype)
"""

QUESTION = """
---
title: {title}
level: {level}
format: {format}
minutes: {minutes}
round: technical
skill: numerics
roles: [{role}]
topic: {topic}
kata: marked
bugs: [zqslug]
taught_in: [marked]
related: []
---
## Question

zqquestion in {topic}: which input shows it, when $x^2$ is small?

## Candidate

```python
zqcandidate = 1
```

## Short answer

zqshort

## Full answer

zqfull

```python check
assert "zqassert"
```

## Reference

zqprose

```python
zqcode = 2
```

## Follow-ups

### L2: zqfollow, first?

zqexpected

### L3: And second?

Two.

### L4: And third?

Three.

## Wrong answers

### "zqwrong"

zqrefuted

```python check
assert True
```

### "Another."

```python check
assert True
```

### "One more."

```python check
assert True
```

## Rubric

- zqrubric
"""

MUTANTS = {
    "zqslug": """
        ---
        family: epsilon
        killed_by: [zqinput]
        survives: []
        seen: [zqseen/zqseen#1]
        ---
        # zqmutant

        ```diff
        -    return (zqsubject / np.sqrt(mean_square + eps) * weight.astype(wide)).astype(x.dtype)
        +    zqdiff = np.sqrt(mean_square) + eps
        +    return (zqsubject / zqdiff * weight.astype(wide)).astype(x.dtype)
        ```

        ## Symptom

        zqsymptom

        ## Why

        zqwhy
        """,
    "same": """
        ---
        family: epsilon
        killed_by: []
        survives: []
        seen: []
        equivalent: zqequivalent
        ---
        # Same

        ```diff
        -    return (zqsubject / np.sqrt(mean_square + eps) * weight.astype(wide)).astype(x.dtype)
        +    return (zqsubject / np.sqrt(eps + mean_square) * weight.astype(wide)).astype(x.dtype)
        ```

        ## Symptom

        None.

        ## Why

        Addition commutes.
        """,
}

SUITE = """
import numpy as np
from rms_norm import rms_norm


def test_{name}():
    x = np.full((1, 8), {value}, np.float32)
    y = rms_norm(x, np.ones(8, np.float32), 1e-6)
    assert (abs(y - x / np.sqrt(x * x + 1e-6)) < 1e-5).all()
"""

KATA = """
---
title: zqkatatitle
level: L2
minutes: 30
subject: marked/spec.py
function: rms_norm
topic: norm
contract: rms_norm/numpy
needs: []
order: 1
---
zqbrief

## Contract

A row of zeros gives zeros.
"""

CASES = '''
import numpy as np


def zqinput():
    """zqregime: rows of 1e-3."""
    return {"x": np.full((2, 8), 1e-3, np.float32), "weight": np.ones(8, np.float32), "eps": 1e-6}
'''


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(dedent(text).lstrip("\n"), encoding="utf-8")


def question(index: int) -> dict[str, object]:
    """Facts of the question with this number, all combinations of the vocabulary in turn."""
    return {
        "title": "zqtitle" if index == 0 else f"Question number {index}",
        "level": list(LEVELS)[index % len(LEVELS)],
        "format": FORMATS[index % 4],
        "minutes": 10 + 5 * (index % 4),
        "role": ROLES[index % 3],
        "topic": list(TOPICS)[index % 2],
    }


def make_bank(root: Path, questions: int = 12) -> Sources:
    """A bank on its own: one kata with two mutants, and some questions."""
    write(root / "reference" / "marked" / "spec.py", SUBJECT.format(name="zqsubject"))
    kata = root / "katas" / "marked"
    write(kata / "kata.md", KATA)
    write(kata / "cases.py", CASES)
    write(kata / "starter.py", SUITE.format(name="zqstarter", value="1"))
    write(kata / "solution.py", "# zqsolution\n" + SUITE.format(name="zqtest", value="1e-3"))
    write(kata / "faithful" / "zqfaithful.py", SUBJECT.format(name="zqother"))
    for name, text in MUTANTS.items():
        write(root / "mutants" / "marked" / f"{name}.md", text)
    for index in range(questions):
        facts = question(index)
        write(root / "questions" / str(facts["topic"]) / f"number-{index}.md", QUESTION.format(**facts))
    return Sources((root,))
