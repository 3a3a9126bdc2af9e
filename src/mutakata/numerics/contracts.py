"""What an implementation promises. A contract decides both the reference and the bound."""

from dataclasses import dataclass
from typing import ClassVar, Literal


@dataclass(frozen=True)
class Contract:
    """The conventions of one operation. `source` says where they are written down."""

    op: ClassVar[str]
    name: str
    source: str


@dataclass(frozen=True)
class RmsNorm(Contract):
    """cast: round to the input's type before or after the weight. offset: added to the weight."""

    op: ClassVar[str] = "rms_norm"
    cast: Literal["before_weight", "after_weight"] = "after_weight"
    offset: float = 0.0


@dataclass(frozen=True)
class LayerNorm(Contract):
    """variance: how it is computed. apply: subtract the mean from x, or scale x and shift by -mean*rstd."""

    op: ClassVar[str] = "layer_norm"
    variance: Literal["two_pass", "welford", "moments"] = "two_pass"
    apply: Literal["centred", "scale_shift"] = "centred"


_TRANSFORMERS = "huggingface/transformers, models/"
PRESETS: dict[str, Contract] = {
    contract.name: contract
    for contract in (
        RmsNorm("rms_norm/numpy", "reference/rms_norm/spec.py: one rounding, at the end"),
        RmsNorm("rms_norm/after_weight", "one rounding, after the weight"),
        RmsNorm("rms_norm/before_weight", "rounds to the input's type, then again after the weight",
                "before_weight"),
        RmsNorm("rms_norm/llama", _TRANSFORMERS + "llama: weight * x.to(input_dtype)", "before_weight"),
        RmsNorm("rms_norm/t5", _TRANSFORMERS + "t5: T5LayerNorm, cast to the weight's half type first",
                "before_weight"),
        RmsNorm("rms_norm/gemma", _TRANSFORMERS + "gemma: (x * (1 + weight)).type_as(x), #29402",
                "after_weight", 1.0),
        RmsNorm("rms_norm/torch", "pytorch/pytorch, torch.nn.functional.rms_norm: one rounding, at the end"),
        RmsNorm("rms_norm/vllm", "vllm-project/vllm, ir/ops/layernorm.py: x.to(orig_dtype) * weight",
                "before_weight"),
        LayerNorm("layer_norm/numpy", "reference/layer_norm/spec.py: two passes, one rounding, at the end"),
        LayerNorm("layer_norm/two_pass", "variance of the centred values, in a second pass"),
        LayerNorm("layer_norm/welford", "variance by Welford's update", "welford"),
        LayerNorm("layer_norm/torch", "pytorch/pytorch, native layer_norm: Welford moments, scale and shift",
                "welford", "scale_shift"),
        LayerNorm("layer_norm/flax", "google/flax, LayerNorm(use_fast_variance=True): E[x^2] - E[x]^2",
                "moments"),
    )
}  # fmt: skip


def contract(name: str | Contract) -> Contract:
    """The preset of that name ("rms_norm/llama"); a Contract is returned as it is. KeyError lists names."""
    if isinstance(name, Contract):
        return name
    if name not in PRESETS:
        op = name.partition("/")[0]
        near = [known for known in PRESETS if known.startswith(op + "/")] or list(PRESETS)
        raise KeyError(f"no contract is called {name!r}; there are: {', '.join(near)}")
    return PRESETS[name]


def presets(op: str) -> list[Contract]:
    """Every named contract of one operation."""
    return [known for known in PRESETS.values() if known.op == op]
