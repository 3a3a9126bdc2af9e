"""The normalisations of a live model: found by shape and name, read, and run on the fixed inputs."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any, Literal

import numpy as np

from mutakata.numerics.checkpoint import Family
from mutakata.numerics.contracts import Contract, RmsNorm
from mutakata.numerics.inputs import fixed_inputs
from mutakata.numerics.presets import contract
from mutakata.numerics.rounding import Array, round_to
from mutakata.numerics.verdict import Verdict, judge

EPS_ATTRIBUTES = ("eps", "variance_epsilon", "epsilon", "layer_norm_eps", "rms_norm_eps", "norm_eps")
# Epsilons that defects come from: class defaults, older configs, none at all.
USUAL_EPS = (1e-6, 1e-5, 1e-12, 1e-8, 1e-7, 1e-3, 1.1920928955078125e-07)
_NAME = re.compile(r"norm|ln", re.IGNORECASE)
_CASTS: tuple[Literal["before_weight", "after_weight"], ...] = ("before_weight", "after_weight")
_RMS = tuple(
    RmsNorm(f"cast {cast}, weight offset {offset:g}", "tried", cast, offset)
    for cast, offset in product(_CASTS, (0.0, 1.0))
)
# Nothing is cast in float32, so no output there can tell where it would be.
_RMS_WIDE = tuple(RmsNorm(f"weight offset {offset:g}", "tried", offset=offset) for offset in (0.0, 1.0))


@dataclass(frozen=True)
class Norm:
    """One module: its dotted name, the module, and the epsilon attribute it has (None where it has none)."""

    name: str
    module: Any
    eps: float | None

    @property
    def width(self) -> int:
        return int(self.module.weight.shape[0])

    @property
    def layer_norm(self) -> bool:
        """Centred: a LayerNorm by its class's name, or by its bias."""
        kind = type(self.module).__name__.lower()
        bias = getattr(self.module, "bias", None)
        return "rms" not in kind and "t5" not in kind and (bias is not None or kind.startswith("layernorm"))


def is_norm(module: Any) -> bool:
    """A leaf whose weight is a vector, named as a norm or with an epsilon; not a batch or group norm."""
    weight = getattr(module, "weight", None)
    if getattr(weight, "ndim", None) != 1 or any(True for _ in module.children()):
        return False
    if hasattr(module, "running_mean") or hasattr(module, "num_groups"):
        return False
    return bool(_NAME.search(type(module).__name__)) or eps_of(module) is not None


def eps_of(module: Any) -> float | None:
    """The epsilon that a module holds, under whatever name."""
    for name in EPS_ATTRIBUTES:
        value = getattr(module, name, None)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return float(value)
    return None


def norms(model: Any) -> Iterator[Norm]:
    """Every normalisation of a live model, duck-typed, in the order of its modules."""
    for name, module in model.named_modules():
        if is_norm(module):
            yield Norm(name, module, eps_of(module))


def contract_of(family: Family) -> Contract:
    """The contract that a family's norms keep."""
    if family.norm == "layer_norm":
        return contract("layer_norm/torch")
    return RmsNorm(f"rms_norm/{family.name}", family.source, family.cast, float(family.offset))


@lru_cache(maxsize=64)
def fixed_rows(op: str, dtype: Any, width: int, eps: float) -> tuple[Array, list[str]]:
    """The row regimes of the fixed inputs, one below the other, and a grid whose mean square is about eps."""
    cases = [case for case in fixed_inputs(op, dtype, width, rows=2) if case.name != "strided"]
    rows = [case.inputs["x"] for case in cases]
    names = [case.name for case in cases for _ in range(2)]
    whole = next(case.inputs["x"] for case in cases if case.name == "grid").astype(np.float64)
    shrink = np.exp2(np.rint(np.log2(np.sqrt(max(eps, 1e-30) / np.mean(whole**2)))))
    rows.append(round_to(whole * shrink, dtype))
    together = np.concatenate(rows)
    together.flags.writeable = False
    return together, [*names, "near eps", "near eps"]


def call_inputs(norm: Norm, x: Array, eps: float) -> dict[str, Any]:
    """The keyword arguments of the norm's operation, with the module's own parameters."""
    from mutakata.backends.arrays import to_numpy

    weight = to_numpy(norm.module.weight)
    if not norm.layer_norm:
        return {"x": x, "weight": weight, "eps": eps}
    bias = getattr(norm.module, "bias", None)
    beta = np.zeros_like(weight) if bias is None else to_numpy(bias)
    return {"x": x, "gamma": weight, "beta": beta, "eps": eps}


def candidates(norm: Norm) -> tuple[Contract, ...]:
    """The contracts that could explain what the module computes."""
    if norm.layer_norm:
        return contract("layer_norm/torch"), contract("layer_norm/two_pass")
    return _RMS_WIDE if norm.module.weight.itemsize >= 4 else _RMS


def on_fixed_rows(norm: Norm, eps: float, module: Any = None) -> tuple[Array, list[str], Array]:
    """The fixed rows in the norm's own type, their regimes, and what `module` (itself) makes of them."""
    from mutakata.backends.arrays import to_numpy
    from mutakata.backends.torch_models import call_rows

    dtype = to_numpy(norm.module.weight).dtype
    rows, regimes = fixed_rows("layer_norm" if norm.layer_norm else "rms_norm", dtype, norm.width, eps)
    return rows, regimes, call_rows(norm.module if module is None else module, rows, norm.module.weight)


def kept(norm: Norm, eps: float | None, module: Any = None) -> tuple[Contract, float] | None:
    """The contract and epsilon that the outputs keep, or None where no known one explains them."""
    rows, _, got = on_fixed_rows(norm, 1e-6 if eps is None else eps, module)
    own = () if eps is None else (eps,)
    for value, promise in product(dict.fromkeys((*own, *USUAL_EPS)), candidates(norm)):
        if value > 0 and judge(promise, call_inputs(norm, rows, value), got).right:
            return promise, value
    return None


def behaviour(norm: Norm, eps: float | None, module: Any = None) -> str:
    """In words, what a module that breaks its promise computes instead."""
    found = kept(norm, eps, module)
    if found is None:
        return "no known contract explains its outputs"
    promise, value = found
    return f"it computes {promise.name} with eps {value:g}"


def probe(norm: Norm, promise: Contract, eps: float, module: Any = None) -> tuple[Verdict, str]:
    """Hold `module` (the norm's own) to a contract with the norm's weights on the fixed rows.

    Returns the verdict and the regime of the worst row.
    """
    rows, regimes, got = on_fixed_rows(norm, eps, module)
    verdict = judge(promise, call_inputs(norm, rows, eps), got)
    worst = verdict.worst.index[0] if verdict.worst else 0
    return verdict, regimes[worst]
