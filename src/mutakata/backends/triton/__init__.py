"""Triton kernels: run on a CPU as a GPU would compute them, checked for what a GPU leaves undefined."""

from mutakata.backends.triton.fault import Fault
from mutakata.backends.triton.interpreter import UnsupportedTriton, activate, available, on_gpu
from mutakata.backends.triton.source import load_module

__all__ = ["Fault", "UnsupportedTriton", "activate", "available", "load_module", "on_gpu"]
