"""Liger-Kernel's own kernels through the faithful interpreter: right, and no false alarm?

    python benchmarks/liger.py            writes site/data/liger.json

Each kernel runs on the fixed inputs of its operation, in fp32, fp16 and bf16, and is held against the float64
reference within the bound of its contract. A fault, or one element outside the bound, is a failure. Needs
liger-kernel and triton; no GPU.
"""

import json
import sys
import time
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np

from mutakata.backends.triton import Fault, activate
from mutakata.numerics import Contract, Verdict, fixed_inputs, gamma, judge, unit_roundoff
from mutakata.numerics.expectation import Expected, quantity
from mutakata.numerics.rounding import EXP, wide
from mutakata.numerics.verdict import judge_expected

activate()

import torch  # noqa: E402  (the interpreter must be active before a kernel is defined)
from liger_kernel.ops.cross_entropy import cross_entropy_forward  # noqa: E402
from liger_kernel.ops.fused_add_rms_norm import LigerFusedAddRMSNormFunction  # noqa: E402
from liger_kernel.ops.layer_norm import LigerLayerNormFunction  # noqa: E402
from liger_kernel.ops.rms_norm import LigerRMSNormFunction  # noqa: E402
from liger_kernel.ops.rope import rope_forward  # noqa: E402
from liger_kernel.ops.softmax import LigerSoftmaxFunction  # noqa: E402
from liger_kernel.ops.swiglu import LigerSiLUMulFunction  # noqa: E402

DTYPES = ("float32", "float16", "bfloat16")
WIDTHS = (64, 100, 1000)
BF16 = np.dtype(ml_dtypes.bfloat16)
Inputs = dict[str, Any]


def tensor(array: Any) -> Any:
    """A torch tensor with the bits of a NumPy array, bf16 included."""
    whole = np.ascontiguousarray(array)
    if whole.dtype == BF16:
        return torch.from_numpy(whole.view(np.int16).copy()).view(torch.bfloat16)
    return torch.from_numpy(whole.copy())


def array(value: Any) -> Any:
    """Back again."""
    value = value.detach().contiguous()
    return value.view(torch.int16).numpy().view(BF16) if value.dtype == torch.bfloat16 else value.numpy()


def rms_norm(x: Any, weight: Any, eps: float) -> Any:
    return array(LigerRMSNormFunction.apply(tensor(x), tensor(weight), eps, 0.0, "llama", False))


def add_rms_norm(x: Any, residual: Any, weight: Any, eps: float) -> Any:
    y, total = LigerFusedAddRMSNormFunction.apply(
        tensor(x), tensor(residual), tensor(weight), eps, 0.0, "llama"
    )
    return array(y), array(total)


def layer_norm(x: Any, gamma: Any, beta: Any, eps: float) -> Any:
    return array(LigerLayerNormFunction.apply(tensor(x), tensor(gamma), tensor(beta), eps))


def swiglu(gate: Any, up: Any) -> Any:
    return array(LigerSiLUMulFunction.apply(tensor(gate), tensor(up)))


def softmax(x: Any) -> Any:
    return array(LigerSoftmaxFunction.apply(tensor(x)))


def rope(x: Any, positions: Any, base: float) -> Any:
    """Liger turns q and k, (batch, heads, seq, dim), by tables that its caller gives, here in x's type."""
    x, dim = np.asarray(x), np.asarray(x).shape[-1]
    frequency = np.power(np.float32(base), -np.arange(0, dim, 2, dtype=np.float32) / np.float32(dim))
    half = np.asarray(positions, np.float32)[:, None] * frequency
    tables = [tensor(np.concatenate([f(half), f(half)], axis=-1).astype(x.dtype)) for f in (np.cos, np.sin)]
    query = tensor(x)[:, None]
    return array(rope_forward(query, query.clone(), *tables)[0][:, 0])


def rms_norm_backward(grad: Any, x: Any, weight: Any, eps: float) -> Any:
    x, weight = tensor(x).requires_grad_(), tensor(weight).requires_grad_()
    y = LigerRMSNormFunction.apply(x, weight, eps, 0.0, "llama", False)
    return tuple(array(g) for g in torch.autograd.grad(y, (x, weight), tensor(grad)))


def layer_norm_backward(grad: Any, x: Any, gamma: Any, eps: float) -> Any:
    leaves = [t.requires_grad_() for t in (tensor(x), tensor(gamma), torch.zeros_like(tensor(gamma)))]
    y = LigerLayerNormFunction.apply(*leaves, eps)
    return tuple(array(g) for g in torch.autograd.grad(y, leaves, tensor(grad)))


# kernel: (function, contract)
KERNELS: dict[str, tuple[Callable[..., Any], str]] = {
    "rms_norm": (rms_norm, "rms_norm/llama"),
    "add_rms_norm": (add_rms_norm, "add_rms_norm/liger"),
    "layer_norm": (layer_norm, "layer_norm/two_pass"),
    "swiglu": (swiglu, "swiglu/liger"),
    "rope": (rope, "rope/llama"),
    "softmax": (softmax, "softmax/numpy"),
    "rms_norm_backward": (rms_norm_backward, "rms_norm_backward/liger"),
    "layer_norm_backward": (layer_norm_backward, "layer_norm_backward/numpy"),
}

CROSS_ENTROPY = Contract("cross_entropy/liger", "linkedin/Liger-Kernel, ops/cross_entropy.py, reduction none")

LEFT_OUT = {
    ("softmax", "empty"): "a fully masked row: Liger gives NaN, our contract zeros",
}


def cells(kernel: str, dtype: str, width: int, rows: int) -> Iterator[tuple[str, Callable[[], Verdict]]]:
    """The cases of one kernel: name, and a call that runs and judges it."""
    if kernel == "cross_entropy":
        for name, x, target in logits(dtype, width, rows):
            yield name, lambda x=x, target=target: judge_cross_entropy(x, target)
        return
    function, contract = KERNELS[kernel]
    for case in fixed_inputs(kernel, dtype, width, rows):
        if (kernel, case.name) not in LEFT_OUT and case.name != "many_rows":
            yield case.name, lambda case=case: judge(contract, case.inputs, function(**case.inputs))


def logits(dtype: str, width: int, rows: int) -> Iterator[tuple[str, Any, Any]]:
    """Logits and targets: random, far from zero, and one that is certain of its target."""
    random = np.random.default_rng(7)
    target = random.integers(0, width, rows)
    x = random.standard_normal((rows, width))
    certain = x.copy()
    certain[np.arange(rows), target] += 20
    for name, values in (("ordinary", x), ("offset", x + 40), ("wide", 10 * x), ("certain", certain)):
        yield name, values.astype(BF16 if dtype == "bfloat16" else dtype), target


def judge_cross_entropy(x: Any, target: Any) -> Verdict:
    """Loss and gradient of each row (reduction "none"; the target's gradient is softmax - 1).

    Online, with exponents (x - m) * log2(e): the difference, the constant and the product are rounded, so a
    term is off by (3|x - m| + EXP)u; their sum by gamma_n and two rescalings; log adds EXP*u of itself and
    the shared error of its argument; the sum with m and the difference with x_y round once each.
    """
    given = tensor(x).requires_grad_()
    loss, _, _, _, gradient = cross_entropy_forward(
        given, tensor(target), None, -100, 0.0, 0.0, "none", None, False
    )
    exact, rows = x.astype(np.float64), np.arange(len(x))
    u = unit_roundoff(wide(x.dtype))
    top = exact.max(axis=-1, keepdims=True)
    e = np.exp(exact - top)
    total = e.sum(axis=-1, keepdims=True)
    share = e / total
    own = np.expm1((3 * np.abs(exact - top) + EXP) * u)
    shared = (own * share).sum(axis=-1, keepdims=True) + gamma(x.shape[-1], u) + 2 * (EXP + 2) * u
    log = np.log(total)
    lse = (top + log)[:, 0]
    value = lse - exact[rows, target]
    delta = (shared + EXP * u * np.abs(log))[:, 0] + u * np.abs(lse) + u * np.abs(value)
    dx = share.copy()
    dx[rows, target] -= 1
    spread = share * (own + shared + 4 * u) + u * np.abs(dx)
    wanted = Expected(
        {"loss": quantity(value, delta, x.dtype), "dx": quantity(dx, spread, x.dtype)}, ("loss", "dx")
    )
    return judge_expected(CROSS_ENTROPY, wanted, (array(loss), array(gradient)))


def measure(kernel: str, dtype: str, widths: tuple[int, ...] = WIDTHS, rows: int = 3) -> dict[str, Any]:
    """One row of the table: how many cases, the worst error in units of the bound, what failed, seconds."""
    started, cases, ratios, failures = time.perf_counter(), 0, [0.0], []
    for width in widths:
        for name, run in cells(kernel, dtype, width, rows):
            cases += 1
            try:
                verdict = run()
            except Fault as fault:
                failures.append(f"{name}, width {width}: {fault}")
                continue
            ratios.append(verdict.ratio)
            if not verdict.right:
                failures.append(f"{name}, width {width}: {verdict}")
    return {
        "kernel": kernel,
        "dtype": dtype,
        "cases": cases,
        "worst_ratio": round(max(ratios), 3),
        "verdict": "wrong" if failures else "right",
        "failures": failures,
        "seconds": round(time.perf_counter() - started, 2),
    }


def main() -> int:
    rows = []
    for kernel in [*KERNELS, "cross_entropy"]:
        for dtype in DTYPES:
            rows.append(row := measure(kernel, dtype))
            print(
                f"{kernel:20} {dtype:9} {row['verdict']:6} {row['worst_ratio']:6} {row['seconds']:6} s",
                flush=True,
            )
            print(*row["failures"], sep="\n", end="" if not row["failures"] else "\n")
    versions = {name: metadata.version(name) for name in ("liger-kernel", "triton", "torch", "numpy")}
    left_out = {f"{kernel}: {case}": why for (kernel, case), why in LEFT_OUT.items()}
    result = {"versions": versions, "widths": WIDTHS, "rows": 3, "left_out": left_out, "results": rows}
    path = Path(__file__).parents[1] / "site" / "data" / "liger.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    return int(any(row["failures"] for row in rows))


if __name__ == "__main__":
    sys.exit(main())
