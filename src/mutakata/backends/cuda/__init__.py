"""CUDA C++ kernels without a GPU: unchanged ``.cu`` files, compiled for the CPU and checked while they run.

    from mutakata.backends.cuda import kernels
    module = kernels("rms_norm.cu")
    module.rms_norm_f32[rows, 256](x, weight, y, width, eps)

A launch that a GPU leaves undefined raises `Fault`, an AssertionError whose words name file, line, block,
thread and array. With MUTAKATA_DEVICE=cuda the same call runs the kernel on a GPU.
"""

from ..needs import on_gpu
from .arguments import ArgumentError
from .compiler import CompileError, build, find_compiler, ready
from .faults import Fault
from .module import Kernel, Kernels, kernels, register, unregister
from .nvidia import ARCHITECTURES, NOT_PROVED, GateResult, gate
from .report import KINDS, Place
from .source import SourceError

__all__ = [
    "ARCHITECTURES",
    "KINDS",
    "NOT_PROVED",
    "ArgumentError",
    "CompileError",
    "Fault",
    "GateResult",
    "Kernel",
    "Kernels",
    "Place",
    "SourceError",
    "available",
    "build",
    "gate",
    "kernels",
    "ready",
    "register",
    "unregister",
]


def available() -> bool:
    """Whether this machine can run ``.cu`` kernels: a C++ compiler is there, or a GPU was asked for."""
    return on_gpu() or find_compiler() is not None
