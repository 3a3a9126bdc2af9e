"""Makes a target callable as its operation: arrays in by the operation's names, arrays out.

A target is a function over NumPy arrays or torch tensors, a torch module class, or a module. torch is
imported only where the target needs it.
"""

import copy
import inspect
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mutakata.backends.arrays import to_numpy

# Under which names a function or a constructor may take what the operation calls by the first one.
ALIASES = {
    "x": ("x", "input", "hidden_states", "X", "inputs", "data"),
    "weight": ("weight", "w", "W", "gamma", "scale"),
    "gamma": ("gamma", "weight", "w", "W", "scale"),
    "beta": ("beta", "bias", "b", "B", "shift"),
    "eps": ("eps", "epsilon", "variance_epsilon", "layer_norm_eps", "norm_eps"),
    "residual": ("residual", "res", "skip", "R"),
    "gate": ("gate", "a", "x"),
    "up": ("up", "b", "y"),
    "positions": ("positions", "position_ids", "pos"),
    "base": ("base", "theta", "rope_theta"),
    "grad": ("grad", "grad_output", "dy", "dY", "dout"),
    "grad_residual": ("grad_residual", "dresidual", "dS_out"),
}
WIDTH = ("normalized_shape", "hidden_size", "dim", "n", "d", "size", "width", "features", "num_features")
PARAMETERS = ("weight", "gamma", "beta")
_GPU = re.compile(r"\bcuda\b|nvidia|active drivers|\bGPU\b", re.IGNORECASE)


class AdaptError(Exception):
    """A target that cannot be called as the operation; the message says why and what to do."""


@dataclass(frozen=True)
class How:
    """How to call a target.

    arrays: numpy, torch, or auto. settings: further arguments, for the function or the constructor. implied:
    inputs that the target need not take, as it holds their value. returns: names of what it returns, where
    these are not the operation's outputs; "_" is passed over. backward: its gradients are wanted.
    """

    device: str = "cpu"
    arrays: str = "auto"
    settings: Mapping[str, Any] = field(default_factory=dict)
    implied: Sequence[str] = ()
    returns: Sequence[str] = ()
    backward: bool = False


def adapt(target: Any, how: How) -> Callable[..., Any]:
    """A function of the operation's inputs as NumPy arrays, with outputs as NumPy arrays.

    Raises AdaptError for what can be seen without a call, and the target's own exceptions when called.
    """
    if not callable(target):
        raise AdaptError(f"it is a {type(target).__name__}; a function or a torch module is needed")
    if _kind(target, how.arrays) == "numpy":
        if how.backward:
            raise AdaptError(
                "it works on NumPy arrays, which have no gradient; give --op OP_backward instead"
            )
        return lambda **inputs: _named(_call(target, inputs, how), how)
    import torch

    torch.set_deterministic_debug_mode("warn")  # torch.empty then holds NaN: what is left unwritten shows
    warnings.filterwarnings("ignore", message=".*deterministic.*")
    if how.device != "cpu" and not torch.cuda.is_available():
        raise AdaptError(f"not proved here: --device {how.device}, and torch sees no GPU on this machine")
    return lambda **inputs: _on_tensors(target, inputs, how)


def needs_gpu(problem: str) -> bool:
    """Whether an exception's text says that this machine lacks a GPU."""
    return problem.startswith("raised ") and bool(_GPU.search(problem))


def _kind(target: Any, asked: str) -> str:
    """numpy or torch: by class, by the package it comes from, or by what its module imports."""
    if asked != "auto":
        return asked
    roots = {base.__module__.split(".")[0] for base in getattr(type(target), "__mro__", ())}
    if isinstance(target, type):
        roots |= {base.__module__.split(".")[0] for base in target.__mro__}
    roots.add((getattr(target, "__module__", None) or "").split(".")[0])
    held = getattr(inspect.unwrap(target), "__globals__", {}).values()
    roots |= {value.__name__.split(".")[0] for value in held if inspect.ismodule(value)}
    return "torch" if roots & {"torch", "triton", "transformers", "liger_kernel"} else "numpy"


def _on_tensors(target: Any, inputs: Mapping[str, Any], how: How) -> Any:
    import torch

    given = {name: to_torch(value, how.device) for name, value in inputs.items()}
    with torch.set_grad_enabled(how.backward):
        got = _gradients(target, given, how) if how.backward else _forward(target, given, how)
    if how.device != "cpu":
        for name, value in inputs.items():  # so that an edit of the copy is seen
            if isinstance(value, np.ndarray):
                value[...] = to_numpy(given[name])
    return _named(to_numpy(got), how)


def to_torch(value: Any, device: str = "cpu") -> Any:
    """The array as a tensor with the same strides, in the same memory on the CPU; anything else as it is."""
    import torch

    if not isinstance(value, np.ndarray):
        return value
    if value.dtype.name == "bfloat16":
        return torch.from_numpy(value.view(np.int16)).view(torch.bfloat16).to(device)
    return torch.from_numpy(value).to(device)


def _forward(target: Any, given: Mapping[str, Any], how: How) -> Any:
    import torch

    if not (isinstance(target, type) and issubclass(target, torch.nn.Module)):
        if not isinstance(target, torch.nn.Module):
            return _call(target, given, how)
        return _run_module(copy.deepcopy(target), given, how, held=("eps",))
    return _run_module(_built(target, given, how), given, how, held=("eps",))


def _built(cls: Any, given: Mapping[str, Any], how: How) -> Any:
    """An instance of a module class, told the width and eps."""
    wanted = inspect.signature(cls.__init__).parameters
    arguments = dict(how.settings)
    width = next((name for name in WIDTH if name in wanted), None)
    if width is None:
        raise AdaptError(
            f"{cls.__name__}({', '.join(list(wanted)[1:])}) takes no width under a known name "
            f"({', '.join(WIDTH)}); write a function that builds and calls it"
        )
    arguments.setdefault(width, _width(given))
    eps = next((name for name in ALIASES["eps"] if name in wanted), None)
    if "eps" in given and eps:
        arguments.setdefault(eps, given["eps"])
    elif "eps" in given and "eps" not in how.implied:
        raise AdaptError(f"{cls.__name__} takes no eps; say with --eps which one it holds")
    try:
        return cls(**arguments)
    except Exception as error:
        raise AdaptError(f"{cls.__name__}(**{arguments}) raised {type(error).__name__}: {error}") from error


def _run_module(module: Any, given: Mapping[str, Any], how: How, held: Sequence[str]) -> Any:
    """Call a module with the operation's parameters in place of its own."""
    import torch

    known = dict(module.named_parameters())
    own = {}
    for name in PARAMETERS:
        if name in given:
            found = next((alias for alias in ALIASES[name] if alias in known), None)
            if found is None:
                raise AdaptError(f"{type(module).__name__} has no parameter for {name}; it has {list(known)}")
            own[found] = given[name]
    like = next(iter(own.values()), None)
    module = module.to(how.device) if like is None else module.to(like.device, like.dtype)
    rest = {name: value for name, value in given.items() if name not in (*PARAMETERS, *held)}
    arguments = bound(module.forward, rest, {}, how.implied)
    return torch.func.functional_call(module, own, arguments.args, dict(arguments.kwargs))


def _gradients(target: Any, given: Mapping[str, Any], how: How) -> Any:
    """dx and the gradients of the parameters, by autograd, from the inputs of a backward operation."""
    import torch

    sent = [given[name] for name in ("grad", "grad_residual") if name in given]
    tensors = {name: value for name, value in given.items() if name not in ("grad", "grad_residual")}
    if "gamma" in tensors:
        tensors["beta"] = torch.zeros_like(tensors["gamma"])
    if "grad_residual" in given:
        tensors["residual"] = torch.zeros_like(tensors["x"])
    leaves = [tensors[name] for name in ("x", *PARAMETERS) if name in tensors]
    for leaf in leaves:
        leaf.requires_grad_()
    got = _forward(target, tensors, how)
    outputs = list(got) if isinstance(got, tuple | list) else [got]
    if len(outputs) != len(sent):
        raise AdaptError(f"it returns {len(outputs)} outputs; gradients are sent to {len(sent)}")
    found = torch.autograd.grad(outputs, leaves, sent, allow_unused=True)
    zeros = (torch.zeros_like(leaf) if one is None else one for one, leaf in zip(found, leaves, strict=True))
    return tuple(zeros)


def _call(function: Any, given: Mapping[str, Any], how: How) -> Any:
    arguments = bound(function, given, how.settings, how.implied)
    return function(*arguments.args, **arguments.kwargs)


@dataclass(frozen=True)
class Arguments:
    """What a call is given."""

    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]


def bound(
    function: Any, given: Mapping[str, Any], settings: Mapping[str, Any], implied: Sequence[str] = ()
) -> Arguments:
    """Fit inputs to a signature: by name, then by another name for the same thing, then by position."""
    try:
        wanted = inspect.signature(function).parameters
    except (TypeError, ValueError):  # a builtin without a signature
        return Arguments(tuple(given.values()), settings)
    kinds = {one.kind for one in wanted.values()}
    if inspect.Parameter.VAR_POSITIONAL in kinds and len(wanted) <= 2:
        return Arguments(tuple(given.values()), settings)
    open_ended = inspect.Parameter.VAR_KEYWORD in kinds
    kwargs, missing = dict(settings), []
    for name, value in given.items():
        found = next(
            (alias for alias in ALIASES.get(name, (name,)) if alias in wanted and alias not in kwargs), None
        )
        if found or open_ended:
            kwargs[found or name] = value
        elif name not in implied:
            missing.append(name)
    for name, value in _conventions(given).items():
        if name in wanted:
            kwargs.setdefault(name, value)
    required = [
        n for n, one in wanted.items() if one.default is one.empty and one.kind is not one.VAR_KEYWORD
    ]
    lacking = [name for name in required if name not in kwargs]
    if not missing and not lacking:
        positional = [n for n, one in wanted.items() if one.kind is one.POSITIONAL_ONLY and n in kwargs]
        return Arguments(tuple(kwargs.pop(name) for name in positional), kwargs)
    if len(required) == len(given) and not settings:
        return Arguments(tuple(given.values()), {})
    raise AdaptError(_misfit(function, wanted, given, missing, lacking))


def _conventions(given: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments that say where the operation works: the last axis."""
    return {"normalized_shape": (_width(given),), "dim": -1, "axis": -1}


def _misfit(function: Any, wanted: Any, given: Any, missing: Sequence[str], lacking: Sequence[str]) -> str:
    name = getattr(function, "__name__", type(function).__name__)
    parts = [f"{name}({', '.join(wanted)}) cannot be called with {', '.join(given)}"]
    parts += [f"no argument takes {', '.join(missing)}"] if missing else []
    parts += [f"nothing is known for {', '.join(lacking)}: give --set {lacking[0]}=VALUE"] if lacking else []
    if "eps" in missing:
        parts.append("if it holds its own eps, name it with --eps")
    return "; ".join((*parts, "or wrap it in a function that takes these names"))


def _width(given: Mapping[str, Any]) -> int:
    return int(next(value.shape[-1] for value in given.values() if getattr(value, "shape", ())))


def _named(got: Any, how: How) -> Any:
    """The returned values by the names they were given; a statistic's trailing axis of one is dropped."""
    if not how.returns:
        return got
    values = got if isinstance(got, tuple | list) else (got,)
    if len(values) != len(how.returns):
        return got
    pairs = zip(how.returns, values, strict=True)
    statistics = ("rstd", "mean")
    return {
        name: value[..., 0] if name in statistics and np.ndim(value) and value.shape[-1] == 1 else value
        for name, value in pairs
        if name != "_"
    }
