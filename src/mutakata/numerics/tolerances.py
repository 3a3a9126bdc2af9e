"""Tolerance rules that well-known projects publish, written again from their documentation."""

from collections.abc import Callable
from typing import Any

import numpy as np

from mutakata.numerics.rounding import BF16

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
