"""What a checkpoint promises, and how its weight file contradicts it. NumPy only."""

import json
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from mutakata.numerics.checkpoint import (
    FAMILIES,
    CheckpointError,
    check_weights,
    promise,
    read_config,
    read_weights,
)

LLAMA = {
    "model_type": "llama",
    "rms_norm_eps": 1e-5,
    "hidden_act": "silu",
    "rope_theta": 1e4,
    "tie_word_embeddings": False,
    "num_hidden_layers": 2,
}
GEMMA = LLAMA | {"model_type": "gemma", "hidden_act": "gelu_pytorch_tanh", "tie_word_embeddings": True}


def ids(findings: Any) -> list[str]:
    return [one.id for one in findings]


@pytest.mark.parametrize("name", sorted(FAMILIES))
def test_eps_is_read_under_the_familys_name(name: str) -> None:
    found = promise({"model_type": name, FAMILIES[name].eps_field: 3e-4})
    assert found["eps"] == 3e-4 and not found.findings


def test_an_absent_field_is_absent_and_the_default_only_a_remark() -> None:
    found = promise({"model_type": "llama", "rms_norm_eps": 1e-5})
    rows = {fact.name: fact for fact in found.facts}
    assert found["tied head"] is None and rows["tied head"].text == "absent"
    assert "False" in rows["tied head"].note
    assert [rows[n].text for n in ("activation", "rope base", "dtype")] == ["absent"] * 3


def test_false_and_zero_are_values() -> None:
    found = promise(LLAMA | {"rms_norm_eps": 0})
    assert found["eps"] == 0 and found["tied head"] is False


def test_a_nested_config_is_followed_and_named() -> None:
    found = promise({"model_type": "some_vision_model", "text_config": LLAMA})
    assert found.scope == "text_config" and found["eps"] == 1e-5


def test_a_flag_that_differs_between_levels_is_a_contradiction() -> None:
    outer = {"model_type": "some_vision_model", "tie_word_embeddings": True, "text_config": LLAMA}
    assert ids(promise(outer).findings) == ["nested-conflict"]


@pytest.mark.parametrize(
    ("changed", "found"),
    [
        ({"layer_norm_eps": 1e-6}, ["eps-conflict"]),
        ({"layer_norm_eps": 1e-5}, []),
        ({"rms_norm_eps": None, "norm_eps": 1e-5}, ["eps-name"]),
        ({"rope_parameters": {"rope_theta": 5e5}}, ["rope-conflict"]),
        ({"rope_parameters": {"rope_theta": 1e4}}, []),
        ({"model_type": "gemma", "hidden_act": "gelu"}, ["activation"]),
        ({"model_type": "gemma", "hidden_act": "gelu_pytorch_tanh"}, []),
    ],
)
def test_contradictions_inside_a_config(changed: dict[str, Any], found: list[str]) -> None:
    assert ids(promise(LLAMA | changed).findings) == found


def test_t5_is_gated_by_the_value_of_its_config() -> None:
    t5 = {"model_type": "t5", "layer_norm_epsilon": 1e-6}
    assert promise(t5 | {"feed_forward_proj": "relu"}).mlp.layout == "plain"
    gated = promise(t5 | {"feed_forward_proj": "gated-gelu"})
    assert (gated.mlp.gate, gated.mlp.up) == ("wi_0", "wi_1")


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ({"model_type": "lama", "rms_norm_eps": 1e-5}, ["'lama'", "llama", "--family"]),
        ({"rms_norm_eps": 1e-5}, ["no model_type", "--family"]),
        ({"model_type": "llama"}, ["no epsilon", "rms_norm_eps", "add the value"]),
        ({"model_type": "llama", "rms_norm_eps": "1e-5"}, ["'1e-5'", "not a number"]),
        ({"model_type": "llama", "rms_norm_eps": True}, ["not a number"]),
        ({"model_type": "llama", "rms_norm_eps": -1e-5}, ["not negative"]),
        ({"model_type": "llama", "rms_norm_eps": float("nan")}, ["finite"]),
        ({"model_type": "lama", "rms_norm_eps": "1e-5"}, ["'lama'", "not a number"]),
    ],
)
def test_bad_promises_say_what_to_do(config: dict[str, Any], words: list[str]) -> None:
    with pytest.raises(CheckpointError) as caught:
        promise(config)
    assert all(word in str(caught.value) for word in words)


@pytest.mark.parametrize(
    ("text", "words"),
    [("{,}", [":1:", "not JSON"]), ("[1]", ["list", "not an object"]), (None, ["no such file"])],
)
def test_bad_files_say_what_to_do(tmp_path: Path, text: str | None, words: list[str]) -> None:
    path = tmp_path / "config.json"
    if text is not None:
        path.write_text(text)
    with pytest.raises(CheckpointError) as caught:
        read_config(path)
    assert all(word in str(caught.value) for word in words)


def tensors(**changed: Any) -> dict[str, Any]:
    """A whole Llama of two layers; a value of None leaves a tensor out."""
    rng = np.random.default_rng(0)
    found: dict[str, Any] = {
        "model.embed_tokens.weight": rng.standard_normal((16, 8)),
        "lm_head.weight": rng.standard_normal((16, 8)),
        "model.norm.weight": 1 + 0.2 * rng.standard_normal(8),
    }
    for layer in range(2):
        for norm in ("input_layernorm", "post_attention_layernorm"):
            found[f"model.layers.{layer}.{norm}.weight"] = 1 + 0.2 * rng.standard_normal(8)
        for part in ("gate_proj", "up_proj"):
            found[f"model.layers.{layer}.mlp.{part}.weight"] = rng.standard_normal((12, 8))
    found |= changed
    return {name: value.astype(ml_dtypes.bfloat16) for name, value in found.items() if value is not None}


def save(path: Path, values: dict[str, Any]) -> Path:
    safetensors = pytest.importorskip("safetensors.numpy")
    safetensors.save_file(values, path)
    return path


def packed(values: dict[str, Any]) -> dict[str, Any]:
    return {n.replace("gate_proj", "gate_up_proj"): v for n, v in values.items() if "up_proj" not in n}


def shifted(values: dict[str, Any], by: float) -> dict[str, Any]:
    return {n: v + v.dtype.type(by) if "norm" in n else v for n, v in values.items()}


NO_HEAD = {"lm_head.weight": None}


@pytest.mark.parametrize(
    ("config", "values", "found"),
    [
        (LLAMA, tensors(), []),
        (LLAMA, tensors(**NO_HEAD), ["head-missing"]),
        (LLAMA | {"tie_word_embeddings": True}, tensors(), ["head-untied"]),
        (LLAMA | {"tie_word_embeddings": True}, tensors(**NO_HEAD), []),
        (LLAMA, packed(tensors()), ["gate-up"]),
        (LLAMA | {"model_type": "phi3"}, packed(tensors()), []),
        (LLAMA | {"model_type": "phi3"}, tensors(), ["gate-up"]),
        (LLAMA, shifted(tensors(), -1), ["offset"]),
        (GEMMA, shifted(tensors(**NO_HEAD), -1), []),
        (GEMMA, tensors(**NO_HEAD), ["offset"]),
        (LLAMA, tensors(**{"model.layers.1.input_layernorm.weight": None}), ["norm-missing"]),
        (LLAMA | {"model_type": "qwen3"}, tensors(), ["norm-missing", "norm-missing"]),
        (LLAMA, tensors(**{"model.layers.0.self_attn.q_norm.weight": np.ones(4)}), ["norm-unpromised"]),
        (LLAMA, tensors(**{"model.norm.bias": np.ones(8)}), ["norm-kind"]),
        (LLAMA, {"layers.0.attention.wq.weight": np.ones((8, 8), np.float32)}, ["rope-layout"]),
    ],
)
def test_weights_against_the_promise(
    tmp_path: Path, config: dict[str, Any], values: dict[str, Any], found: list[str]
) -> None:
    weights = read_weights(save(tmp_path / "model.safetensors", values))
    assert ids(check_weights(promise(config), weights)) == found


def test_shards_are_read_through_their_index_and_one_shard_proves_no_absence(tmp_path: Path) -> None:
    values = sorted(tensors().items())
    shards = {"model-00001-of-00002.safetensors": values[:4], "model-00002-of-00002.safetensors": values[4:]}
    for name, part in shards.items():
        save(tmp_path / name, dict(part))
    index = tmp_path / "model.safetensors.index.json"
    index.write_text(json.dumps({"weight_map": {k: name for name, part in shards.items() for k, _ in part}}))
    assert check_weights(promise(LLAMA), read_weights(index)) == []
    one = read_weights(tmp_path / "model-00001-of-00002.safetensors")
    assert one.partial and check_weights(promise(LLAMA), one) == []
    (tmp_path / "model-00002-of-00002.safetensors").unlink()
    with pytest.raises(CheckpointError, match="named by"):
        read_weights(index)


def test_truncated_weights_are_refused(tmp_path: Path) -> None:
    path = save(tmp_path / "model.safetensors", tensors())
    path.write_bytes(path.read_bytes()[:-5])
    with pytest.raises(CheckpointError, match="download it again"):
        read_weights(path)
