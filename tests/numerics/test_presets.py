"""Named contracts, held against the libraries that they are named after."""

import ml_dtypes
import numpy as np
import pytest

from mutakata.numerics import PRESETS, fixed_inputs, judge
from mutakata.numerics.ops import OPERATIONS

from .test_references import to_numpy, to_torch


def test_every_contract_has_a_source_and_belongs_to_its_operation():
    for name, found in PRESETS.items():
        assert found.name == name and name.startswith(found.op + "/") and found.source
    assert {found.op for found in PRESETS.values()} == set(OPERATIONS)


def _rms(torch, x, weight, eps):
    return torch.nn.functional.rms_norm(x, x.shape[-1:], weight, eps)


def _layer(torch, x, gamma, beta, eps):
    return torch.nn.functional.layer_norm(x, x.shape[-1:], gamma, beta, eps)


def _silu(torch, gate, up):
    return torch.nn.functional.silu(gate) * up


LIBRARIES = {"rms_norm/torch": _rms, "layer_norm/torch": _layer, "swiglu/llama": _silu}


@pytest.mark.parametrize("dtype", ["fp32", "fp16", "bf16"])
@pytest.mark.parametrize("name", LIBRARIES)
def test_torch_keeps_the_contract_that_bears_its_name(name, dtype):
    torch = pytest.importorskip("torch")
    for n in (63, 1024):
        for case in fixed_inputs(PRESETS[name].op, dtype, n):
            tensors = {key: to_torch(value, torch) for key, value in case.inputs.items()}
            verdict = judge(name, case.inputs, to_numpy(LIBRARIES[name](torch, **tensors)))
            assert verdict.right, f"{case.name}, n = {n}: {verdict}"


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16])
def test_the_rounding_of_transformers_rope_is_the_llama_contract(dtype):
    torch = pytest.importorskip("torch")
    modeling = pytest.importorskip("transformers.models.llama.modeling_llama")
    for case in fixed_inputs("rope", dtype, 64)[:2]:
        x, at = to_torch(case.inputs["x"], torch), torch.from_numpy(case.inputs["positions"])
        inverse = 1.0 / case.inputs["base"] ** (torch.arange(0, 64, 2, dtype=torch.float) / 64)
        angles = torch.outer(at.float(), inverse).repeat(1, 2)
        tables = [table.to(x.dtype)[None] for table in (angles.cos(), angles.sin())]
        y, _ = modeling.apply_rotary_pos_emb(x[None], x[None], *tables)
        verdict = judge("rope/llama", case.inputs, to_numpy(y[0]))
        assert verdict.right, f"{case.name}: {verdict}"
