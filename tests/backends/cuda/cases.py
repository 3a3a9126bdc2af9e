"""The faulty kernels of ``faulty/``, with what their comments say of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from mutakata.backends.cuda import Fault, Kernels, kernels

HERE = Path(__file__).parent
_EXPECT = re.compile(
    r"// expect: (?P<kind>[\w-]+)(?: of (?P<buffer>\w+))?; launch: (?P<launch>[\d, ]+); "
    r"x: (?P<x>\d+); y: (?P<y>\d+|none); n: (?P<n>\d+)\n.*?__global__ void (?P<name>\w+)\(",
    re.S,
)


@dataclass(frozen=True)
class Case:
    """One faulty kernel, its launch and the fault it must raise."""

    file: str
    name: str
    kind: str
    buffer: str | None
    lines: frozenset[int]
    launch: tuple[int, ...]
    x: int
    y: int | None
    n: int

    def run(self, module: Kernels, seed: int) -> Fault | None:
        """The fault one launch raises, if any."""
        y = None if self.y is None else np.zeros(self.y, np.float32)
        launch = getattr(module, self.name)[self.launch]
        try:
            launch(np.ones(self.x, np.float32), y, self.n, seed=seed)
        except Fault as fault:
            return fault
        return None

    def wrong(self, fault: Fault | None) -> str | None:
        """How a fault differs from the expected one; None if it is the one."""
        if fault is None:
            return "no fault"
        if fault.kind != self.kind:
            return f"kind {fault.kind}, not {self.kind}: {fault}"
        if self.buffer is not None and fault.kind != "launch" and fault.buffer != self.buffer:
            return f"buffer {fault.buffer}, not {self.buffer}"
        if self.lines and fault.line not in self.lines:
            return f"line {fault.line}, not {sorted(self.lines)}"
        if fault.other and fault.other.line not in self.lines | {0}:
            return f"other line {fault.other.line}, not {sorted(self.lines)}"
        return None


def _marked(text: str, start: int, end: int) -> frozenset[int]:
    first = text.count("\n", 0, start) + 1
    lines = text[start:end].splitlines()
    return frozenset(first + i for i, line in enumerate(lines) if line.endswith("// FAULT"))


def _cases_of(path: Path) -> list[Case]:
    text = path.read_text()
    found = list(_EXPECT.finditer(text))
    ends = [m.start() for m in found[1:]] + [len(text)]
    helper = text.find("__device__ float block_sum_without_second_barrier")
    cases = []
    for m, end in zip(found, ends, strict=True):
        start = helper if m["name"] == "helper_called_twice" else m.start()
        stop = text.find("\n}\n", m.end()) if start != helper else end
        y = None if m["y"] == "none" else int(m["y"])
        launch = tuple(int(v) for v in m["launch"].split(","))
        lines = _marked(text, start, stop)
        cases.append(
            Case(path.name, m["name"], m["kind"], m["buffer"], lines, launch, int(m["x"]), y, int(m["n"]))
        )
    return cases


def faulty() -> list[Case]:
    """Every faulty kernel, in order of file and line."""
    return [c for path in sorted((HERE / "faulty").glob("*.cu")) for c in _cases_of(path)]


def module_of(case: Case) -> Kernels:
    return kernels(HERE / "faulty" / case.file)
