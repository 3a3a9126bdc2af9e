"""Measures the build of a generated bank of questions, beside the katas of the bank itself.

    python benchmarks/site_500.py [questions]

Prints pages, size and seconds for each audience, and how long the list takes to filter in a real browser.
"""

import json
import shutil
import statistics
import sys
import tempfile
import time
from itertools import islice, product
from pathlib import Path

from mutakata.bank import load_bank, sources
from mutakata.bank.vocabulary import FORMATS, LEVELS, ROLES, ROUNDS, SKILLS, TOPICS
from mutakata.site.build import Place, build, checkout
from mutakata.site.serve import serving

PAGE = """---
title: Question {number}, about {topic} at {level}
level: {level}
format: {format}
minutes: {minutes}
round: {round}
skill: {skill}
roles: [{role}]
topic: {topic}
kata: rms_norm
bugs: [eps-outside-root]
taught_in: [rms_norm]
related: []
---
"""
CODE = """import numpy as np


def rms_norm(x, weight, eps):
    wide = np.promote_types(x.dtype, np.float32)
    x_wide = x.astype(wide)
    mean_square = np.mean(x_wide * x_wide, axis=-1, keepdims=True)
    return (x_wide / {root} * weight.astype(wide)).astype(x.dtype)
"""
CHECK = "```python check\nassert np.sqrt(2.0) > 1.41\n```\n"
PROSE = (
    "The mean square is $\\overline{x^2}$ and the denominator $\\sqrt{\\overline{x^2} + \\epsilon}$. "
    "Near unit variance the two differ by a relative 5e-7, which no default tolerance sees; "
    "at a mean square of epsilon by a factor of 1.41.\n"
)


def text(number: int, facts: dict[str, object]) -> str:
    right, wrong = (
        CODE.format(root=root) for root in ("np.sqrt(mean_square + eps)", "(np.sqrt(mean_square) + eps)")
    )
    parts = [
        PAGE.format(number=number, **facts),
        "## Question",
        PROSE,
        "## Candidate",
        f"```python\n{wrong}```",
    ]
    parts += [
        "## Short answer",
        PROSE,
        "## Full answer",
        PROSE * 3,
        CHECK,
        "## Reference",
        f"```python\n{right}```",
    ]
    parts += ["## Follow-ups"]
    parts += [f"### L{level}: And what if it is number {level}?\n\n{PROSE}" for level in (2, 3, 4)]
    parts += ["## Wrong answers"]
    parts += [f'### "Wrong answer {one} of {number}"\n\n{PROSE}\n{CHECK}' for one in range(4)]
    parts += ["## Rubric", "- Says what epsilon is.\n- Gives an input.\n- Gives the size of the error.\n"]
    return "\n\n".join(parts)


def generate(folder: Path, count: int) -> None:
    """Questions over every combination of the vocabulary in turn."""
    choices = product(range(99), LEVELS, TOPICS, FORMATS)
    for number, (_, level, topic, format) in enumerate(islice(choices, count)):
        facts: dict[str, object] = {
            "level": level,
            "topic": topic,
            "format": format,
            "minutes": 5 + 5 * (number % 9),
            "round": ROUNDS[number % len(ROUNDS)],
            "skill": SKILLS[number % len(SKILLS)],
            "role": ROLES[number % len(ROLES)],
        }
        path = folder / "questions" / topic / f"number-{number}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text(number, facts), encoding="utf-8")


def filter_times(address: str) -> list[float]:
    """Milliseconds of each update of the list, over every level and topic."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as engine:
        browser = engine.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page()
        page.goto(f"{address}/questions/")
        found = page.evaluate(
            """() => [...document.querySelectorAll('.filters input[type=checkbox]')].map((box) => {
                const began = performance.now();
                box.click();
                document.body.offsetHeight;
                const spent = performance.now() - began;
                box.click();
                return spent;
            })"""
        )
        browser.close()
    return [float(one) for one in found]


def main(count: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        generate(folder / "bank", count)
        where = sources([folder / "bank"])
        bank = load_bank(where)
        assert not [one for one in bank.problems if folder in one.path.parents], bank.problems
        place = Place(checkout().root, folder / "build")
        judged = checkout().build / "judged"
        if judged.is_dir():
            shutil.copytree(judged, place.build / "judged")
        began = time.perf_counter()
        built, _ = build(place, where, judge=False)
        whole = time.perf_counter() - began
        print(json.dumps({"questions": len(bank.questions), "seconds": round(whole, 1)}))
        for one in built:
            print(f"{one.audience}: {one.pages} pages, {one.size / 1e6:.1f} MB, {one.seconds:.1f} s")
        with serving(place.output("interviewer")) as address:
            times = filter_times(address)
            print(
                f"filter: median {statistics.median(times):.1f} ms, worst {max(times):.1f} ms of {len(times)}"
            )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 500)
