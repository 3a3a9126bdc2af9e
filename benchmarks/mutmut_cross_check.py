"""An outside cross-check: every mutant that mutmut makes of a NumPy reference dies by the kata's solution.

    python benchmarks/mutmut_cross_check.py [KATA …]

Reference and suite are copied to a scratch folder: mutmut writes into a folder called mutants/, and ours is
not for it to touch. A survivor must be listed below with the reason why it is equivalent.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from mutakata.bank import Exercise, load_exercise, sources

WIDER = "astype(None) is float64: statistics kept in more than float32, which the contract allows"
EQUIVALENT = {
    "rms_norm": {
        "wide = None": WIDER,
        "x_wide = x.astype(None)": WIDER,
        "scaled = normalised * weight.astype(None)": WIDER,
    },
    "layer_norm": {
        "wide = None": WIDER,
        "x_wide = x.astype(None)": WIDER,
        "scaled = normalised * gamma.astype(None)": WIDER,
        "shifted = scaled + beta.astype(None)": WIDER,
    },
}


def survivors(exercise: Exercise, folder: Path) -> tuple[int, dict[str, str]]:
    """How many mutants mutmut made, and the diffs of those that lived."""
    kata = exercise.kata
    (folder / f"{kata.function}.py").write_text(kata.source)
    shutil.copy(kata.solution, folder / f"test_{kata.function}.py")
    (folder / "setup.cfg").write_text(
        f"[mutmut]\nsource_paths={kata.function}.py\npytest_add_cli_args_test_selection=test_{kata.function}.py\n"
    )
    said = _mutmut(folder, "run", "--max-children", "2")
    counts = re.findall(r"(\d+)/(\d+)", said)
    if not counts or counts[-1][0] != counts[-1][1]:
        raise SystemExit(f"mutmut did not finish:\n{said[-2000:]}")
    names = re.findall(r"^\s*(\S+): (?!killed)\S+", _mutmut(folder, "results"), re.MULTILINE)
    return int(counts[-1][1]), {name: _mutmut(folder, "show", name) for name in names}


def _mutmut(folder: Path, *arguments: str) -> str:
    tool = Path(sys.executable).with_name("mutmut")
    done = subprocess.run(
        [tool, *arguments], cwd=folder, capture_output=True, text=True, env=os.environ.copy()
    )
    return done.stdout + done.stderr


def changed(diff: str) -> str:
    """The + lines of a diff, joined: what identifies a mutant whatever it is called."""
    lines = [
        line[1:].strip() for line in diff.splitlines() if line.startswith("+") and not line.startswith("+++")
    ]
    return " / ".join(lines)


def main() -> None:
    unexplained = 0
    for slug in sys.argv[1:] or EQUIVALENT:
        with tempfile.TemporaryDirectory() as folder:
            made, alive = survivors(load_exercise(slug, sources()), Path(folder))
        print(f"{slug}: mutmut made {made} mutants, {made - len(alive)} killed, {len(alive)} alive")
        for name, diff in alive.items():
            reason = EQUIVALENT.get(slug, {}).get(changed(diff))
            unexplained += reason is None
            print(f"  {name}: {changed(diff)}\n    {reason or 'NOT EXPLAINED: kill it, or say why it lives'}")
    sys.exit(1 if unexplained else 0)


if __name__ == "__main__":
    main()
