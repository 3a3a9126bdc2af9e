"""Your suite for the backward kernels. Run it with `kata run`; it runs under plain `pytest` too."""

import torch
from mutakata.backends import triton as backend
from mutakata.numerics import assert_keeps

backend.activate()  # before triton is imported: without a GPU, kernels run in a checked interpreter

from rms_norm_backward import rms_norm_backward  # noqa: E402

DEVICE = "cuda" if backend.on_gpu() else "cpu"


def test_random_gradients():
    torch.manual_seed(0)
    inputs = {
        "grad": torch.randn(4, 64, device=DEVICE),
        "x": torch.randn(4, 64, device=DEVICE),
        "weight": torch.ones(64, device=DEVICE),
        "eps": 1e-6,
    }
    dx, dweight = rms_norm_backward(**inputs)
    # Fails with the worst element where no correct implementation could have produced it.
    assert_keeps((dx, dweight), "rms_norm_backward/numpy", **inputs)


# Random gradients are nearly orthogonal to x. Which term of dx does that hide? And what hides a weight of ones?
