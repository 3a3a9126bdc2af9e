"""The facts of one config, each with the field or the published code that it comes from."""

from collections.abc import Mapping
from typing import Any

from mutakata.numerics.checkpoint.families import ACTIVATIONS, Family
from mutakata.numerics.checkpoint.promise import Fact, mlp, rope_bases


def facts(family: Family, config: Mapping[str, Any]) -> list[Fact]:
    """What `config` promises for `family`, in the order of a report."""
    code = family.source
    roundings = "two roundings" if family.cast == "before_weight" else "one rounding"
    dtype = "dtype" if "dtype" in config else "torch_dtype"
    return [
        Fact("norm", family.norm, code),
        _eps(family, config),
        Fact("cast", family.cast, code, roundings),
        Fact("weight offset", family.offset, code, "y = n * (1 + w)" if family.offset else "y = n * w"),
        Fact("placement", family.placement, code),
        Fact("qk-norm", family.qk_norm, code),
        _tied(family, config),
        _activation(family, config),
        _gate_and_up(family, config),
        Fact("positions", family.positions, code),
        *_rope(family, config),
        Fact("dtype", config.get(dtype), dtype),
    ]


def _default(value: object) -> str:
    return f"not promised; transformers falls back to {value}"


def _eps(family: Family, config: Mapping[str, Any]) -> Fact:
    value = config.get(family.eps_field)
    note = _default(f"{family.eps_default:g}") if value is None else ""
    if family.unpassed_eps:
        names = " and ".join(family.unpassed_eps)
        note = f"{note}; the published code builds {names} without it".removeprefix("; ")
    return Fact("eps", value, family.eps_field, note)


def _tied(family: Family, config: Mapping[str, Any]) -> Fact:
    value = config.get("tie_word_embeddings")
    note = _default(family.tied_default) if value is None else ""
    if family.name == "t5" and value is False:
        note = "transformers 5 ties every T5; False there only stops the scaling of the decoder's output"
    return Fact("tied head", value, "tie_word_embeddings", note)


def _activation(family: Family, config: Mapping[str, Any]) -> Fact:
    value = config.get(family.activation_field)
    form = ACTIVATIONS.get(str(value), "a function this table does not know") if value is not None else ""
    return Fact("activation", value, family.activation_field, form if form != value else "")


def _gate_and_up(family: Family, config: Mapping[str, Any]) -> Fact:
    block = mlp(family, config)
    names = {
        "plain": f"one input matrix, {block.up}",
        "separate": f"gate is {block.gate}, up is {block.up}",
        "packed halves": f"{block.gate}: the gate's rows, then up's",
    }
    return Fact("gate and up", block.layout, family.source, names[block.layout])


def _rope(family: Family, config: Mapping[str, Any]) -> list[Fact]:
    if family.rope == "none":
        return []
    name, base = next(reversed(rope_bases(config).items()), ("rope_theta", None))
    scaling = config.get("rope_scaling") or config.get("rope_parameters")
    kind = (scaling.get("rope_type") or scaling.get("type") or "") if isinstance(scaling, Mapping) else ""
    note = f"scaled: {kind}" if kind and kind != "default" else ""
    return [Fact("rope layout", family.rope, family.source), Fact("rope base", base, name, note)]
