"""Your suite for the online softmax. Run it with `kata run`; it runs under plain `pytest` too."""

import torch
from mutakata.backends import triton as backend
from mutakata.numerics import assert_keeps

backend.activate()  # before triton is imported: without a GPU, kernels run in a checked interpreter

from softmax import softmax  # noqa: E402

DEVICE = "cuda" if backend.on_gpu() else "cpu"


def test_ordinary_rows():
    torch.manual_seed(0)
    x = torch.randn(4, 64, device=DEVICE)
    # Fails with the worst element where no correct implementation could have produced it.
    assert_keeps(softmax(x), "softmax/online", x=x)


def test_rows_sum_to_one():
    x = torch.linspace(-1, 1, 128, device=DEVICE).reshape(2, 64)
    torch.testing.assert_close(softmax(x).sum(-1), torch.ones(2, device=DEVICE))


# What does the second test see that the first one does not? Which scores would make both of them useful?
