"""Do simulation, interpreter and GPU agree? Every kernel kata is judged on both devices, in full.

    python benchmarks/gpu_agreement.py [KATA ...]

Writes site/data/gpu_agreement.json: mutants that do not show on the GPU (a race that this one happens to win,
a masked lane that happens to hold zero), correct kernels that it rejects, and what compute-sanitizer, where
installed, says of each faulty kernel of the simulator's own tests. Exits with 1 if a correct kernel is
rejected on either device, with 4 and writes nothing where there is no GPU.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import torch  # noqa: E402
from tests.backends.cuda.cases import faulty  # noqa: E402

from mutakata.bank import load_bank, sources  # noqa: E402

OUTPUT = ROOT / "site" / "data" / "gpu_agreement.json"
NO_GPU = 4
TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
FOUND = 9  # the exit code that compute-sanitizer is told to give
LAUNCH = """
import sys
sys.path.insert(0, {root!r})
from tests.backends.cuda.cases import faulty, module_of
case = next(one for one in faulty() if one.name == {name!r})
case.run(module_of(case), 0)
"""


def judged(kata: str, device: str) -> dict[str, Any]:
    """What `kata run` says of the kata's own solution on a device."""
    solution = ROOT / "katas" / kata / "solution.py"
    words = ["run", kata, "--suite", str(solution), "--device", device, "--format", "json"]
    done = subprocess.run([Path(sys.executable).with_name("kata"), *words], capture_output=True, text=True)
    if done.returncode == NO_GPU and device == "cuda":
        print(done.stderr.strip(), file=sys.stderr)
        raise SystemExit(NO_GPU)
    if not done.stdout:
        # A suite that fails on the reference is not scored: on a GPU that is the finding itself.
        return {"refused": done.stderr.strip()}
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def compared(kata: str) -> dict[str, Any]:
    """One kata on both devices."""
    gpu = judged(kata, "cuda")
    cpu = judged(kata, "cpu")
    row: dict[str, Any] = {
        "kata": kata,
        "refused": [one["refused"] for one in (cpu, gpu) if "refused" in one],
    }
    if row["refused"]:
        return row
    here, there = ({one["id"]: one for one in found["mutants"]} for found in (cpu, gpu))
    killed = [name for name, one in here.items() if one["status"] == "killed"]
    return row | {
        "mutants": len(here),
        "killed_on_both": sum(there[name]["status"] == "killed" for name in killed),
        "not_showing_on_the_gpu": [name for name in killed if there[name]["status"] != "killed"],
        "showing_only_there": [n for n in here if n not in killed and there[n]["status"] == "killed"],
        "rejected": [
            f"{device}: {one['id']} by {', '.join(one['killed_by'])}"
            for device, found in (("cpu", cpu), ("cuda", gpu))
            for one in found["faithful"]
            if one["killed_by"]
        ],
        "seconds": {"cpu": cpu["seconds"], "cuda": gpu["seconds"]},
    }


def sanitized() -> list[dict[str, Any]]:
    """Which of compute-sanitizer's tools reports each faulty kernel; empty where it is not installed."""
    if not shutil.which("compute-sanitizer"):
        print("compute-sanitizer is not installed: its verdicts are left out", file=sys.stderr)
        return []
    found = []
    for case in faulty():
        program = [sys.executable, "-c", LAUNCH.format(root=str(ROOT), name=case.name)]
        reports = {tool: _reported(tool, program) for tool in TOOLS}
        found.append({"kernel": case.name, "kind": case.kind, "reported_by": reports})
        print(f"  {case.name:32}{case.kind:20}{reports}", flush=True)
    return found


def _reported(tool: str, program: list[str]) -> bool | None:
    """None where the kernel did not end in a minute."""
    command = ["compute-sanitizer", "--tool", tool, "--error-exitcode", str(FOUND), *program]
    try:
        done = subprocess.run(
            command, env={**os.environ, "MUTAKATA_DEVICE": "cuda"}, capture_output=True, timeout=60
        )
    except subprocess.TimeoutExpired:
        return None
    return done.returncode == FOUND


def main() -> int:
    katas = load_bank(sources()).katas
    chosen = sys.argv[1:] or [slug for slug, kata in katas.items() if {"triton", "cuda"} & set(kata.needs)]
    rows = []
    for slug in chosen:
        rows.append(row := compared(slug))
        print(json.dumps(row), flush=True)
    device = torch.cuda.get_device_name() if torch.cuda.is_available() else "unknown to torch"
    record = {"command": "python benchmarks/gpu_agreement.py", "device": device, "katas": rows}
    record["sanitizer"] = sanitized()
    OUTPUT.write_text(json.dumps(record, indent=1) + "\n")
    return 1 if any(row["refused"] or row["rejected"] for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
