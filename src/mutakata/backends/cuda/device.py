"""The same files on a GPU: compiled by NVRTC, started through the CUDA driver.

Not proved yet: the machines it was written on have no GPU. CUDA does not survive a fork, so whoever runs
kernels in several processes must spawn them. Multiply and add are not fused (``-fmad=false``), as in the
simulation.
"""

from __future__ import annotations

import ctypes
import ctypes.util
from functools import lru_cache
from pathlib import Path
from typing import Any

from .arguments import Arguments, bind
from .faults import Fault
from .nvidia import compile_by_nvrtc, find_nvrtc
from .source import Signature

Shape = tuple[int, int, int]
_CAPABILITY_MAJOR, _CAPABILITY_MINOR = 75, 76  # CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_*


class DeviceError(RuntimeError):
    """The GPU, its driver or NVRTC is missing or refused; the message says which call."""


@lru_cache(maxsize=1)
def _driver() -> ctypes.CDLL:
    """The driver with the first GPU's primary context made current, the one PyTorch uses too."""
    try:
        cuda = ctypes.CDLL("libcuda.so.1")
    except OSError:
        raise DeviceError("no CUDA driver (libcuda.so.1): unset MUTAKATA_DEVICE to simulate") from None
    context = ctypes.c_void_p()
    _must(cuda, "cuInit", 0)
    _must(cuda, "cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
    _must(cuda, "cuCtxSetCurrent", context)
    return cuda


def _must(cuda: ctypes.CDLL, call: str, *arguments: Any) -> None:
    status = getattr(cuda, call)(*arguments)
    if status:
        text = ctypes.c_char_p()
        cuda.cuGetErrorString(status, ctypes.byref(text))
        raise DeviceError(f"{call}: {(text.value or b'').decode()} ({status})")


def _architecture(cuda: ctypes.CDLL) -> str:
    numbers = []
    for attribute in (_CAPABILITY_MAJOR, _CAPABILITY_MINOR):
        value = ctypes.c_int()
        _must(cuda, "cuDeviceGetAttribute", ctypes.byref(value), attribute, 0)
        numbers.append(value.value)
    return "sm_{}{}".format(*numbers)


def _nvrtc() -> Path:
    found = find_nvrtc() or (Path(p) if (p := ctypes.util.find_library("nvrtc")) else None)
    if found is None:
        raise DeviceError("no NVRTC found; install it: pip install nvidia-cuda-nvrtc nvidia-cuda-runtime")
    return found


@lru_cache(maxsize=256)
def _module(text: str, filename: str) -> ctypes.c_void_p:
    cuda, module = _driver(), ctypes.c_void_p()
    accepted, log, cubin = compile_by_nvrtc(_nvrtc(), text, filename, _architecture(cuda), "-fmad=false")
    if not accepted:
        raise DeviceError(f"{filename} does not compile:\n{log}")
    _must(cuda, "cuModuleLoadData", ctypes.byref(module), cubin)
    return module


def _upload(cuda: ctypes.CDLL, arguments: Arguments) -> list[int]:
    """Device addresses of the buffers; each keeps its phase, so that misalignment shows."""
    bases: list[int] = []
    for buffer in arguments.buffers:
        memory, address = buffer.memory, ctypes.c_uint64()
        _must(cuda, "cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(memory.size + memory.phase or 1))
        bases.append(address.value + memory.phase)
        host, size = ctypes.c_void_p(memory.address), ctypes.c_size_t(memory.size)
        _must(cuda, "cuMemcpyHtoD_v2", ctypes.c_uint64(bases[-1]), host, size)
    return bases


def _download(cuda: ctypes.CDLL, arguments: Arguments, bases: list[int]) -> None:
    for buffer, base in zip(arguments.buffers, bases, strict=True):
        if buffer.written:
            host, size = ctypes.c_void_p(buffer.memory.address), ctypes.c_size_t(buffer.memory.size)
            _must(cuda, "cuMemcpyDtoH_v2", host, ctypes.c_uint64(base), size)


def _start(cuda: ctypes.CDLL, function: ctypes.c_void_p, shape: list[int], values: list[bytes]) -> None:
    cells = [ctypes.create_string_buffer(v, len(v)) for v in values]
    pointers = (ctypes.c_void_p * max(len(cells), 1))(*(ctypes.addressof(c) for c in cells))
    try:
        _must(cuda, "cuLaunchKernel", function, *map(ctypes.c_uint, shape), None, pointers, None)
        _must(cuda, "cuCtxSynchronize")
    except DeviceError as error:
        raise Fault("launch", f"the GPU refused or ended the launch: {error}") from None


def launch_on_gpu(
    signature: Signature,
    text: str,
    filename: str,
    grid: Shape,
    block: Shape,
    shared: int,
    values: tuple[Any, ...],
) -> None:
    """Runs one launch on the first GPU with host arrays, which are copied there and back."""
    arguments = bind(signature, values)
    module, cuda, function = _module(text, filename), _driver(), ctypes.c_void_p()
    _must(cuda, "cuModuleGetFunction", ctypes.byref(function), module, signature.name.encode())
    bases = _upload(cuda, arguments)
    try:
        _start(cuda, function, [*grid, *block, shared], arguments.at(bases))
        _download(cuda, arguments, bases)
    finally:
        for buffer, base in zip(arguments.buffers, bases, strict=True):
            cuda.cuMemFree_v2(ctypes.c_uint64(base - buffer.memory.phase))
