"""Compares a candidate model with a reference: parameters, then teacher-forced layers, then logits."""

import copy
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mutakata.numerics.checkpoint import Finding
from mutakata.numerics.models.layers import NUDGES, Bounds, Judged, judge_call
from mutakata.numerics.models.logits import Logits, logit_report
from mutakata.numerics.models.parameters import parameter_findings


@dataclass(frozen=True)
class Reference:
    """A recorded reference: what every module was given and returned, and the bounds that follow.

    Made by `record_reference`; one recording serves any number of candidates.
    """

    model: Any
    dtype: str | None
    batches: tuple[Any, ...]
    calls: tuple[Any, ...]
    logits: tuple[Any, ...]
    exact: tuple[Any, ...]
    variants: tuple[tuple[Any, ...], ...]
    bounds: Bounds


@dataclass(frozen=True)
class Comparison:
    """What was found. `layers` is in the order in which modules finished, inner before outer."""

    layers: tuple[Judged, ...]
    parameters: tuple[Finding, ...]
    logits: Logits | None
    skipped: tuple[str, ...]  # modules of the reference that the candidate does not have under that name
    problems: tuple[str, ...] = ()

    @property
    def first_bad(self) -> Judged | None:
        """The innermost module that failed first: everything around and after it only inherits the error."""
        return next((one for one in self.layers if not one.right), None)

    @property
    def right(self) -> bool:
        return self.first_bad is None and not self.parameters and not self.problems

    def worst(self) -> list[Judged]:
        """One row per module: its worst batch, in the order of execution."""
        best: dict[str, Judged] = {}
        for one in self.layers:
            held = best.get(one.name)
            if held is None or (one.ratio, len(one.problems)) > (held.ratio, len(held.problems)):
                best[one.name] = one
        return list(best.values())


def record_reference(model: Any, batches: Sequence[Any], dtype: str | None = None) -> Reference:
    """Run the reference on every batch, in its own precision, in float64, and with other correct roundings.

    batches: mappings of keyword arguments, tuples of positional ones, or single tensors; use several shapes.
    dtype: "bf16", "fp16" or "fp32" casts a copy; None keeps the model's own.
    """
    from mutakata.backends.torch_models import arrays, as_float64, fitted, logits, prepared, record, run
    from mutakata.backends.torch_precision import Exact, Nudged

    if not batches:
        raise ValueError("no batches: nothing would be compared")
    held, batches = prepared(model, dtype), fitted(batches, dtype)
    calls, finals = record(held, batches)
    wide = copy.deepcopy(held).double()
    with Exact():
        exact = tuple(arrays(logits(run(wide, as_float64(batch))))[0] for batch in batches)
    variants = []
    for seed in range(NUDGES):
        with Nudged(seed):
            variants.append(tuple(arrays(logits(run(held, batch)))[0] for batch in batches))
    elements = sum(t.numel() for call in calls for t in arrays_of(call))
    return Reference(
        held,
        dtype,
        tuple(batches),
        tuple(calls),
        tuple(arrays(f)[0] for f in finals),
        exact,
        tuple(variants),
        Bounds(held, wide, max(elements, 1)),
    )


def arrays_of(call: Any) -> list[Any]:
    from mutakata.backends.torch_models import floats

    return floats(call.output)


def compare_models(
    reference: Any, candidate: Any, batches: Sequence[Any] = (), dtype: str | None = None
) -> Comparison:
    """Hold `candidate` to `reference` at the intended precision.

    reference: a torch module, or a Reference recorded before (then batches and dtype are its own). The layers
    are the verdict: each module that both models have by name gets the reference's recorded input. See
    mutakata.numerics.models.layers for the rules; the logits come with what they cannot show.
    """
    from mutakata.backends.torch_models import arrays, prepared, record

    held = reference if isinstance(reference, Reference) else record_reference(reference, batches, dtype)
    model = prepared(candidate, held.dtype)
    problems: list[str] = []
    own: dict[tuple[str, int, int], Any] = {}
    report = None
    try:
        calls, finals = record(model, held.batches)
        own = dict(_numbered(calls))
        report = logit_report(held.exact, held.logits, [arrays(f)[0] for f in finals], held.variants)
    except Exception as error:
        problems.append(f"the candidate raised {type(error).__name__}: {error}")
    layers, skipped = _layers(held, dict(model.named_modules()), own)
    if not any(math.isfinite(one.ratio) for one in layers):
        problems.append("no module could be compared: the models share no names")
    findings = parameter_findings(held.model, model)
    return Comparison(tuple(layers), tuple(findings), report, tuple(skipped), tuple(problems))


def _numbered(calls: Sequence[Any]) -> Iterator[tuple[tuple[str, int, int], Any]]:
    """Each call with its module, its batch, and how many times that module ran before."""
    seen: Counter[tuple[str, int]] = Counter()
    for call in calls:
        yield (call.name, call.batch, seen[call.name, call.batch]), call
        seen[call.name, call.batch] += 1


def _layers(
    held: Reference, modules: Mapping[str, Any], own: Mapping[tuple[str, int, int], Any]
) -> tuple[list[Judged], list[str]]:
    """The verdicts, and the modules that the candidate does not have."""
    layers, skipped = [], dict[str, None]()
    for index, (key, call) in enumerate(_numbered(held.calls)):
        if call.name not in modules:
            skipped[call.name] = None
        elif call.name:
            verdict = judge_call(held.bounds, call, index, modules[call.name], own.get(key))
            if verdict is not None:
                layers.append(verdict)
    return layers, list(skipped)
