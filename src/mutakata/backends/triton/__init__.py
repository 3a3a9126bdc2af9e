"""Triton kernels: run on a CPU as a GPU would compute them, checked for what a GPU leaves undefined."""

from mutakata.backends.triton.fault import Fault
from mutakata.backends.triton.gate import Compiled, compile_gate
from mutakata.backends.triton.interpreter import UnsupportedTriton, activate, available, on_gpu
from mutakata.backends.triton.seen import Seen, forget, launches
from mutakata.backends.triton.source import load_module

__all__ = [
    "Compiled",
    "Fault",
    "Seen",
    "UnsupportedTriton",
    "activate",
    "available",
    "compile_gate",
    "forget",
    "launches",
    "load_module",
    "on_gpu",
]
