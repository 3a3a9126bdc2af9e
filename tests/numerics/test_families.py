"""Every row of the family table, measured on transformers' own classes."""

import importlib
from typing import Any

import numpy as np
import pytest

from mutakata.backends.arrays import to_numpy
from mutakata.numerics import RmsNorm, judge
from mutakata.numerics.checkpoint import FAMILIES, promise
from mutakata.numerics.checkpoint.families import ACTIVATIONS

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
from tests.numerics import tiny_models  # noqa: E402

NAMES = sorted(FAMILIES)


@pytest.fixture(scope="module")
def models() -> dict[str, Any]:
    """One model per family whose config's epsilon, 3e-4, is nobody's default."""
    eps = {name: {FAMILIES[name].eps_field: 3e-4} for name in NAMES}
    return {name: tiny_models.model(name, **eps[name]) for name in NAMES}


def norms(model: Any) -> dict[str, Any]:
    return {n: m for n, m in model.named_modules() if "norm" in type(m).__name__.lower()}


def eps_of(module: Any) -> float:
    return next(getattr(module, n) for n in ("eps", "variance_epsilon") if hasattr(module, n))


@pytest.mark.parametrize("name", NAMES)
def test_config_class_has_the_fields_and_the_defaults(name: str) -> None:
    family, fresh = FAMILIES[name], transformers.AutoConfig.for_model(name)
    assert getattr(fresh, family.eps_field) == family.eps_default
    assert fresh.tie_word_embeddings is family.tied_default
    assert isinstance(getattr(fresh, family.activation_field), str)


@pytest.mark.parametrize("name", NAMES)
def test_every_norm_runs_the_configs_eps_but_the_named_ones(name: str, models: dict[str, Any]) -> None:
    unpassed = {n.rsplit(".", 1)[-1] for n, m in norms(models[name]).items() if eps_of(m) != 3e-4}
    assert unpassed == set(FAMILIES[name].unpassed_eps)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
@pytest.mark.parametrize("name", NAMES)
def test_cast_order_and_offset_as_the_module_computes_them(
    name: str, dtype: Any, models: dict[str, Any]
) -> None:
    family = FAMILIES[name]
    found = next(iter(norms(models[name]).values()))
    module = type(found)(64, eps=1e-5).to(dtype)
    with torch.no_grad():
        module.weight.add_(torch.randn(64, generator=torch.Generator().manual_seed(3)) / 3)
        x = torch.randn(64, 64, generator=torch.Generator().manual_seed(4)).to(dtype)
        got = to_numpy(module(x))
    inputs: dict[str, Any] = {"x": to_numpy(x), "eps": 1e-5}
    if family.norm == "layer_norm":
        inputs |= {"gamma": to_numpy(module.weight), "beta": to_numpy(module.bias)}
        assert judge("layer_norm/torch", inputs, got).right
        return
    inputs["weight"] = to_numpy(module.weight)
    kept = {
        (cast, offset)
        for cast in ("before_weight", "after_weight")
        for offset in (0, 1)
        if judge(RmsNorm("tried", "", cast, offset), inputs, got).right  # type: ignore[arg-type]
    }
    assert kept == {(family.cast, family.offset)}


@pytest.mark.parametrize("name", [n for n in NAMES if FAMILIES[n].norm == "rms_norm"])
def test_zero_weight_gives_the_normalised_row_only_with_an_offset(name: str, models: dict[str, Any]) -> None:
    module = type(next(iter(norms(models[name]).values())))(8, eps=0.0)
    with torch.no_grad():
        out = module.weight.zero_() is not None and module(torch.full((1, 8), 3.0))
    assert out.tolist() == [[float(FAMILIES[name].offset)] * 8]


@pytest.mark.parametrize("name", NAMES)
def test_modules_have_the_promised_names(name: str, models: dict[str, Any]) -> None:
    family, made = FAMILIES[name], models[name]
    names = [n for n, _ in made.named_modules()]
    for suffix in filter(None, (*family.layer_norms, family.final_norm, *family.unpassed_eps)):
        assert any(n.endswith(suffix) for n in names), suffix
    block = promise(made.config).mlp
    for part in filter(None, (block.gate, block.up)):
        assert any(n.endswith("." + part) for n in names), part
    parameters = [n for n, _ in made.named_parameters(remove_duplicate=False)]
    assert any(n.endswith(family.embedding) for n in parameters)
    assert any(n.endswith(head) for n in parameters for head in family.head)


@pytest.mark.parametrize("name", NAMES)
def test_source_names_a_class_of_the_named_file(name: str) -> None:
    module = importlib.import_module(f"transformers.models.{name}.modeling_{name}")
    assert hasattr(module, FAMILIES[name].class_name.split(" ")[0])


@pytest.mark.parametrize("name", NAMES)
def test_placement_is_the_order_in_which_a_layer_runs(name: str, models: dict[str, Any]) -> None:
    made = models[name]
    order: list[str] = []
    hooks = []
    for path, module in made.named_modules():
        kind = "norm" if path.endswith(FAMILIES[name].layer_norms) else ""
        if FAMILIES[name].qk_norm != "none" and path.endswith(("q_norm", "k_norm")):
            kind = ""
        if path.endswith(("o_proj", "c_proj", "down_proj", "dense", ".o", ".wo", "dense_4h_to_h")):
            kind = "output"
        if kind and not path.endswith(("intermediate.dense", "transform.dense", "kv_a_layernorm")):
            hooks.append(module.register_forward_hook(lambda *_, kind=kind: order.append(kind)))
    inputs = tiny_models.batches(((1, 5),))[0]
    if name == "t5":
        made.encoder(**inputs)
    else:
        made(**inputs)
    [hook.remove() for hook in hooks]
    if name == "deepseek_v2":
        order = order[:4]  # the later layers run experts
    assert (
        order[:4]
        == {
            "pre": ["norm", "output", "norm", "output"],
            "post": ["output", "norm", "output", "norm"],
            "pre and post": ["norm", "output", "norm", "norm"],
        }[FAMILIES[name].placement]
    )


def pairs(rotate: Any) -> str:
    """Which elements a rotary embedding of width 8 mixes with element 0."""
    moved = rotate(torch.eye(8)[0]).abs() > 1e-3
    return {(0, 4): "half-split", (0, 1): "interleaved"}[tuple(np.flatnonzero(moved.numpy()))]


@pytest.mark.parametrize("name", [n for n in NAMES if FAMILIES[n].rope != "none"])
def test_rope_layout_is_what_the_code_mixes(name: str) -> None:
    module = importlib.import_module(f"transformers.models.{name}.modeling_{name}")
    angles = torch.linspace(0.5, 1.0, 4)
    if hasattr(module, "apply_rotary_pos_emb"):
        table = torch.cat((angles, angles))[None, None]

        def rotate(x: Any) -> Any:
            q = x[None, None, None]
            return module.apply_rotary_pos_emb(q, q, table.cos(), table.sin())[0].flatten()
    else:
        table = torch.polar(torch.ones(4), angles)[None, None]

        def rotate(x: Any) -> Any:
            q = x[None, None, None]
            return module.apply_rotary_emb(q, q, table)[0].flatten()

    assert pairs(rotate) == FAMILIES[name].rope


def test_packed_halves_are_gate_then_up(models: dict[str, Any]) -> None:
    block = models["phi3"].model.layers[0].mlp
    x = torch.randn(3, 64)
    gate, up = (x @ block.gate_up_proj.weight.T).chunk(2, -1)
    wanted = block.down_proj(torch.nn.functional.silu(gate) * up)
    torch.testing.assert_close(block(x), wanted)
    assert not torch.allclose(block(x), block.down_proj(torch.nn.functional.silu(up) * gate), atol=1e-2)


@pytest.mark.parametrize("name", sorted(ACTIVATIONS))
def test_activation_names_run_the_named_function(name: str) -> None:
    from transformers.activations import ACT2FN

    if name.startswith("gated-"):
        kind = tiny_models.config("t5", feed_forward_proj=name).dense_act_fn
    else:
        kind = name
    x = torch.linspace(-4, 4, 257, dtype=torch.float64)
    forms = {
        "gelu, erf form": torch.nn.functional.gelu(x),
        "gelu, tanh form": torch.nn.functional.gelu(x, approximate="tanh"),
        "x * sigmoid(1.702 x)": x * torch.sigmoid(1.702 * x),
        "silu": x * torch.sigmoid(x),
        "relu": x.clamp(min=0),
        "relu squared": x.clamp(min=0) ** 2,
        "tanh": x.tanh(),
    }
    wanted = forms[ACTIVATIONS[name].removesuffix(", gated")]
    # gelu_fast has its constants to ten digits; the forms are 4.7e-4 apart
    torch.testing.assert_close(ACT2FN[kind](x), wanted, rtol=0, atol=1e-8)
