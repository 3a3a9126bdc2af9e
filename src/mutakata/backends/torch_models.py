"""Live torch models: records what each module was given and returned, and replays it elsewhere.

Nothing here judges. A recording holds copies, so that a replay cannot edit what a later one reads.
"""

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from mutakata.backends.arrays import to_numpy

DTYPES = {"fp32": torch.float32, "fp16": torch.float16, "bf16": torch.bfloat16, "fp64": torch.float64}


@dataclass(frozen=True)
class Call:
    """One call of one module: its dotted name, the batch's index, the arguments and what came back."""

    name: str
    batch: int
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]
    output: Any

    @property
    def inputs(self) -> list[Any]:
        """The floating-point tensors among the arguments."""
        return [t for t in tensors((self.args, dict(self.kwargs))) if t.is_floating_point()]


def tensors(value: Any) -> Iterator[torch.Tensor]:
    """Every tensor in nested tuples, lists and mappings, in order."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from tensors(each)
    elif isinstance(value, tuple | list):
        for each in value:
            yield from tensors(each)


def matched(wanted: Any, got: Any) -> Iterator[tuple[torch.Tensor, Any]]:
    """Pairs of the floating-point tensors of `wanted` with what stands in their place in `got`, or None.

    Only what the reference returns counts: attention weights beside a reference's None are no difference.
    """
    if isinstance(wanted, torch.Tensor):
        if wanted.is_floating_point():
            yield wanted.detach(), got.detach() if isinstance(got, torch.Tensor) else None
    elif isinstance(wanted, Mapping):
        for key, each in wanted.items():
            yield from matched(each, got.get(key) if isinstance(got, Mapping) else None)
    elif isinstance(wanted, tuple | list):
        for index, each in enumerate(wanted):
            inside = isinstance(got, tuple | list) and index < len(got)
            yield from matched(each, got[index] if inside else None)


def floats(output: Any) -> list[torch.Tensor]:
    """The floating-point tensors of an output."""
    return [t.detach() for t in tensors(output) if t.is_floating_point()]


def arrays(output: Any) -> list[Any]:
    """The floating-point tensors of an output as NumPy arrays."""
    return [to_numpy(t) for t in floats(output)]


def mapped(value: Any, change: Callable[[torch.Tensor], torch.Tensor]) -> Any:
    """The same nesting with every tensor changed."""
    if isinstance(value, torch.Tensor):
        return change(value)
    if isinstance(value, Mapping):
        return {key: mapped(each, change) for key, each in value.items()}
    if isinstance(value, tuple | list):
        inside = [mapped(each, change) for each in value]
        return type(value)(*inside) if hasattr(value, "_fields") else type(value)(inside)
    return value


def cloned(value: Any) -> Any:
    return mapped(value, lambda tensor: tensor.detach().clone())


def fitted(batches: Sequence[Any], dtype: str | None) -> list[Any]:
    """The batches with floating-point tensors in the intended precision."""
    if dtype is None:
        return list(batches)
    return [mapped(b, lambda t: t.to(DTYPES[dtype]) if t.is_floating_point() else t) for b in batches]


def as_float64(value: Any) -> Any:
    return mapped(value, lambda t: t.detach().double() if t.is_floating_point() else t.detach().clone())


def prepared(model: Any, dtype: str | None) -> Any:
    """The model in eval mode; a copy of it in `dtype` where one is asked for and it has another."""
    held = {p.dtype for p in model.parameters() if p.is_floating_point()}
    if dtype is not None and held != {DTYPES[dtype]}:
        model = copy.deepcopy(model).to(DTYPES[dtype])
    return model.eval()


@contextmanager
def without_cache(model: Any) -> Iterator[None]:
    """A key-value cache is state that a replay would extend: switched off in every config that has a switch.

    Encoder and decoder may hold copies of the model's config.
    """
    configs: list[Any] = [getattr(module, "config", None) for module in model.modules()]
    found = {id(config): config for config in configs if hasattr(config, "use_cache")}
    before = [(config, config.use_cache) for config in found.values()]
    for config, _ in before:
        config.use_cache = False
    try:
        yield
    finally:
        for config, value in before:
            config.use_cache = value


def run(model: Any, batch: Any) -> Any:
    """Call a model on a batch: a mapping by keyword, a tuple by position, anything else as it is."""
    with torch.no_grad(), without_cache(model):
        if isinstance(batch, Mapping):
            return model(**cloned(dict(batch)))
        if isinstance(batch, tuple):
            return model(*cloned(batch))
        return model(cloned(batch))


def logits(output: Any) -> torch.Tensor:
    """`output.logits`, or the first floating-point tensor of the output."""
    found = getattr(output, "logits", None)
    return found.detach() if isinstance(found, torch.Tensor) else floats(output)[0]


def record(model: Any, batches: Sequence[Any]) -> tuple[list[Call], list[torch.Tensor]]:
    """Every call of every module in the order of completion, so inner before outer, and the logits."""
    calls: list[Call] = []
    finals: list[torch.Tensor] = []
    before: dict[str, list[tuple[Any, Any]]] = {}

    def hooks_of(name: str, index: int) -> tuple[Callable[..., None], Callable[..., None]]:
        def enter(module: Any, args: Any, kwargs: Any) -> None:
            before.setdefault(name, []).append((cloned(args), cloned(kwargs)))

        def leave(module: Any, args: Any, kwargs: Any, output: Any) -> None:
            given = before[name].pop()
            calls.append(Call(name, index, given[0], given[1], cloned(output)))

        return enter, leave

    for index, batch in enumerate(batches):
        handles = []
        for name, module in model.named_modules():
            enter, leave = hooks_of(name, index)
            handles.append(module.register_forward_pre_hook(enter, with_kwargs=True))
            handles.append(module.register_forward_hook(leave, with_kwargs=True))
        try:
            finals.append(logits(run(model, batch)).clone())
        finally:
            for handle in handles:
                handle.remove()
    return calls, finals


def with_own_masks(call: Call, own: Call | None) -> Call:
    """The recorded call with the masks that the candidate itself passes there.

    A mask is no activation: each attention kernel has its own form of it (None and a flag, bool, additive),
    and a candidate's wrong mask must be seen, not healed. So for whatever only one of the two passes.
    """
    if own is None:
        return call
    kwargs = {
        name: own.kwargs.get(name)
        if "mask" in name or (value is None) != (own.kwargs.get(name) is None)
        else value
        for name, value in call.kwargs.items()
        if name in own.kwargs
    }
    args = tuple(
        own.args[i] if i < len(own.args) and (value is None) != (own.args[i] is None) else value
        for i, value in enumerate(call.args)
    )
    added = {name: value for name, value in own.kwargs.items() if name not in call.kwargs}
    return Call(call.name, call.batch, args, kwargs | added, call.output)


def replay(module: Any, call: Call) -> tuple[Any, list[str]]:
    """What a module returns for a recorded call, and findings: it raised, or edited what it was given."""
    given = cloned((call.args, dict(call.kwargs)))
    try:
        with torch.no_grad():
            output = module(*given[0], **given[1])
    except Exception as error:
        return None, [f"raised {type(error).__name__}: {error}"]
    wanted, got = tensors((call.args, dict(call.kwargs))), tensors(given)
    edited = any(not torch.equal(a, b) and not _both_nan(a, b) for a, b in zip(wanted, got, strict=True))
    return output, ["edited its input"] if edited else []


def _both_nan(a: torch.Tensor, b: torch.Tensor) -> bool:
    return a.is_floating_point() and torch.equal(a.nan_to_num(), b.nan_to_num())


def call_rows(module: Any, rows: Any, weight: torch.Tensor) -> Any:
    """Run a module on NumPy rows (r, n), in the type and on the device of `weight`; the output as NumPy."""
    given = torch.from_numpy(np.asarray(rows, np.float64)).to(weight.device, weight.dtype)
    with torch.no_grad():
        return to_numpy(module(given))


def storage_groups(model: Any) -> list[frozenset[str]]:
    """Names of parameters that share memory: the tied ones."""
    found: dict[int, set[str]] = {}
    for name, value in model.named_parameters(remove_duplicate=False):
        found.setdefault(value.data_ptr(), set()).add(name)
    return [frozenset(names) for names in found.values() if len(names) > 1]


def parameters(model: Any) -> dict[str, torch.Tensor]:
    """Every parameter and persistent buffer by name, tied ones under each of their names."""
    return {name: value.detach() for name, value in model.state_dict().items()}
