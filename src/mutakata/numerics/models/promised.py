"""Holds a live model to its checkpoint: every normalisation has the epsilon and the contract promised."""

from dataclasses import dataclass
from typing import Any

from mutakata.numerics.checkpoint import Promise, promise
from mutakata.numerics.models.norms import Norm, behaviour, contract_of, norms, probe


@dataclass(frozen=True)
class Broken:
    """One module that does not keep the promise: what was found, and what was promised."""

    name: str
    found: str
    promised: str

    def __str__(self) -> str:
        return f"{self.name}: found {self.found}; promised {self.promised}"


def broken_norms(model: Any, config: Any) -> list[Broken]:
    """Every normalisation of `model` that does not keep what `config` promises.

    config: a path to a config.json, a mapping, an object with `to_dict()`, or a Promise. Modules are found by
    duck typing; each is held to the promise twice, by the epsilon it holds and by what it computes on fixed
    inputs with its own weights, so a kernel that ignores its own attribute is found as well. Raises
    ValueError where the model has no normalisation, or the config no epsilon: then nothing would be checked.
    """
    held = config if isinstance(config, Promise) else promise(config)
    eps = held["eps"]
    if eps is None:
        raise ValueError(f"{held.origin}: {held.family.eps_field} is absent, so no epsilon is promised")
    found = list(norms(model))
    if not found:
        raise ValueError(
            f"{type(model).__name__} has no normalisation that can be recognised: nothing checked"
        )
    return [problem for norm in found if (problem := _check(norm, held, float(eps)))]


def _check(norm: Norm, held: Promise, eps: float) -> Broken | None:
    source = f"eps {eps:g} ({held.family.eps_field})"
    if norm.eps is not None and norm.eps != eps:
        default = norm.eps == held.family.eps_default
        note = ", the class default: the config's value never reached it" if default else ""
        return Broken(norm.name, f"eps {norm.eps:g}{note}", source)
    wanted = contract_of(held.family)
    if norm.layer_norm != (held.family.norm == "layer_norm"):
        kind = "a LayerNorm" if norm.layer_norm else "an RMSNorm"
        return Broken(norm.name, f"{kind} ({type(norm.module).__name__})", held.family.norm)
    if eps <= 0:
        return None
    verdict, regime = probe(norm, wanted, eps)
    if verdict.right:
        return None
    reason = verdict.problems[0] if verdict.problems else f"{verdict.ratio:.3g} times the bound"
    words = f"{reason} on '{regime}' rows; {behaviour(norm, norm.eps if norm.eps is not None else eps)}"
    terms = f"cast {held.family.cast}, weight offset {held.family.offset}"
    return Broken(norm.name, words, f"{source}, {terms}" if held.family.norm == "rms_norm" else source)


def assert_contract(model: Any, config: Any) -> None:
    """Fail with every module, what was found and what was promised, unless all keep the config's promise.

    For a test or a load hook:

        model = AutoModelForCausalLM.from_pretrained(folder)
        assert_contract(model, folder / "config.json")

    Arguments as for `broken_norms`.
    """
    problems = broken_norms(model, config)
    if problems:
        total = sum(1 for _ in norms(model))
        lines = "\n  ".join(map(str, problems))
        raise AssertionError(f"{len(problems)} of {total} normalisations break the promise:\n  {lines}")
