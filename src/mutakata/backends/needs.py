"""What a kata needs from the machine, and what to type where it is missing."""

import ctypes
import importlib.util
import os
import shutil
import sys
from collections.abc import Iterable

KERNELS = frozenset({"triton", "cuda"})
DEVICES = ("cpu", "cuda")


def missing(needs: Iterable[str]) -> list[str]:
    """Why this machine cannot run a kata with these needs; empty if it can. Imports nothing heavy."""
    wanted = list(needs)
    reasons = [_REASONS[need]() for need in wanted]
    if on_gpu() and KERNELS & set(wanted):
        reasons.append(_gpu())
    return [reason for reason in reasons if reason]


def prepare(needs: Iterable[str]) -> None:
    """Import the backends once, so that forked workers have them warm."""
    wanted = set(needs)
    if "triton" in wanted:
        from mutakata.backends import triton

        triton.activate()
    if wanted & {"torch", "triton"}:
        from mutakata.backends import torch

        torch.ready()
    if "cuda" in wanted:
        from mutakata.backends import cuda

        cuda.ready()


def forkable(needs: Iterable[str]) -> bool:
    """Whether workers may be forked: never with a GPU context."""
    gpu = on_gpu() and bool(set(needs) & {*KERNELS, "torch"})
    return hasattr(os, "fork") and sys.platform != "darwin" and not gpu


def on_gpu() -> bool:
    """Whether kernels run on a GPU: the environment variable MUTAKATA_DEVICE is ``cuda``."""
    return os.environ.get("MUTAKATA_DEVICE", "cpu") == "cuda"


def _gpu() -> str:
    try:
        ctypes.CDLL("libcuda.so.1")
    except OSError:
        return "no GPU: there is no CUDA driver (libcuda.so.1); without --device cuda kernels are simulated"
    return ""


def _torch() -> str:
    return "" if _importable("torch") else "torch is not installed: pip install 'mutakata[torch]'"


def _triton() -> str:
    from mutakata.backends.triton import available  # which imports no triton

    return available()


def _cuda() -> str:
    """The places where backends.cuda.compiler looks, without starting any of them."""
    named = os.environ.get("MUTAKATA_CXX", "").split()
    if on_gpu() or any(shutil.which(name) for name in named[:1] or ("g++", "clang++")):
        return ""
    if not named and _importable("ziglang"):
        return ""
    tried = f"$MUTAKATA_CXX is {named[0]}, which is not found" if named else "no C++ compiler"
    return f"{tried}: install g++ (on Debian: apt-get install g++), or: pip install ziglang"


def _importable(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


_REASONS = {"torch": _torch, "triton": _triton, "cuda": _cuda}
