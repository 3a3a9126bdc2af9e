from pathlib import Path

import pytest

from mutakata.bank.document import Unreadable, parse_document

TEXT = """\
---
title: A question
bugs:
  - one
  - two
---
# Title

## First

Text.

```python check
assert True
```

### Inner: a part

Below it.

## Second

## First
"""


def read(text: str = TEXT):
    return parse_document(Path("x.md"), text)


def test_front_matter_keys_and_items_know_their_lines() -> None:
    assert read().lines == {"title": 2, "bugs": 3, "bugs.0": 4, "bugs.1": 5}


def test_sections_fences_and_parts_know_their_lines() -> None:
    lines = TEXT.splitlines()
    first = read().sections["First"]
    assert lines[first.line - 1] == "## First"
    assert lines[first.fences[0].line - 1] == "assert True"
    assert first.fences[0].flags == ("check",)
    assert lines[first.parts[0].line - 1] == "### Inner: a part"
    assert first.parts[0].text.strip() == "Below it."


def test_a_heading_in_a_fence_is_no_section() -> None:
    document = read("---\na: 1\n---\n## Real\n\n```python\n## not one\n```\n")
    assert list(document.sections) == ["Real"]


def test_a_repeated_section_is_reported_with_its_line() -> None:
    assert read().repeated == [("First", 23)]


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("title: x\n", 1, "no front matter"),
        ("---\ntitle: x\n", 1, "not closed"),
        ("---\ntitle: [x\n---\n", 3, "not YAML"),
        ("---\n- x\n---\n", 2, "not a mapping"),
        ("---\na: 1\na: 2\n---\n", 3, "twice"),
    ],
)
def test_unreadable_front_matter_names_the_line(text: str, line: int, words: str) -> None:
    with pytest.raises(Unreadable) as caught:
        read(text)
    assert caught.value.problem.line == line
    assert words in caught.value.problem.what
