"""What each model family promises by its code rather than by its config, with the place where it can be read.

Sources are files of huggingface/transformers under `src/transformers/models/`; the tests hold every row
against the installed transformers by building and running a tiny model of each family.
"""

from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal

Placement = Literal["pre", "post", "pre and post"]
Layout = Literal["plain", "separate", "packed halves"]


@dataclass(frozen=True)
class Mlp:
    """The feed-forward block: `gate` goes through the activation, `up` multiplies it; plain has no gate.

    `packed halves`: one matrix whose first half of the rows is the gate and the second half is up.
    """

    layout: Layout
    gate: str
    up: str


@dataclass(frozen=True)
class Family:
    """One architecture as its published code defines it.

    `cast` says where the low-precision rounding of a norm falls: `before_weight` rounds the normalised row
    and then the product (two roundings), `after_weight` rounds once. `offset` is added to the stored weight.
    `eps_default` and `tied_default` are what the config class falls back to: information, never a promise.
    `layer_norms` are the names of a layer's norms; `unpassed_eps` those that the published code builds
    without the config's epsilon.
    """

    name: str
    norm: Literal["rms_norm", "layer_norm"]
    eps_field: str
    eps_default: float
    cast: Literal["before_weight", "after_weight"]
    offset: Literal[0, 1]
    placement: Placement
    qk_norm: str
    activation_field: str
    mlp: Mlp
    rope: Literal["half-split", "interleaved", "none"]
    positions: str
    tied_default: bool
    layer_norms: tuple[str, ...]
    final_norm: str
    embedding: str
    head: tuple[str, ...]
    class_name: str
    unpassed_eps: tuple[str, ...] = ()

    @property
    def source(self) -> str:
        return f"transformers models/{self.name}/modeling_{self.name}.py, {self.class_name}"


_SEPARATE = Mlp("separate", "gate_proj", "up_proj")
_PRE = ("input_layernorm", "post_attention_layernorm")


def _decoder(name: str, class_name: str, **changed: object) -> Family:
    """A Llama-shaped decoder, with what differs."""
    facts: dict[str, object] = {
        "norm": "rms_norm",
        "eps_field": "rms_norm_eps",
        "eps_default": 1e-6,
        "cast": "before_weight",
        "offset": 0,
        "placement": "pre",
        "qk_norm": "none",
        "activation_field": "hidden_act",
        "mlp": _SEPARATE,
        "rope": "half-split",
        "positions": "rope",
        "tied_default": False,
        "layer_norms": _PRE,
        "final_norm": "norm",
        "embedding": "embed_tokens.weight",
        "head": ("lm_head.weight",),
    }
    return Family(name=name, class_name=class_name, **(facts | changed))  # type: ignore[arg-type]


_FOUR = (*_PRE, "pre_feedforward_layernorm", "post_feedforward_layernorm")

FAMILIES: dict[str, Family] = {
    family.name: family
    for family in (
        _decoder("llama", "LlamaRMSNorm"),
        _decoder("mistral", "MistralRMSNorm"),
        _decoder("qwen2", "Qwen2RMSNorm"),
        _decoder("qwen3", "Qwen3RMSNorm", qk_norm="per head", layer_norms=(*_PRE, "q_norm", "k_norm")),
        _decoder("gemma", "GemmaRMSNorm", cast="after_weight", offset=1, tied_default=True),
        _decoder(
            "gemma2",
            "Gemma2RMSNorm",
            cast="after_weight",
            offset=1,
            placement="pre and post",
            activation_field="hidden_activation",
            tied_default=True,
            layer_norms=_FOUR,
        ),
        _decoder(
            "phi3", "Phi3RMSNorm", eps_default=1e-5, mlp=Mlp("packed halves", "gate_up_proj", "gate_up_proj")
        ),
        _decoder(
            "olmo2",
            "Olmo2RMSNorm",
            eps_default=1e-5,
            cast="after_weight",
            placement="post",
            qk_norm="whole row",
            layer_norms=("post_attention_layernorm", "post_feedforward_layernorm", "q_norm", "k_norm"),
        ),
        _decoder(
            "deepseek_v2",
            "DeepseekV2RMSNorm",
            rope="interleaved",
            layer_norms=(*_PRE, "kv_a_layernorm"),
            unpassed_eps=("q_a_layernorm", "kv_a_layernorm"),
        ),
        _decoder(
            "gpt2",
            "GPT2Block (torch.nn.LayerNorm)",
            norm="layer_norm",
            eps_field="layer_norm_epsilon",
            eps_default=1e-5,
            cast="after_weight",
            activation_field="activation_function",
            mlp=Mlp("plain", "", "c_fc"),
            rope="none",
            positions="learned",
            tied_default=True,
            layer_norms=("ln_1", "ln_2"),
            final_norm="ln_f",
            embedding="wte.weight",
        ),
        _decoder(
            "gpt_neox",
            "GPTNeoXLayer (torch.nn.LayerNorm)",
            norm="layer_norm",
            eps_field="layer_norm_eps",
            eps_default=1e-5,
            cast="after_weight",
            mlp=Mlp("plain", "", "dense_h_to_4h"),
            final_norm="final_layer_norm",
            embedding="embed_in.weight",
            head=("embed_out.weight", "lm_head.weight"),
        ),
        _decoder(
            "bert",
            "BertSelfOutput (torch.nn.LayerNorm)",
            norm="layer_norm",
            eps_field="layer_norm_eps",
            eps_default=1e-12,
            cast="after_weight",
            placement="post",
            mlp=Mlp("plain", "", "intermediate.dense"),
            rope="none",
            positions="learned",
            tied_default=True,
            layer_norms=("attention.output.LayerNorm", "output.LayerNorm"),
            final_norm="",
            embedding="word_embeddings.weight",
            head=("cls.predictions.decoder.weight",),
        ),
        _decoder(
            "t5",
            "T5LayerNorm",
            eps_field="layer_norm_epsilon",
            activation_field="feed_forward_proj",
            mlp=Mlp("plain", "", "wi"),
            rope="none",
            positions="relative bias",
            tied_default=True,
            layer_norms=("layer_norm",),
            final_norm="final_layer_norm",
            embedding="shared.weight",
        ),
    )
}

# T5 chooses its block by the value of feed_forward_proj: "gated-…" (T5 v1.1, Flan-T5) has two input matrices.
T5_GATED = Mlp("separate", "wi_0", "wi_1")

# Names of activations in configs, and the function that transformers runs for them (activations.py, ACT2FN).
ACTIVATIONS: dict[str, str] = {
    "gelu": "gelu, erf form",
    "gelu_python": "gelu, erf form",
    "gelu_new": "gelu, tanh form",
    "gelu_fast": "gelu, tanh form",
    "gelu_pytorch_tanh": "gelu, tanh form",
    "gated-gelu": "gelu, tanh form, gated",
    "gated-silu": "silu, gated",
    "quick_gelu": "x * sigmoid(1.702 x)",
    "silu": "silu",
    "swish": "silu",
    "relu": "relu",
    "relu2": "relu squared",
    "tanh": "tanh",
}


def family(name: str) -> Family:
    """The family of that `model_type`. Raises LookupError that suggests the nearest names."""
    found = FAMILIES.get(name)
    if found is None:
        near = get_close_matches(name, FAMILIES, n=3, cutoff=0.5)
        offer = f"did you mean {' or '.join(near)}?" if near else f"known are {', '.join(sorted(FAMILIES))}"
        raise LookupError(f"unknown family {name!r}: {offer}")
    return found
