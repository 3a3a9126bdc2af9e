"""Kills every mutant of the LayerNorm kernel: one test for each regime, and what it alone can see."""

import pytest
import torch
from mutakata.backends import triton as backend
from mutakata.numerics import assert_keeps

backend.activate()  # before triton is imported: without a GPU, kernels run in a checked interpreter

from layer_norm import layer_norm  # noqa: E402

DEVICE = "cuda" if backend.on_gpu() else "cpu"


def normal(*shape, seed=0):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed)).to(DEVICE)


def far(values):
    """The same rows 2^30 elements apart, in memory that is reserved and hardly touched."""
    rows, n = values.shape
    storage = torch.UntypedStorage(((rows - 1) * 2**30 + n) * values.element_size(), device=DEVICE)
    spread = torch.empty(0, dtype=values.dtype, device=DEVICE).set_(storage, 0, (rows, n), (2**30, 1))
    return spread.copy_(values)


def whole(*shape):
    """Whole numbers: every float32 sum of them is exact, so rounding excuses nothing in the statistics."""
    return torch.randint(-20, 21, shape, generator=torch.Generator().manual_seed(3)).float().to(DEVICE)


def arguments(x, eps=1e-5):
    """No gamma is 1 and no beta 0, so that neither can be lost unseen."""
    n = x.shape[-1]
    gamma, beta = (1 + 0.5 * normal(n, seed=8)).to(x.dtype), (0.5 * normal(n, seed=9)).to(x.dtype)
    return {"x": x, "gamma": gamma, "beta": beta, "eps": eps}


def assert_right(x, eps=1e-5):
    inputs = arguments(x, eps)
    before = inputs | {"x": x.clone()}
    assert_keeps(layer_norm(**inputs), "layer_norm/two_pass", **before)


@pytest.mark.parametrize("eps", [1e-5, 1e-6])
def test_rows_of_little_variance_feel_epsilon(eps):
    """Variances near epsilon, its place and size. Two values, so that no literal passes both."""
    assert_right(3e-3 * normal(2, 64), eps)


def test_a_mean_far_from_zero_leaves_the_variance_exact():
    """A difference of two mean squares. 64 columns: no padded lane is to blame."""
    assert_right(1000 + normal(2, 64))


@pytest.mark.parametrize("width", [1, 100])
def test_every_width_is_normalised_to_its_end(width):
    """Padded lanes that count, or a tail that does not. The rows have an offset, which padded lanes lack."""
    assert_right(1 + normal(2, width))


def test_statistics_span_all_blocks():
    """Two full blocks at different levels: each counts, and neither has a mean of its own."""
    assert_right(normal(1, 2048) + 5 * (torch.arange(2048, device=DEVICE) // 1024))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_is_rounded_once(dtype):
    """Sums and statistics too narrow, a cast too early. Stays: both types, and means that they cannot hold."""
    assert_right((101.3 + whole(2, 256)).to(dtype))


def test_a_large_half_is_squared_in_single_precision():
    """The square of 1000 is beyond float16. Stays: here the square alone is to blame, not its sum."""
    assert_right(torch.tensor([[1000.0, -1000, 0, 0, 0, 0, 0, 0]], device=DEVICE).half())


def test_every_row_is_normalised():
    """More rows than a small grid has programs, along two axes."""
    assert_right(normal(2, 3, 8))


def test_a_slice_of_a_wider_buffer():
    """A row stride other than the width. Stays: the stride of every day, where a later test asks for 4 GiB."""
    assert_right(normal(2, 48)[:, 16:32])


def test_a_transposed_view():
    """Neighbours in a row that are no neighbours in memory."""
    assert_right(normal(16, 2).T)


def test_rows_beyond_the_reach_of_an_int32():
    """Row number times stride in 32 bits: the third row lies 2^31 elements from the first."""
    assert_right(far(normal(3, 8).half()))


def test_inputs_are_left_alone():
    """A result written over x. Contiguous, where the launcher makes no copy."""
    inputs = arguments(normal(2, 16))
    before = inputs["x"].clone()
    layer_norm(**inputs)
    assert torch.equal(inputs["x"], before)
