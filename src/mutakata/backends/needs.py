"""What a kata needs from the machine, and what to type where it is missing."""

import importlib.util
import os
import shutil
import sys
from collections.abc import Iterable


def missing(needs: Iterable[str]) -> list[str]:
    """Why this machine cannot run a kata with these needs; empty if it can. Imports nothing heavy."""
    return [reason for need in needs if (reason := _REASONS[need]())]


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
    on_gpu = os.environ.get("MUTAKATA_DEVICE") == "cuda" and bool(set(needs) & {"triton", "cuda", "torch"})
    return hasattr(os, "fork") and sys.platform != "darwin" and not on_gpu


def _torch() -> str:
    return "" if _importable("torch") else "torch is not installed: pip install 'mutakata[torch]'"


def _triton() -> str:
    if not sys.platform.startswith("linux"):
        return f"triton has no wheel for {sys.platform}: use Linux, WSL or a container"
    return "" if _importable("triton") else "triton is not installed: pip install 'mutakata[triton]'"


def _cuda() -> str:
    if any(shutil.which(name) for name in ("g++", "clang++")):
        return ""
    return "no C++ compiler: install g++ or clang (on Debian: apt-get install g++)"


def _importable(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


_REASONS = {"torch": _torch, "triton": _triton, "cuda": _cuda}
