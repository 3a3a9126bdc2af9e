"""Triton kernels: run on a CPU as a GPU would compute them, checked for what a GPU leaves undefined."""

from mutakata.backends.needs import on_gpu
from mutakata.backends.triton.fault import Fault
from mutakata.backends.triton.gate import ARCHITECTURES, Compiled, compile_gate
from mutakata.backends.triton.interpreter import UnsupportedTriton, activate, available
from mutakata.backends.triton.seen import Seen, compile_seen, forget, launches
from mutakata.backends.triton.source import load_module

__all__ = [
    "ARCHITECTURES",
    "Compiled",
    "Fault",
    "Seen",
    "UnsupportedTriton",
    "activate",
    "available",
    "compile_gate",
    "compile_seen",
    "forget",
    "launches",
    "load_module",
    "on_gpu",
]
