"""A live model held to its checkpoint, and to another model, on transformers' own classes."""

import copy
from typing import Any

import numpy as np
import pytest

from mutakata.numerics.models import (
    Comparison,
    Reference,
    assert_contract,
    broken_norms,
    compare_models,
    record_reference,
)
from mutakata.numerics.models.norms import eps_of, is_norm

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
from mutakata.backends.torch_models import record  # noqa: E402
from tests.numerics import tiny_models  # noqa: E402

functional = torch.nn.functional
PEERS = [(family, dtype) for family in ("llama", "gemma", "gpt2") for dtype in ("fp32", "bf16")]
FINAL = {"llama": "model.norm", "gemma": "model.norm", "gpt2": "transformer.ln_f"}
SECOND = {
    "llama": "model.layers.1.input_layernorm",
    "gemma": "model.layers.1.input_layernorm",
    "gpt2": "transformer.h.1.ln_1",
}


@pytest.fixture(scope="module", autouse=True)
def single_thread() -> Any:
    """The models are too small to gain from threads."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def originals() -> dict[str, Any]:
    return {family: tiny_models.model(family) for family in ("llama", "gemma", "gpt2")}


@pytest.fixture(scope="module")
def recorded(originals: dict[str, Any]) -> dict[tuple[str, str], Reference]:
    batches = tiny_models.batches()
    return {(f, d): record_reference(originals[f], batches, d) for f, d in PEERS}


class FusedRms(torch.nn.Module):
    """An RMSNorm of another make: no shared code, no attribute called eps."""

    def __init__(self, original: Any, **changed: Any) -> None:
        super().__init__()
        self.scale = original.weight
        self.options = {"eps": eps_of(original), "gemma": hasattr(original, "eps"), "fault": ""} | changed

    def forward(self, x: Any) -> Any:
        eps, gemma, fault = self.options["eps"], self.options["gemma"], self.options["fault"]
        wide = x.flip(-1).float()
        if fault == "low precision sum":
            mean = torch.cumsum(x.to(x.dtype) ** 2, -1)[..., -1:].float() / x.shape[-1]
        elif fault == "centred":
            mean = wide.var(-1, keepdim=True, unbiased=False)
        else:
            mean = (wide * wide).sum(-1, keepdim=True) / x.shape[-1]
        row = x.float() / (mean.sqrt() + eps if fault == "eps outside" else (mean + eps).sqrt())
        if gemma and fault != "cast order":
            return (row * (1 + self.scale.float())).to(x.dtype)
        return row.to(x.dtype) * ((1 + self.scale) if gemma else self.scale)


def swapped(model: Any, name: str, make: Any) -> Any:
    made = copy.deepcopy(model)
    parent, _, leaf = name.rpartition(".")
    owner = made.get_submodule(parent)
    setattr(owner, leaf, make(getattr(owner, leaf)))
    return made


def set_eps(module: Any, value: float) -> Any:
    setattr(module, "variance_epsilon" if hasattr(module, "variance_epsilon") else "eps", value)
    return module


def first(found: Comparison) -> str:
    assert found.first_bad is not None
    return found.first_bad.name


# Faithful candidates


@pytest.mark.parametrize("peer", PEERS)
def test_the_same_model_in_another_attention_kernel_is_right(
    peer: tuple[str, str], originals: dict[str, Any], recorded: dict[tuple[str, str], Reference]
) -> None:
    candidate = copy.deepcopy(originals[peer[0]])
    candidate.set_attn_implementation("eager")
    found = compare_models(recorded[peer], candidate)
    assert found.right, found.first_bad
    assert max(one.ratio for one in found.layers) <= 0.8
    assert {one.kind for one in found.layers} == {"norm", "product", "lookup", "block"}
    assert not found.skipped and found.logits and found.logits.ratio < 1


@pytest.mark.parametrize("peer", [p for p in PEERS if p[0] != "gpt2"])
def test_a_faithful_norm_of_another_make_is_right(
    peer: tuple[str, str], originals: dict[str, Any], recorded: dict[tuple[str, str], Reference]
) -> None:
    found = compare_models(recorded[peer], swapped(originals[peer[0]], SECOND[peer[0]], FusedRms))
    assert found.right, found.first_bad


def test_an_encoder_and_decoder_with_caches_of_their_own() -> None:
    """Each stack holds a copy of the config; a cache left on would be extended by every replay."""
    original = tiny_models.model("t5", num_layers=1)
    batch = tiny_models.batches(((2, 6),))[0]
    calls, _ = record(original, [batch | {"decoder_input_ids": batch["input_ids"][:, :4]}])
    kept = [value for call in calls for name, value in call.kwargs.items() if name == "cache"]
    assert kept and not any(value is not None for value in kept)
    assert original.decoder.config.use_cache


# Faulty candidates


@pytest.mark.parametrize("peer", PEERS)
def test_one_layers_eps_is_named_while_the_logits_see_nothing(
    peer: tuple[str, str], originals: dict[str, Any], recorded: dict[tuple[str, str], Reference]
) -> None:
    family, dtype = peer
    wrong = 1e-6 if family == "gpt2" else 1e-5
    candidate = swapped(originals[family], SECOND[family], lambda norm: set_eps(norm, wrong))
    found = compare_models(recorded[peer], candidate)
    assert first(found) == SECOND[family]
    assert f"eps {wrong:g}" in found.first_bad.problems[0]  # type: ignore[union-attr]
    assert found.logits and found.logits.top1 == 1
    if dtype == "bf16":
        assert found.logits.ratio < 1.3


FAULTS = ["eps outside", "centred", "low precision sum"]


@pytest.mark.parametrize(
    ("family", "fault"),
    [(f, fault) for f in ("llama", "gemma") for fault in FAULTS] + [("gemma", "cast order")],
)
def test_a_faulty_norm_is_named(
    family: str, fault: str, originals: dict[str, Any], recorded: dict[tuple[str, str], Reference]
) -> None:
    candidate = swapped(originals[family], FINAL[family], lambda norm: FusedRms(norm, fault=fault))
    found = compare_models(recorded[family, "bf16"], candidate)
    assert first(found) == FINAL[family]
    assert [one.name for one in found.worst() if not one.right] == [FINAL[family]]


@pytest.mark.parametrize("peer", [p for p in PEERS if p[0] != "gpt2"])
def test_gate_and_up_swapped_at_load(
    peer: tuple[str, str], originals: dict[str, Any], recorded: dict[tuple[str, str], Reference]
) -> None:
    candidate = copy.deepcopy(originals[peer[0]])
    block = candidate.model.layers[0].mlp
    block.gate_proj.weight, block.up_proj.weight = block.up_proj.weight, block.gate_proj.weight
    found = compare_models(recorded[peer], candidate)
    assert first(found) == "model.layers.0.mlp.gate_proj"
    assert [one.id for one in found.parameters] == ["exchanged"]
    assert "up_proj" in found.parameters[0].message


def test_packed_halves_swapped_at_load() -> None:
    original = tiny_models.model("phi3")
    candidate = copy.deepcopy(original)
    weight = candidate.model.layers[1].mlp.gate_up_proj.weight
    weight.copy_(torch.cat(weight.chunk(2)[::-1]))
    found = compare_models(original, candidate, tiny_models.batches(((1, 5),)))
    assert first(found) == "model.layers.1.mlp.gate_up_proj"
    assert "two halves" in found.parameters[0].message


@pytest.mark.parametrize("family", ["gemma", "gpt2"])
def test_an_untied_head_is_found_though_every_number_agrees(
    family: str, originals: dict[str, Any], recorded: dict[tuple[str, str], Reference]
) -> None:
    candidate = copy.deepcopy(originals[family])
    candidate.lm_head.weight = torch.nn.Parameter(candidate.lm_head.weight.detach().clone())
    found = compare_models(recorded[family, "fp32"], candidate)
    assert found.first_bad is None and not found.right
    assert [one.id for one in found.parameters] == ["untied"]


def wrong_scale(model: Any) -> str:
    model.model.layers[1].self_attn.scaling *= 0.5
    return "model.layers.1.self_attn"


def no_mask(model: Any) -> str:
    attention = model.model.layers[0].self_attn
    attention.is_causal = False
    return "model.layers.0.self_attn"


def wrong_rope_base(model: Any) -> str:
    model.model.rotary_emb.inv_freq.mul_(0.9)
    return "model.rotary_emb"


def relu_for_silu(model: Any) -> str:
    model.model.layers[0].mlp.act_fn = torch.nn.ReLU()
    return "model.layers.0.mlp.act_fn"


def halved_residual(model: Any) -> str:
    layer = model.model.layers[1]
    original = layer.forward

    def forward(hidden_states: Any, *args: Any, **kwargs: Any) -> Any:
        return original(hidden_states, *args, **kwargs) - 0.25 * hidden_states

    layer.forward = forward
    return "model.layers.1"


@pytest.mark.parametrize("dtype", ["fp32", "bf16"])
@pytest.mark.parametrize("damage", [wrong_scale, no_mask, wrong_rope_base, relu_for_silu, halved_residual])
def test_wrong_wiring_is_named_by_its_block(
    damage: Any, dtype: str, originals: dict[str, Any], recorded: dict[tuple[str, str], Reference]
) -> None:
    candidate = copy.deepcopy(originals["llama"])
    name = damage(candidate)
    found = compare_models(recorded["llama", dtype], candidate)
    assert first(found) == name


def test_the_other_form_of_gelu_shows_in_fp32(
    originals: dict[str, Any], recorded: dict[tuple[str, str], Reference]
) -> None:
    candidate = copy.deepcopy(originals["gpt2"])
    candidate.transformer.h[0].mlp.act = torch.nn.GELU()
    assert first(compare_models(recorded["gpt2", "fp32"], candidate)) == "transformer.h.0.mlp.act"
    candidate.transformer.h[0].mlp.act = torch.nn.GELU(approximate="tanh")
    assert compare_models(recorded["gpt2", "fp32"], candidate).right


class Broken(torch.nn.Module):
    def __init__(self, how: str) -> None:
        super().__init__()
        self.how = how

    def forward(self, x: Any) -> Any:
        if self.how == "raises":
            raise RuntimeError("needs a GPU")
        if self.how == "shape":
            return x[:, :1]
        if self.how == "dtype":
            return x.double()
        if self.how == "edits":
            return x.mul_(2)
        return x * float("nan")


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("raises", "needs a GPU"),
        ("shape", "shape"),
        ("dtype", "float64"),
        ("nan", "NaN"),
        ("edits", "edited its input"),
    ],
)
def test_bad_modules_are_findings_not_tracebacks(
    how: str, words: str, originals: dict[str, Any], recorded: dict[tuple[str, str], Reference]
) -> None:
    candidate = swapped(originals["llama"], "model.layers.0.mlp.act_fn", lambda _: Broken(how))
    found = compare_models(recorded["llama", "fp32"], candidate)
    assert first(found) == "model.layers.0.mlp.act_fn"
    assert words in found.first_bad.problems[0]  # type: ignore[union-attr]


def test_models_without_a_name_in_common_are_not_called_equal(
    recorded: dict[tuple[str, str], Reference],
) -> None:
    found = compare_models(recorded["llama", "fp32"], torch.nn.Sequential(torch.nn.Linear(2, 2)))
    assert not found.right and found.problems


def test_no_batches_is_refused(originals: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="nothing would be compared"):
        record_reference(originals["llama"], [])


# The checkpoint's contract


@pytest.mark.parametrize("family", ["llama", "gemma", "gpt2", "t5", "bert", "olmo2"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_models_as_published_keep_their_promise(family: str, dtype: Any) -> None:
    made = tiny_models.model(family, dtype=dtype)
    assert_contract(made, made.config)


def test_one_module_with_another_eps_than_its_siblings(originals: dict[str, Any]) -> None:
    candidate = swapped(originals["llama"], SECOND["llama"], lambda norm: set_eps(norm, 1e-3))
    with pytest.raises(AssertionError) as caught:
        assert_contract(candidate, candidate.config)
    text = str(caught.value)
    assert "1 of 5" in text and "found eps 0.001; promised eps 1e-06 (rms_norm_eps)" in text


def test_a_kernel_that_ignores_its_own_eps_is_found(originals: dict[str, Any]) -> None:
    class Ignores(type(originals["llama"].model.norm)):  # type: ignore[misc]
        def forward(self, x: Any) -> Any:
            return functional.rms_norm(x, self.weight.shape, self.weight, 1e-5)

    candidate = copy.deepcopy(originals["llama"])
    candidate.model.norm.__class__ = Ignores
    problem = broken_norms(candidate, candidate.config)
    assert [one.name for one in problem] == ["model.norm"]
    assert "with eps 1e-05" in problem[0].found


def test_a_missing_offset_is_found(originals: dict[str, Any]) -> None:
    made = originals["gemma"]

    class NoOffset(type(made.model.norm)):  # type: ignore[misc]
        def forward(self, x: Any) -> Any:
            return (self._norm(x.float()) * self.weight.float()).type_as(x)

    candidate = copy.deepcopy(made)
    candidate.model.layers[0].input_layernorm.__class__ = NoOffset
    assert [one.name for one in broken_norms(candidate, made.config)] == ["model.layers.0.input_layernorm"]
    assert "weight offset 0" in broken_norms(candidate, made.config)[0].found


def test_the_published_code_of_deepseek_leaves_two_norms_at_the_class_default() -> None:
    """huggingface/transformers#44261: harmless while every checkpoint has 1e-6."""
    made = tiny_models.model("deepseek_v2", rms_norm_eps=1e-5)
    names = {one.name.rsplit(".", 1)[-1] for one in broken_norms(made, made.config)}
    assert names == {"q_a_layernorm", "kv_a_layernorm"}
    assert all("class default" in one.found for one in broken_norms(made, made.config))
    assert_contract(tiny_models.model("deepseek_v2"), tiny_models.config("deepseek_v2"))


def test_nothing_checked_is_no_pass() -> None:
    with pytest.raises(ValueError, match="nothing checked"):
        assert_contract(torch.nn.Linear(2, 2), {"model_type": "llama", "rms_norm_eps": 1e-6})


def test_norms_are_told_from_their_neighbours() -> None:
    assert is_norm(torch.nn.LayerNorm(4)) and is_norm(torch.nn.RMSNorm(4))
    others = [torch.nn.BatchNorm1d(4), torch.nn.GroupNorm(2, 4), torch.nn.Linear(4, 4), torch.nn.PReLU()]
    assert not any(map(is_norm, others))
    assert np.isclose(eps_of(torch.nn.LayerNorm(4)) or 0, 1e-5)
