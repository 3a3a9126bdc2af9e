"""Real libraries held to their own contracts: `python benchmarks/libraries.py`.

Writes site/data/libraries.json: the verdict on each target, what it behaves like where it leaves its
contract, and the seconds. Needs torch, transformers, liger-kernel and triton.
"""

import json
import platform
import sys
import time
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import Any

from mutakata.backends.adapt import How, adapt
from mutakata.backends.target import load_target
from mutakata.backends.triton import activate
from mutakata.numerics.compare import compare, questions
from mutakata.numerics.diagnose import diagnose
from mutakata.numerics.presets import contract
from mutakata.report.compare import Run, diagnosis_lines, telling, verdict

OUTPUT = Path(__file__).resolve().parents[1] / "site" / "data" / "libraries.json"
ROWS = 3
HF = "transformers.models"
LIGER = "liger_kernel.transformers.rms_norm:LigerRMSNorm"


@dataclass(frozen=True)
class Entry:
    """A target, the contract that it is meant to keep, and the arguments that choose it."""

    target: str
    contract: str
    settings: dict[str, Any] = field(default_factory=dict)
    in_place: tuple[str, ...] = ()

    @property
    def backward(self) -> bool:
        return "_backward/" in self.contract


ENTRIES = (
    Entry("torch.nn.functional:rms_norm", "rms_norm/torch"),
    Entry("torch.nn:RMSNorm", "rms_norm/torch"),
    Entry("torch.nn.functional:layer_norm", "layer_norm/torch"),
    Entry("torch.nn:LayerNorm", "layer_norm/torch"),
    Entry("torch.nn:LayerNorm", "layer_norm/numpy"),
    Entry(f"{HF}.llama.modeling_llama:LlamaRMSNorm", "rms_norm/llama"),
    Entry(f"{HF}.gemma.modeling_gemma:GemmaRMSNorm", "rms_norm/gemma"),
    Entry(f"{HF}.gemma.modeling_gemma:GemmaRMSNorm", "rms_norm/llama"),
    Entry(f"{HF}.t5.modeling_t5:T5LayerNorm", "rms_norm/t5"),
    Entry(LIGER, "rms_norm/llama"),
    Entry(LIGER, "rms_norm/gemma", {"offset": 1.0, "casting_mode": "gemma"}),
    Entry("torch.nn.functional:softmax", "softmax/torch"),
    Entry("torch.nn:RMSNorm", "rms_norm_backward/numpy"),
    Entry(f"{HF}.llama.modeling_llama:LlamaRMSNorm", "rms_norm_backward/llama"),
    Entry("torch.nn:LayerNorm", "layer_norm_backward/torch"),
    Entry(LIGER, "rms_norm_backward/liger", {"in_place": False}),
)


def measure(entry: Entry) -> dict[str, Any]:
    """One row: verdict, diagnosis, the worst case, seconds."""
    start, cpu = time.perf_counter(), time.process_time()
    promise = contract(entry.contract)
    how = How(arrays="torch", settings=entry.settings, backward=entry.backward)
    function = adapt(load_target(entry.target), how)
    asked = questions(promise.op, rows=ROWS)
    found = compare(function, promise, asked, in_place=entry.in_place)
    seconds, cpu_seconds = time.perf_counter() - start, time.process_time() - cpu
    diagnosis = diagnose(found)
    run = Run(entry.target, found, diagnosis, "", seconds)
    worst = telling(found)[0]
    parts = sorted(worst.parts, key=lambda part: -part.ratio)
    return {
        "target": entry.target,
        "settings": entry.settings,
        "contract": entry.contract,
        "verdict": found.verdict,
        "sentence": verdict(run),
        "behaves_like": diagnosis_lines(diagnosis),
        "cases": len(asked),
        "wrong": sorted({f"{one.question.dtype} {one.question.case.name}" for one in found.wrong}),
        "worst": {"case": worst.question.id, "quantity": parts[0].quantity, "ratio": f"{worst.ratio:.3g}"}
        if parts
        else None,
        "seconds": round(seconds, 2),
        "seconds_cpu": round(cpu_seconds, 2),
        "seconds_with_diagnosis": round(time.perf_counter() - start, 2),
    }


def main() -> int:
    activate()
    rows = []
    for entry in ENTRIES:
        rows.append(row := measure(entry))
        print(f"{row['seconds']:6} s  {entry.target}: {row['sentence']}", flush=True)
        print(
            *(f"          {line}" for line in row["behaves_like"]),
            sep="\n",
            end="\n" if row["behaves_like"] else "",
        )
    versions = {
        name: metadata.version(name) for name in ("torch", "transformers", "liger-kernel", "triton", "numpy")
    }
    record = {
        "command": "python benchmarks/libraries.py",
        "machine": f"{platform.machine()}, Python {platform.python_version()}, 2 cores, no GPU",
        "versions": versions,
        "rows": rows,
    }
    OUTPUT.write_text(json.dumps(record, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
