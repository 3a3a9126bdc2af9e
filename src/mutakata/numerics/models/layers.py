"""Teacher-forced layers: each module of the candidate gets the reference's recorded input, and is judged.

Four rules, by what the reference's module is:

norm     The contract that the reference itself keeps, on the recorded rows and on the fixed inputs with the
         reference's weights: the derived rounding interval.
product  Linear and Conv1D: gamma_{k+1} (|A||B| + |bias|) around the float64 product of the recorded input
         with the reference's weights, then the output's one rounding.
lookup   An embedding moves numbers: the same bits.
block    Everything else: activations, rotary tables, attention, MLP, whole layers. The exact value is the
         reference module run in float64. A correct implementation rounds each step once, so its error is a
         sum of independent roundings of mean zero, each at most one unit roundoff of its own type (for sums
         sqrt(k)|A||B| of it): by Hoeffding's inequality it passes lambda*sigma with probability
         2 exp(-lambda^2/2), where sigma is the root of the sum of the squared largest effects. The effects
         are measured by running the reference with every step nudged by up to one roundoff, uniformly,
         whose variance is a third of that; hence sqrt(3). lambda is set so that all elements of a comparison
         together pass it by chance once in 2^20 comparisons. Held per row, as root mean square.

The block rule is looser than the others by its nature: it allows for every rounding inside. In bf16 it sees
wiring (a wrong mask, a swapped operand), not a wrong constant of 1e-3; in fp32 it is 65,536 times finer.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mutakata.numerics.contracts import Contract
from mutakata.numerics.expectation import quantity
from mutakata.numerics.models.norms import Norm, behaviour, call_inputs, eps_of, is_norm, kept, probe
from mutakata.numerics.rounding import Array, Floats, gamma, unit_roundoff
from mutakata.numerics.verdict import judge

FALSE_ALARM = 2.0**-20  # per comparison of two models
NUDGES = 4  # runs per block; each row's sigma pools NUDGES * width samples
ROWS = 64  # rows per call that the norm and product rules look at, spread evenly
PRODUCTS = {"Linear": True, "NonDynamicallyQuantizableLinear": True, "Conv1D": False}  # weight is (out, in)?


@dataclass(frozen=True)
class Judged:
    """One module on one batch. ratio: error in units of the bound, correct to 1; size: RMS of its input."""

    name: str
    kind: str
    batch: int
    ratio: float
    size: float
    problems: tuple[str, ...] = ()

    @property
    def right(self) -> bool:
        return self.ratio <= 1 and not self.problems


@dataclass
class Bounds:
    """What the reference alone decides, computed once: exact blocks, sigmas, contracts of its norms."""

    reference: Any
    exact: Any
    elements: int
    contracts: dict[str, tuple[Contract, float] | None] = field(default_factory=dict)
    blocks: dict[tuple[str, int], tuple[list[Floats], list[Floats]]] = field(default_factory=dict)

    @property
    def reach(self) -> float:
        """lambda * sqrt(3): how many measured sigmas a correct row may be off."""
        return math.sqrt(3 * 2 * math.log(2 * self.elements / FALSE_ALARM))


def kind_of(module: Any) -> str:
    """Which rule judges a module of the reference."""
    name = type(module).__name__
    if is_norm(module):
        return "norm"
    if name in PRODUCTS:
        return "product"
    weight = getattr(module, "weight", None)
    return "lookup" if name.endswith("Embedding") and getattr(weight, "ndim", 0) == 2 else "block"


def judge_call(bounds: Bounds, call: Any, index: int, module: Any, own: Any = None) -> Judged | None:
    """The verdict on one call, or None where the module is fed with no numbers: nothing to force.

    own: the same call as the candidate made it by itself, for the masks.
    """
    from mutakata.backends.arrays import to_numpy
    from mutakata.backends.torch_models import arrays, matched, replay, with_own_masks

    original = bounds.reference.get_submodule(call.name)
    kind = kind_of(original)
    inputs = arrays(call.inputs)
    if kind != "lookup" and not inputs:
        return None
    output, problems = replay(module, with_own_masks(call, own))
    size = float(np.sqrt(np.mean(np.square(inputs[0].astype(np.float64))))) if inputs else math.nan
    pairs = [(to_numpy(a), to_numpy(b)) for a, b in matched(call.output, output)]
    wanted, got = [a for a, _ in pairs], [b for _, b in pairs]
    problems += _mismatch(wanted, got) if output is not None else []
    if output is None or problems:
        return Judged(call.name, kind, call.batch, math.inf, size, tuple(problems))
    if kind == "norm":
        promise = _contract(bounds, call.name, original)
        if promise is not None and inputs[0].dtype == wanted[0].dtype:
            ratio, words = _norm(
                Norm(call.name, original, eps_of(original)), promise, inputs[0], got[0], module
            )
            return Judged(call.name, kind, call.batch, ratio, size, words)
        kind = "block"
    if kind == "product":
        ratio = _product(original, inputs[0], got[0])
    elif kind == "lookup":
        ratio = 0.0 if all(map(_same, wanted, got)) else math.inf
    else:
        ratio = _block(bounds, call, index, got)
    return Judged(call.name, kind, call.batch, ratio, size)


def _same(a: Array, b: Array) -> bool:
    return bool(np.array_equal(a.astype(np.float64), b.astype(np.float64), equal_nan=True))


def _mismatch(wanted: Sequence[Array], got: Sequence[Array | None]) -> list[str]:
    problems = []
    for a, b in zip(wanted, got, strict=True):
        if b is None:
            problems.append(f"returned no tensor where the reference has one of shape {a.shape}")
            continue
        if a.shape != b.shape:
            problems.append(f"returned shape {b.shape}; the reference {a.shape}")
        if a.dtype != b.dtype:
            problems.append(f"returned {b.dtype}; the reference {a.dtype}")
        if np.isnan(b.astype(np.float64)).sum() > np.isnan(a.astype(np.float64)).sum():
            problems.append("returned NaN where the reference has numbers")
    return problems


def _contract(bounds: Bounds, name: str, module: Any) -> tuple[Contract, float] | None:
    if name not in bounds.contracts:
        norm = Norm(name, module, eps_of(module))
        bounds.contracts[name] = kept(norm, norm.eps)
    return bounds.contracts[name]


def _spread(rows: Array) -> Array:
    """At most ROWS rows of a (…, n) array, evenly spread, the last one included."""
    flat = rows.reshape(-1, rows.shape[-1])
    picked = np.unique(np.linspace(0, len(flat) - 1, min(ROWS, len(flat))).round().astype(int))
    return np.asarray(flat[picked])


def _norm(
    reference: Norm, promise: tuple[Contract, float], x: Array, got: Array, module: Any
) -> tuple[float, tuple[str, ...]]:
    """The worse of the recorded rows and the fixed inputs, both with the reference's weights."""
    contract, eps = promise
    recorded = judge(contract, call_inputs(reference, _spread(x), eps), _spread(got))
    try:
        fixed, regime = probe(reference, contract, eps, module)
    except Exception as error:
        return math.inf, (f"raised {type(error).__name__} on the fixed inputs: {error}",)
    ratio = max(recorded.ratio, fixed.ratio)
    if recorded.right and fixed.right:
        return ratio, ()
    place = f"fixed '{regime}' rows" if recorded.right else "the recorded rows"
    broken = f"breaks {contract.name}, eps {eps:g}, on {place}"
    return ratio, (f"{broken}; {behaviour(reference, eps_of(module), module)}",)


def _product(module: Any, x: Array, got: Array) -> float:
    from mutakata.backends.arrays import to_numpy

    weight = to_numpy(module.weight).astype(np.float64)
    matrix = weight.T if PRODUCTS[type(module).__name__] else weight
    rows, found = _spread(x).astype(np.float64), _spread(got)
    bias = getattr(module, "bias", None)
    shift = np.zeros(matrix.shape[1]) if bias is None else to_numpy(bias).astype(np.float64)
    magnitude = np.abs(rows) @ np.abs(matrix) + np.abs(shift)
    u = unit_roundoff(np.promote_types(found.dtype, np.float32))
    delta = gamma(matrix.shape[0] + 1, u) * magnitude
    return float(quantity(rows @ matrix + shift, delta, found.dtype).ratio(found).max(initial=0.0))


def _block(bounds: Bounds, call: Any, index: int, got: Sequence[Array]) -> float:
    key = (call.name, index)
    if key not in bounds.blocks:
        bounds.blocks[key] = _measure(bounds, call)
    exact, sigmas = bounds.blocks[key]
    worst = 0.0
    for value, sigma, found in zip(exact, sigmas, got, strict=True):
        error = _row_rms(found.astype(np.float64) - value)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.where(error == 0, 0.0, error / (bounds.reach * sigma))
        worst = max(worst, float(ratio.max(initial=0.0)))
    return worst


def _row_rms(values: Floats) -> Floats:
    finite = np.where(np.isfinite(values), values, 0.0)
    return np.asarray(np.sqrt(np.mean(finite**2, axis=-1))) if values.ndim else np.abs(finite)


def _measure(bounds: Bounds, call: Any) -> tuple[list[Floats], list[Floats]]:
    """The block's outputs in float64, and per row the root mean square effect of nudged roundings."""
    from mutakata.backends.torch_models import as_float64
    from mutakata.backends.torch_precision import Exact, Nudged

    wide = type(call)(call.name, call.batch, as_float64(call.args), as_float64(dict(call.kwargs)), None)
    with Exact():
        exact = _outputs(bounds.exact.get_submodule(call.name), wide, call.output)
    squares = [np.zeros(a.shape[:-1]) for a in exact]
    for seed in range(NUDGES):
        with Nudged(seed):
            nudged = _outputs(bounds.reference.get_submodule(call.name), call, call.output)
        for total, value, found in zip(squares, exact, nudged, strict=True):
            total += _row_rms(found - value) ** 2
    return exact, [np.sqrt(total / NUDGES) for total in squares]


def _outputs(module: Any, call: Any, like: Any) -> list[Floats]:
    """What the reference's module returns, where the recorded output has numbers.

    A tensor that another run leaves out (a bias that is handed on only once) is taken as recorded.
    """
    from mutakata.backends.arrays import to_numpy
    from mutakata.backends.torch_models import matched, replay

    output, problems = replay(module, call)
    if output is None:
        raise RuntimeError(f"{call.name} cannot be run again: {problems[0]}")
    return [to_numpy(a if b is None else b).astype(np.float64) for a, b in matched(like, output)]
