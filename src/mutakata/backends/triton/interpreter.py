"""Whether Triton kernels can run here, and making them run faithfully."""

import importlib.util
import os
import re
import sys
from importlib import metadata

from mutakata.backends.needs import on_gpu

SUPPORTED = ((3, 6), (3, 9))
"""First and last (major, minor) of triton whose interpreter was read; see internals.py."""

_active = False


class UnsupportedTriton(RuntimeError):
    """This triton's interpreter cannot be made faithful; the message says why and what to install."""


def available() -> str:
    """Why Triton katas cannot run here, with what to type; empty when they can. Imports nothing heavy."""
    if not sys.platform.startswith("linux"):
        return f"triton has no wheel for {sys.platform}: use Linux, WSL or a container"
    for package in ("torch", "triton"):
        if importlib.util.find_spec(package) is None:
            return f"{package} is not installed: pip install 'mutakata[triton]'"
    return "" if on_gpu() else _refusal(metadata.version("triton"))


def activate() -> None:
    """Make every `@triton.jit` kernel defined from now on run on the CPU, faithfully and checked.

    Call it before triton is imported: in a workspace, from conftest.py. A second call does nothing, and
    neither does any call under MUTAKATA_DEVICE=cuda, where kernels are compiled. Makes torch single-threaded.

    Raises UnsupportedTriton (unknown version, failed self-test) and RuntimeError (called too late).
    """
    global _active
    if _active or on_gpu():
        return
    if reason := available():
        raise UnsupportedTriton(reason)
    os.environ["TRITON_INTERPRET"] = "1"
    from mutakata.backends import torch as torch_backend

    torch_backend.ready()
    import triton

    if reason := _refusal(triton.__version__):
        raise UnsupportedTriton(reason)
    from mutakata.backends.triton import internals

    if not internals.interpreting():
        raise RuntimeError(
            "triton was imported before activate(), without TRITON_INTERPRET=1, so its kernels are fixed for"
            " a GPU. Call activate() first, at the top of conftest.py, or set TRITON_INTERPRET=1."
        )
    internals.install()
    _poison_empty_tensors()
    _active = True
    from mutakata.backends.triton import selftest

    if problems := selftest.problems():
        raise UnsupportedTriton(f"triton {triton.__version__} fails the self-test: {'; '.join(problems)}")


def _poison_empty_tensors() -> None:
    """From now on torch.empty holds NaN, or the largest integer: what a kernel leaves unwritten shows."""
    import torch

    torch.set_deterministic_debug_mode("warn")  # use_deterministic_algorithms would import the compiler


def _refusal(version: str) -> str:
    match = re.match(r"(\d+)\.(\d+)", version)
    first, last = (".".join(map(str, bound)) for bound in SUPPORTED)
    if match and SUPPORTED[0] <= (int(match[1]), int(match[2])) <= SUPPORTED[1]:
        return ""
    return (
        f"triton {version} is not known: its interpreter is made faithful through private names that were"
        f" read in {first} to {last} only. Install one of those: pip install 'mutakata[triton]'"
    )
