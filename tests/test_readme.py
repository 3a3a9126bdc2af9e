"""What the README says of the code is what the code does."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from mutakata.bank.locate import FOLDERS
from mutakata.cli import main

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")


def test_its_figures_are_what_a_run_gives() -> None:
    done = subprocess.run(
        [sys.executable, "benchmarks/readme_figures.py", "--check"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("command", sorted(set(re.findall(r"`kata ([a-z]+)", TEXT))))
def test_each_command_that_it_names_is_there(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["kata", command, "--help"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 0


def test_its_tree_names_folders_that_are_there() -> None:
    named = re.findall(r"^    (?:  )?([\w/]+)/(?:,| )", TEXT, re.MULTILINE)
    assert set(FOLDERS) <= set(named)
    for name in named:
        assert (ROOT / name).is_dir() or (ROOT / "src" / "mutakata" / name).is_dir(), name


def test_its_links_lead_somewhere() -> None:
    for page in ("README.md", "CONTRIBUTING.md"):
        for target in re.findall(r"\]\(([^)#]+)\)", (ROOT / page).read_text(encoding="utf-8")):
            assert (ROOT / target).exists(), f"{page}: {target}"


def test_make_targets_that_it_names_are_there() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for page in ("README.md", "CONTRIBUTING.md"):
        for target in set(re.findall(r"make ([a-z-]+)", (ROOT / page).read_text(encoding="utf-8"))):
            assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
