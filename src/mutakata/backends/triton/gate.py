"""Would the real compiler take this kernel? Asked without a GPU, in a process of its own.

The interpreter runs kernels that the compiler rejects, as where a variable changes its type in a loop. The
compiler needs kernels that were not decorated for the interpreter, hence the process.
"""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ARCHITECTURES = (80, 90)
_TIMEOUT_SECONDS, _EACH_SECONDS = 120, 10


@dataclass(frozen=True)
class Compiled:
    """The compiler's answer for one kernel and one architecture: `error` is empty when it took the kernel.

    `ptx` is the assembly, evidence of the arithmetic on the GPU; `seconds` is the compiler's time.
    """

    kernel: str
    arch: int
    error: str
    ptx: str
    seconds: float

    @property
    def ok(self) -> bool:
        return not self.error


def compile_gate(
    source: str | Path,
    kernel: str,
    signature: Mapping[str, str],
    constexprs: Mapping[str, Any] | None = None,
    arch: int | Sequence[int] = ARCHITECTURES,
    *,
    num_warps: int = 4,
) -> list[Compiled]:
    """Compile `kernel` of a module, given as its path or its text, for each architecture (80 is sm_80).

    signature: the type of each argument that is not in `constexprs`, as "*bf16", "*fp32", "i32", "fp32". An
    import error of the module is an error of the kernel. Raises RuntimeError if the compiler's process itself
    fails, subprocess.TimeoutExpired if it hangs.
    """
    archs = [arch] if isinstance(arch, int) else list(arch)
    (answers,) = ask([request(source, kernel, signature, constexprs or {}, archs, num_warps)])
    return answers


def request(
    source: str | Path,
    kernel: str,
    signature: Mapping[str, str],
    constexprs: Mapping[str, Any],
    archs: Sequence[int],
    num_warps: int,
) -> dict[str, Any]:
    """What the compiler's process is asked, as JSON holds it."""
    path = source if isinstance(source, Path) else None
    return {
        "path": str(path) if path else "<kernel>.py",
        "text": path.read_text(encoding="utf-8") if path else source,
        "kernel": kernel,
        "signature": {**signature, **dict.fromkeys(constexprs, "constexpr")},
        "constexprs": dict(constexprs),
        "archs": list(archs),
        "num_warps": num_warps,
    }


def ask(requests: Sequence[Mapping[str, Any]]) -> list[list[Compiled]]:
    """The answers to each request, one for each of its architectures. Raises as compile_gate does."""
    environment = {k: v for k, v in os.environ.items() if k != "TRITON_INTERPRET"}
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    done = subprocess.run(
        [sys.executable, "-m", "mutakata.backends.triton.gate_worker"],
        input=json.dumps(requests),
        env=environment,
        capture_output=True,
        text=True,
        timeout=_TIMEOUT_SECONDS + _EACH_SECONDS * len(requests),
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"the compiler's process ended with {done.returncode}:\n{done.stderr[-2000:]}")
    answers: list[list[dict[str, Any]]] = json.loads(done.stdout.splitlines()[-1])
    return [
        [Compiled(asked["kernel"], **one) for one in each]
        for asked, each in zip(requests, answers, strict=True)
    ]
