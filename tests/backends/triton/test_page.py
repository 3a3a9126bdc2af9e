"""The page about the interpreter shows a race: the words are those that the kernel beside them gets."""

import re
from pathlib import Path

import pytest

from mutakata.backends.triton import Fault, load_module

PAGE = Path(__file__).parents[3] / "site" / "pages" / "interpreter.md"


def test_the_race_on_the_page_is_reported_in_these_words():
    fences = re.findall(r"```(python|text)\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    (source,) = (text for kind, text in fences if kind == "python" and "def run" in text)
    (words,) = (text for kind, text in fences if kind == "text")
    with pytest.raises(Fault) as caught:
        load_module("shift", source, "shift.py").run()
    assert str(caught.value) == words.rstrip()
