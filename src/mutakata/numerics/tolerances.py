"""Tolerance rules that well-known projects publish, written again from their documentation."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from mutakata.numerics.rounding import BF16, Array, Floats

Rule = Callable[[Any, Any], bool]
# torch.testing.assert_close, "Default tolerances": dtype -> (relative, absolute)
ASSERT_CLOSE = {
    np.dtype(np.float16): (1e-3, 1e-5),
    BF16: (1.6e-2, 1e-5),
    np.dtype(np.float32): (1.3e-6, 1e-5),
    np.dtype(np.float64): (1e-7, 1e-7),
}


def looks_right(want: Any, got: Any) -> bool:
    """What a hurried tester asks: same shape and dtype, and within torch.testing.assert_close's defaults.

    |got - want| <= absolute + relative * |want|, compared in float64; a NaN is never close, equal
    infinities are. Several outputs, as tuples, must each look right.
    """
    if isinstance(want, tuple | list):
        return isinstance(got, tuple | list) and len(want) == len(got) and all(map(looks_right, want, got))
    a, b = np.asarray(want), np.asarray(got)
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    relative, absolute = ASSERT_CLOSE.get(a.dtype, (0.0, 0.0))
    return close(a, b, relative, absolute)


def close(want: Any, got: Any, relative: float, absolute: float) -> bool:
    """|got - want| <= absolute + relative * |want| for every element, in float64."""
    w, g = np.asarray(want).astype(np.float64), np.asarray(got).astype(np.float64)
    with np.errstate(invalid="ignore"):
        return bool(((w == g) | (np.abs(g - w) <= absolute + relative * np.abs(w))).all())


@dataclass(frozen=True)
class Published:
    """A rule as a project publishes it. `right(want, got, exact)`: does it accept one output?

    want: a correct result in the output's type. exact: the same in float64, which only some rules use.
    """

    name: str
    source: str
    right: Callable[[Array, Array, Floats], bool]


def _fixed(relative: float, absolute: float) -> Callable[[Array, Array, Floats], bool]:
    return lambda want, got, exact: close(want, got, relative, absolute)


def _liger(want: Array, got: Array, exact: Floats) -> bool:
    relative, absolute = (1e-6, 1e-4) if want.dtype.itemsize >= 4 else (2e-2, 2e-1)
    return close(want, got, relative, absolute)


def _four_times(want: Array, got: Array, exact: Floats) -> bool:
    """The largest error is at most four times that of a plain implementation in the same type, and 1e-4."""
    own, plain = (np.abs(each.astype(np.float64) - exact) for each in (got, want))
    return bool(own.max(initial=0.0) <= 4 * plain.max(initial=0.0) + 1e-4)


PUBLISHED = (
    Published(
        "torch.testing.assert_close",
        "pytorch/pytorch, torch/testing/_comparison.py: defaults by dtype",
        lambda want, got, exact: looks_right(want, got),
    ),
    Published("numpy.testing.assert_allclose", "numpy/numpy, defaults: rtol=1e-7, atol=0", _fixed(1e-7, 0.0)),
    Published(
        "Liger-Kernel",
        "linkedin/Liger-Kernel, test/transformers/test_rms_norm.py: fp32 1e-4 and 1e-6, bf16 2e-1 and 2e-2",
        _liger,
    ),
    Published(
        "vLLM", "vllm-project/vllm, tests/kernels/test_layernorm.py: atol=1e-2, rtol=1e-2", _fixed(1e-2, 1e-2)
    ),
    Published(
        "SGLang",
        "sgl-project/sglang, sgl-kernel/tests/test_rmsnorm.py: rtol=1e-3, atol=1e-3",
        _fixed(1e-3, 1e-3),
    ),
    Published(
        "Triton tutorial", "triton-lang/triton, tutorial 05, layer norm: atol=1e-2, rtol=0", _fixed(0.0, 1e-2)
    ),
    Published(
        "flash-attention",
        "Dao-AILab/flash-attention, tests/ops/test_dropout_layer_norm.py: 4 times a plain "
        "implementation's largest error, and 1e-4",
        _four_times,
    ),
)
