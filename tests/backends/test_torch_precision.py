"""Running a module in float64 whatever it casts to, and with other roundings."""

from typing import Any

import pytest

torch = pytest.importorskip("torch")
from torch import nn  # noqa: E402
from torch.nn import functional  # noqa: E402

from mutakata.backends.torch_precision import Exact, Nudged, attention  # noqa: E402


class Casts(nn.Module):
    """Everything that could leave float64 on the way."""

    def forward(self, x: Any) -> Any:
        y = x.float() / 3
        y = y.to(torch.float32) + torch.softmax(x, -1, dtype=torch.float32)
        y = y.to(dtype=torch.bfloat16) * functional.softmax(x, dim=-1, dtype=torch.float32).type_as(x)
        return (y.half() + x.bfloat16()).to(x.dtype)


def normal(*shape: int, seed: int = 0) -> Any:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def test_exact_keeps_float64_through_every_cast() -> None:
    x = normal(3, 8)
    with Exact():
        found = Casts()(x)
    wanted = (x / 3 + x.softmax(-1)) * x.softmax(-1) + x
    torch.testing.assert_close(found, wanted, rtol=1e-14, atol=1e-15)
    assert (Casts()(x) - wanted).abs().max() > 1e-4


def test_exact_names_what_has_no_float64_kernel() -> None:
    class Narrow(nn.Module):
        def forward(self, x: Any) -> Any:
            return only_narrow(x)

    def only_narrow(x: Any) -> Any:
        if torch.overrides.has_torch_function_unary(x):
            return torch.overrides.handle_torch_function(only_narrow, (x,), x)
        if x.dtype is torch.float64:
            raise RuntimeError("not implemented for 'Double'")
        return x * 2

    with Exact() as mode:
        found = Narrow()(normal(2, 2))
    assert found.dtype is torch.float64 and mode.inexact == {"only_narrow"}


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.float32])
def test_nudged_moves_results_by_about_a_roundoff_and_leaves_copies_alone(dtype: Any) -> None:
    u = {torch.bfloat16: 2.0**-8, torch.float16: 2.0**-11, torch.float32: 2.0**-24}[dtype]
    x = normal(64, 64).to(dtype)
    with Nudged(0):
        product, copied, view = x * 3, torch.cat([x, x]).clone(), x.T.reshape(-1)
    error = (product.double() - 3 * x.double()).abs() / (3 * x.double()).abs()
    # the product's own rounding, the nudge, and the rounding of what was nudged: u each
    assert 0.2 * u < error.square().mean().sqrt() < 3 * u and error.max() <= 3.03 * u
    assert torch.equal(copied, torch.cat([x, x])) and torch.equal(view, x.T.reshape(-1))


def test_nudged_moves_a_cancelling_sum_by_what_was_summed() -> None:
    big = torch.cat([torch.full((1, 32), 1e4), torch.full((1, 32), -1e4)], 1)
    with Nudged(0):
        moved = functional.linear(big, torch.ones(50, 64))
    assert moved.abs().max() > 1e-2 and moved.abs().max() < 64 * 1e4 * 8 * 2.0**-24 * 1.01


def test_nudged_repeats_with_its_seed_and_keeps_infinities() -> None:
    x = torch.tensor([1.0, -torch.inf, 2.0, 3.0, 5.0, 7.0] * 9)

    def moved(seed: int) -> Any:
        with Nudged(seed):
            return x * 3

    assert torch.equal(moved(1), moved(1)) and not torch.equal(moved(1), moved(2))
    assert moved(1)[1] == -torch.inf


@pytest.mark.parametrize(
    "options", [{}, {"is_causal": True}, {"scale": 0.3}, {"mask": "bool"}, {"mask": "add"}]
)
def test_attention_in_steps_is_the_fused_one(options: dict[str, Any]) -> None:
    q, k, v = normal(2, 4, 5, 8), normal(2, 4, 7, 8, seed=1), normal(2, 4, 7, 8, seed=2)
    options = dict(options)
    kind = options.pop("mask", None)
    if kind:
        seen = torch.ones(5, 7, dtype=torch.bool).tril(1)
        options["attn_mask"] = seen if kind == "bool" else torch.zeros(5, 7).double().masked_fill(~seen, -1e9)
    torch.testing.assert_close(
        attention(q, k, v, **options), functional.scaled_dot_product_attention(q, k, v, **options)
    )
    few = attention(q, k[:, :2], v[:, :2], enable_gqa=True)
    torch.testing.assert_close(
        few, functional.scaled_dot_product_attention(q, k[:, :2], v[:, :2], enable_gqa=True)
    )
