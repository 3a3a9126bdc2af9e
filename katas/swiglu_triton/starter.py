"""Your suite for the SwiGLU kernel. Run it with `kata run`; it runs under plain `pytest` too."""

import torch
from mutakata.backends import triton as backend
from mutakata.numerics import assert_keeps

backend.activate()  # before triton is imported: without a GPU, kernels run in a checked interpreter

from swiglu import swiglu  # noqa: E402

DEVICE = "cuda" if backend.on_gpu() else "cpu"


def test_ordinary_rows():
    torch.manual_seed(0)
    gate, up = torch.randn(2, 4, 64, device=DEVICE)
    # Fails with the worst element where no correct implementation could have produced it.
    assert_keeps(swiglu(gate, up), "swiglu/numpy", gate=gate, up=up)


# In a model, gate and up come out of one matrix product. What do their strides look like then?
