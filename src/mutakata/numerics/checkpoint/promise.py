"""The records of a checkpoint's promise."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mutakata.numerics.checkpoint import families
from mutakata.numerics.checkpoint.families import Family, Mlp

EPS_NAMES = (
    "rms_norm_eps",
    "layer_norm_eps",
    "layer_norm_epsilon",
    "layernorm_epsilon",
    "norm_eps",
    "norm_epsilon",
    "rms_norm_epsilon",
    "ln_eps",
    "eps",
)
ROPE_BASES = ("rope_theta", "rotary_emb_base")
LAYER_COUNTS = ("num_hidden_layers", "n_layer", "num_layers")
WIDTHS = ("hidden_size", "n_embd", "d_model")


class CheckpointError(Exception):
    """A config or weight file that promises nothing readable. Carries every problem and what to do."""

    def __init__(self, problems: list[str], promise: "Promise | None" = None) -> None:
        self.problems = problems
        self.promise = promise
        super().__init__("\n".join(problems))


@dataclass(frozen=True)
class Fact:
    """One promise. `value` is None where the field is absent; `source` is its config field, or code."""

    name: str
    value: Any
    source: str
    note: str = ""

    @property
    def text(self) -> str:
        return "absent" if self.value is None else str(self.value)


@dataclass(frozen=True)
class Finding:
    """One contradiction: a stable id, and a sentence with what was found and what was promised."""

    id: str
    message: str


@dataclass(frozen=True)
class Promise:
    """What one config promises. `scope` names the nested config that was followed, "" for the top level."""

    origin: str
    family: Family
    scope: str
    facts: tuple[Fact, ...]
    findings: tuple[Finding, ...] = ()
    config: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def __getitem__(self, name: str) -> Any:
        """The value of one fact, None where it is absent."""
        return next(fact.value for fact in self.facts if fact.name == name)

    @property
    def mlp(self) -> Mlp:
        return mlp(self.family, self.config)

    @property
    def layers(self) -> int | None:
        return first_int(self.config, LAYER_COUNTS)

    @property
    def width(self) -> int | None:
        return first_int(self.config, WIDTHS)


def first_int(config: Mapping[str, Any], names: tuple[str, ...]) -> int | None:
    return next((config[name] for name in names if isinstance(config.get(name), int)), None)


def mlp(family: Family, config: Mapping[str, Any]) -> Mlp:
    """The feed-forward block. Only T5 chooses it by a value of the config."""
    gated = str(config.get("feed_forward_proj", "")).startswith("gated-")
    return families.T5_GATED if family.name == "t5" and gated else family.mlp


def eps_fields(config: Mapping[str, Any]) -> dict[str, Any]:
    """Every known name of an epsilon that the config gives a value."""
    return {name: config[name] for name in EPS_NAMES if config.get(name) is not None}


def rope_bases(config: Mapping[str, Any]) -> dict[str, Any]:
    """Every place where the config gives the rotary base; transformers 5 writes it into rope_parameters."""
    found = {name: config[name] for name in ROPE_BASES if config.get(name) is not None}
    nested = config.get("rope_parameters")
    if isinstance(nested, Mapping) and nested.get("rope_theta") is not None:
        found["rope_parameters.rope_theta"] = nested["rope_theta"]
    return found
