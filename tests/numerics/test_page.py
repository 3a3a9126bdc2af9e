"""The page on the method: what it claims is run, each fence on its own."""

import re

import numpy as np
import pytest

from .conftest import ROOT

FENCES = re.findall(r"```python check\n(.*?)```", (ROOT / "site/pages/numerics.md").read_text(), re.S)


@pytest.mark.parametrize("code", FENCES, ids=range(len(FENCES)))
def test_a_claim_of_the_page_holds(code, monkeypatch):
    monkeypatch.chdir(ROOT)
    exec(compile(code, "site/pages/numerics.md", "exec"), {"np": np})


def test_the_page_has_claims():
    assert len(FENCES) >= 9
