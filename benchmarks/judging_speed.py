"""Mutants judged per second: ours, mutmut and cosmic-ray, on the same function and suite, in one run.

    python benchmarks/judging_speed.py [--mutants N]

Each tool is timed as a whole process, its own generation of mutants included, one after the other.
Ours judges the kata's mutants and its faithful implementations; the others the mutants that they make.
Cosmic-ray is slow, so it is stopped after N mutants (20 by default).
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
KATA = "rms_norm"


@dataclass(frozen=True)
class Timing:
    """Mutants judged in wall-clock seconds."""

    tool: str
    mutants: int
    seconds: float
    note: str

    @property
    def rate(self) -> float:
        return self.mutants / self.seconds


def scratch(folder: Path) -> Path:
    """A project with the reference as a module and the solution as its test. Nothing of ours is touched."""
    shutil.copy(ROOT / "reference" / KATA / "spec.py", folder / f"{KATA}.py")
    shutil.copy(ROOT / "katas" / KATA / "solution.py", folder / f"test_{KATA}.py")
    (folder / "setup.cfg").write_text(
        f"[mutmut]\nsource_paths={KATA}.py\npytest_add_cli_args_test_selection=test_{KATA}.py\n"
    )
    return folder


def run(command: list[str], folder: Path, limit: float = 600) -> tuple[str, float]:
    began = time.perf_counter()
    env = os.environ | {"PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])}
    env.pop("PYTHONDONTWRITEBYTECODE", None)  # an ordinary user's tools keep their bytecode
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=limit, env=env)
    return done.stdout + done.stderr, time.perf_counter() - began


def ours(*flags: str) -> Timing:
    suite = ROOT / "katas" / KATA / "solution.py"
    said, seconds = run(["kata", "run", KATA, "--suite", str(suite), "--format", "json", *flags], ROOT)
    found = json.loads(said)
    cells = "first kill only" if flags else "full matrix"
    faithful = len(found["faithful"])
    return Timing(
        "kata " + " ".join(flags), found["score"]["mutants"], seconds, f"{cells}, and {faithful} faithful"
    )


def mutmut(folder: Path) -> Timing:
    said, seconds = run(["mutmut", "run", "--max-children", "2"], scratch(folder))
    counts = re.findall(r"(\d+)/(\d+)", said)
    if not counts:
        raise SystemExit(f"mutmut did not run:\n{said[-2000:]}")
    return Timing("mutmut", int(counts[-1][0]), seconds, "first kill only, 2 workers")


def cosmic_ray(folder: Path, most: int) -> Timing:
    scratch(folder)
    (folder / "cr.toml").write_text(
        f'[cosmic-ray]\nmodule-path = "{KATA}.py"\ntimeout = 30.0\nexcluded-modules = []\n'
        f'test-command = "{sys.executable} -m pytest -x -q -p no:cacheprovider test_{KATA}.py"\n'
        '[cosmic-ray.distributor]\nname = "local"\n'
    )
    run(["cosmic-ray", "init", "cr.toml", "cr.sqlite"], folder)
    import sqlite3

    with sqlite3.connect(folder / "cr.sqlite") as base:
        ids = [row[0] for row in base.execute("select job_id from work_items")]
        for extra in ids[most:]:
            base.execute("delete from mutation_specs where job_id = ?", (extra,))
            base.execute("delete from work_items where job_id = ?", (extra,))
    _, seconds = run(["cosmic-ray", "exec", "cr.toml", "cr.sqlite"], folder)
    return Timing("cosmic-ray", min(most, len(ids)), seconds, "first kill only, 1 worker")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mutants", type=int, default=20, help="how many mutants cosmic-ray is given")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
        full, fast = ours(), ours("--fail-fast")
        others = [mutmut(Path(one)), cosmic_ray(Path(two), options.mutants)]
    print(f"{'tool':<18} {'mutants':>7} {'seconds':>8} {'per s':>7}")
    for timing in (full, fast, *others):
        print(
            f"{timing.tool:<18} {timing.mutants:>7} {timing.seconds:>8.2f} {timing.rate:>7.1f}  {timing.note}"
        )
    for other in others:
        matrix, first = full.rate / other.rate, fast.rate / other.rate
        print(f"full matrix {matrix:.1f} times {other.tool}, --fail-fast {first:.1f} times")


if __name__ == "__main__":
    main()
