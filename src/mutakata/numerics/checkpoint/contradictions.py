"""Where a config contradicts itself or its family."""

from collections.abc import Mapping
from typing import Any

from mutakata.numerics.checkpoint.families import ACTIVATIONS, Family
from mutakata.numerics.checkpoint.promise import EPS_NAMES, Finding, eps_fields, rope_bases


def contradictions(
    family: Family, config: Mapping[str, Any], outer: Mapping[str, Any], scope: str
) -> list[Finding]:
    """Every contradiction in `config`; `outer` is the config it is nested in under `scope`, if any."""
    return [
        *_eps(family, config),
        *_rope(config),
        *_nested(config, outer, scope),
        *_activation(family, config),
    ]


def _eps(family: Family, config: Mapping[str, Any]) -> list[Finding]:
    fields = eps_fields(config)
    others = {name: value for name, value in fields.items() if name != family.eps_field}
    written = ", ".join(f"{name} = {value!r}" for name, value in others.items())
    if others and family.eps_field not in fields:
        message = (
            f"{written} is there, but {family.name} reads {family.eps_field}, which is absent: "
            f"transformers would run its class default {family.eps_default:g}"
        )
        return [Finding("eps-name", message)]
    if any(value != fields[family.eps_field] for value in others.values()):
        own = f"{family.eps_field} = {fields[family.eps_field]!r}"
        return [Finding("eps-conflict", f"{own}, but also {written}; {family.name} reads {family.eps_field}")]
    return []


def _rope(config: Mapping[str, Any]) -> list[Finding]:
    bases = rope_bases(config)
    if all(value == next(iter(bases.values())) for value in bases.values()):
        return []
    written = ", ".join(f"{name} = {value!r}" for name, value in bases.items())
    return [Finding("rope-conflict", f"more than one base for the rotary embedding: {written}")]


def _nested(config: Mapping[str, Any], outer: Mapping[str, Any], scope: str) -> list[Finding]:
    """Fields that a loader may read at either level (huggingface/transformers#43429 read the wrong one)."""
    return [
        Finding("nested-conflict", f"{name} is {outer[name]!r} at the top but {config[name]!r} in {scope}")
        for name in ("tie_word_embeddings", *EPS_NAMES)
        if scope and name in outer and name in config and outer[name] != config[name]
    ]


def _activation(family: Family, config: Mapping[str, Any]) -> list[Finding]:
    value = config.get(family.activation_field)
    if family.name not in ("gemma", "gemma2") or ACTIVATIONS.get(str(value)) != "gelu, erf form":
        return []
    message = (
        f"{family.activation_field} = {value!r} names the erf form of gelu; Gemma was trained with the "
        "tanh form (huggingface/transformers#29402)"
    )
    return [Finding("activation", message)]
