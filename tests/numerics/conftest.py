"""What several files of numeric tests share."""

import importlib.util
from pathlib import Path
from types import ModuleType

import numpy as np

ROOT = Path(__file__).resolve().parents[2]


def load_reference(op: str, backend: str = "spec") -> ModuleType:
    """The module reference/<op>/<backend>.py."""
    path = ROOT / "reference" / op / f"{backend}.py"
    spec = importlib.util.spec_from_file_location(f"reference_{op}_{backend}", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def normal(shape, dtype, seed=0, scale=1.0):
    return (scale * np.random.default_rng(seed).standard_normal(shape)).astype(dtype)
