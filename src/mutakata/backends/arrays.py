"""Tensors of any library as NumPy arrays, bfloat16 included; nothing is imported for it."""

from typing import Any

import numpy as np


def to_numpy(value: Any, copy: bool = False) -> Any:
    """An array or tensor as a NumPy array; tuples element by element; anything else as it is."""
    if isinstance(value, tuple | list):
        return tuple(to_numpy(one, copy) for one in value)
    if type(value).__module__.split(".")[0] == "torch" and hasattr(value, "detach"):
        value = _from_torch(value)
    if isinstance(value, np.ndarray):
        return value.copy() if copy else value
    return value


def _from_torch(tensor: Any) -> Any:
    import torch

    tensor = tensor.detach().cpu()
    if tensor.dtype is torch.bfloat16:
        import ml_dtypes

        return tensor.contiguous().view(torch.int16).numpy().view(ml_dtypes.bfloat16)
    return tensor.numpy()
