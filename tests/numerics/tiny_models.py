"""Small random models of each family, from transformers' own classes; nothing is downloaded."""

from typing import Any

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

SMALL = {
    "hidden_size": 64,
    "intermediate_size": 96,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "vocab_size": 96,
    "max_position_embeddings": 64,
    "pad_token_id": 0,
    "bos_token_id": 1,
    "eos_token_id": 2,
}
EXTRA: dict[str, dict[str, Any]] = {
    "gemma": {"head_dim": 16},
    "gemma2": {"head_dim": 16},
    "qwen3": {"head_dim": 16},
    "gpt2": {"n_embd": 64, "n_layer": 2, "n_head": 4, "n_positions": 64},
    "gpt_neox": {"num_key_value_heads": None},
    "t5": {"d_model": 64, "d_ff": 96, "num_layers": 2, "num_heads": 4, "d_kv": 16},
    "deepseek_v2": {
        "q_lora_rank": 32,
        "kv_lora_rank": 32,
        "qk_rope_head_dim": 16,
        "qk_nope_head_dim": 16,
        "v_head_dim": 16,
        "head_dim": 16,
        "num_key_value_heads": 4,
        "n_routed_experts": 4,
        "num_experts_per_tok": 2,
        "moe_intermediate_size": 32,
        "n_shared_experts": 1,
        "first_k_dense_replace": 1,
        "n_group": 1,
        "topk_group": 1,
    },
}
HEADED = {"bert": "BertForMaskedLM", "t5": "T5ForConditionalGeneration"}


def config(family: str, **changed: Any) -> Any:
    own = SMALL if family not in ("t5", "gpt2") else {k: SMALL[k] for k in ("vocab_size", "pad_token_id")}
    fields = own | EXTRA.get(family, {}) | changed
    return transformers.AutoConfig.for_model(family, **{k: v for k, v in fields.items() if v is not None})


def model(family: str, seed: int = 0, dtype: Any = None, **changed: Any) -> Any:
    """A model in eval mode whose norm weights and activations have the scale of trained ones.

    Fresh models have norm weights of exactly one (or zero) and logits near nothing: both hide defects.
    """
    torch.manual_seed(seed)
    cfg = config(family, **changed)
    kind = getattr(transformers, HEADED[family]) if family in HEADED else transformers.AutoModelForCausalLM
    made = kind(cfg) if family in HEADED else kind.from_config(cfg)
    made = made.eval().requires_grad_(False)
    for name, value in made.named_parameters():
        if (value.ndim == 1 and "norm" in name.lower()) or ".ln_" in name:
            start = float(value.mean().round())
            value.copy_(start + 0.3 * torch.randn_like(value))
        elif value.ndim == 1:
            value.copy_(0.1 * torch.randn_like(value))
        elif value.ndim == 2:
            value.copy_(torch.randn_like(value) / value.shape[-1] ** 0.5)
    return made.to(dtype) if dtype else made


def batches(shapes: Any = ((1, 7), (2, 12)), vocabulary: int = 96, seed: int = 1) -> list[dict[str, Any]]:
    generator = torch.Generator().manual_seed(seed)
    return [{"input_ids": torch.randint(3, vocabulary, shape, generator=generator)} for shape in shapes]
