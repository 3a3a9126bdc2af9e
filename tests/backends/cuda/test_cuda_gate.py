"""The gate to a real GPU's compiler, where there is one."""

import shutil

import pytest

from mutakata.backends.cuda import NOT_PROVED, gate
from mutakata.backends.cuda.nvidia import find_nvrtc
from tests.backends.cuda.cases import HERE

needs_compiler = pytest.mark.skipif(
    not (shutil.which("nvcc") or find_nvrtc()), reason="neither nvcc nor NVRTC"
)


def test_without_a_compiler_nothing_is_proved(monkeypatch):
    monkeypatch.setattr("mutakata.backends.cuda.nvidia.shutil.which", lambda _: None)
    monkeypatch.setattr("mutakata.backends.cuda.nvidia.find_nvrtc", lambda: None)
    result = gate("", "k.cu", "sm_90")
    assert (result.accepted, result.tool, result.arch) == (None, NOT_PROVED, "sm_90")


@needs_compiler
def test_simulated_kernels_are_cuda():
    path = HERE / "right" / "reductions.cu"
    result = gate(path.read_text(), str(path), "sm_90")
    assert result.accepted, result.log


@needs_compiler
def test_refusal_names_the_user_s_line():
    result = gate('extern "C" __global__ void k(float* x) { x[0] = nothing; }\n', "k.cu")
    assert result.accepted is False
    assert "k.cu(1): error" in result.log
