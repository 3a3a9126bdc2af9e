"""Writes what the README shows of real runs: the figures of two weak suites, the folder tree, a picture.

python benchmarks/readme_figures.py            rewrite them
python benchmarks/readme_figures.py --check    exit 1 if the README is out of date
"""

import io
import re
import sys
from pathlib import Path

from mutakata.bank import load_bank, load_exercise, sources
from mutakata.judge import Matrix, judge

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
PICTURE = ROOT / "site" / "assets" / "run.svg"
KATA = "rms_norm"
WEAK = {
    "shapes_only.py": "checks shapes and dtypes",
    "mean_error.py": "compares the mean error on N(0,1) rows, weight of ones",
    "../starter.py": "the starter that `kata start` gives",
    "../solution.py": "the kata's own solution",
}


def weak_suites() -> str:
    """A table: what each suite kills and leaves alive."""
    exercise = load_exercise(KATA, sources())
    rows = ["| suite | what it does | killed | alive |", "|---|---|---:|---:|"]
    for name, what in WEAK.items():
        matrix = judge(exercise, exercise.kata.folder / "examples" / name)
        killed = matrix.count("killed")
        rows.append(f"| `{Path(name).name}` | {what} | {killed} | {len(matrix.mutants) - killed} |")
    return "\n".join(rows)


def contents() -> str:
    """A table: the katas, what they need, how many ways to be wrong they hold."""
    bank = load_bank(sources())
    rows = ["| kata | level | needs | mutants | faithful |", "|---|---|---|---:|---:|"]
    for kata in sorted(bank.katas.values(), key=lambda one: one.order):
        needs = ", ".join(kata.needs) or "the core"
        mutants = len(bank.mutants[kata.slug])
        rows.append(f"| `{kata.slug}` | {kata.level} | {needs} | {mutants} | {len(kata.faithful)} |")
    return "\n".join(rows)


def filled(text: str, name: str, body: str) -> str:
    """The text with the part between the two marks of `name` replaced."""
    pattern = re.compile(rf"(<!-- {name} -->\n).*?(\n<!-- /{name} -->)", re.DOTALL)
    if not pattern.search(text):
        raise SystemExit(f"{README} has no marks <!-- {name} --> … <!-- /{name} -->")
    return pattern.sub(lambda match: match[1] + body + match[2], text)


def picture(matrix: Matrix) -> str:
    """The verdict table as a terminal shows it."""
    from rich.console import Console

    from mutakata.report.matrix_table import print_matrix

    console = Console(record=True, width=96, file=io.StringIO(), force_terminal=True, highlight=False)
    print_matrix(console, matrix)
    return console.export_svg(title=f"kata run {matrix.kata}", unique_id="run")


def main() -> None:
    text = README.read_text(encoding="utf-8")
    new = filled(filled(text, "weak-suites", weak_suites()), "katas", contents())
    if "--check" in sys.argv:
        if new != text:
            sys.exit("README.md is out of date: run `make readme`")
        return
    README.write_text(new, encoding="utf-8")
    exercise = load_exercise(KATA, sources())
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    PICTURE.write_text(picture(judge(exercise, exercise.kata.solution)), encoding="utf-8")


if __name__ == "__main__":
    main()
