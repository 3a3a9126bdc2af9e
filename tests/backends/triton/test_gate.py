"""The compiler rejects what the interpreter lets pass, and its assembly shows the GPU's arithmetic."""

import pytest
import torch

from mutakata.backends import triton as backend

SOURCE = """
import triton
import triton.language as tl

@triton.jit
def double_sum(X, Y, n, eps, BLOCK: tl.constexpr = 64):
    lanes = tl.arange(0, BLOCK)
    x = tl.load(X + lanes, mask=lanes < n, other=0.0)
    tl.store(Y, tl.sum(x + x))

@triton.jit
def changes_type(X, Y, n):
    total = 0
    for i in range(n):
        total += tl.load(X + i)
    tl.store(Y, total)

def run(x, y):
    double_sum[(1,)](x, y, x.numel(), 1e-6, num_warps=2)

def run_changing(x, y):
    changes_type[(1,)](x, y, x.numel())
"""


@pytest.fixture
def kernels():
    backend.forget()
    return backend.load_module("gated", SOURCE, "gated.py")


def test_a_kernel_compiles_for_both_architectures_as_it_was_launched(kernels):
    kernels.run(torch.ones(50, dtype=torch.bfloat16), torch.empty(1, dtype=torch.bfloat16))
    kernels.run(torch.zeros(50, dtype=torch.bfloat16), torch.empty(1, dtype=torch.bfloat16))
    (seen,) = backend.launches()
    assert seen.signature == (("X", "*bf16"), ("Y", "*bf16"), ("n", "i32"), ("eps", "fp32"))
    assert (seen.kernel, seen.constexprs, seen.num_warps) == ("double_sum", (("BLOCK", 64),), 2)
    first, second = seen.compile()
    assert (first.ok, first.arch, second.ok, second.arch) == (True, 80, True, 90)
    assert "add.bf16" in second.ptx and "add.f32" not in second.ptx  # nobody promotes the sum


def test_a_type_that_changes_in_a_loop_passes_here_and_not_the_compiler(kernels):
    total = torch.empty(1)
    kernels.run_changing(torch.ones(3), total)
    assert total.item() == 3
    (seen,) = backend.launches()
    (answer,) = seen.compile(90)
    assert not answer.ok and answer.ptx == ""
    assert "total has initial type int32 but is re-assigned to fp32" in answer.error


def test_an_error_of_the_module_is_the_answer():
    (answer,) = backend.compile_gate("import nowhere_to_be_found", "k", {}, arch=90)
    assert answer.error.startswith("ModuleNotFoundError")
