"""Gradients of the fused addition and RMSNorm: dx of the norm plus the gradient of the residual."""

from typing import Any

import numpy as np

from mutakata.numerics.contracts import AddRmsNormBackward, Contract
from mutakata.numerics.expectation import Expected, quantity
from mutakata.numerics.ops.arguments import check_arrays, check_eps, check_like, refuse
from mutakata.numerics.ops.rms_norm_backward import gradients
from mutakata.numerics.rounding import unit_roundoff, wide


def expected(
    promise: Contract, *, grad: Any, grad_residual: Any, x: Any, weight: Any, eps: float
) -> Expected:
    """dx, the gradient of both summands, and dweight.

    grad, grad_residual: (..., n), gradients of y and of the updated residual; x: (..., n), that residual.
    """
    assert isinstance(promise, AddRmsNormBackward)
    g, through, data, scale = (np.asarray(a) for a in (grad, grad_residual, x, weight))
    refuse(
        check_arrays(data, per_column={"weight": scale})
        + check_like("grad", g, data)
        + check_like("grad_residual", through, data)
        + check_eps(eps)
    )
    dx, dx_delta, dweight = gradients(promise, g, data, scale, float(eps))
    total = dx + through.astype(np.float64)
    dx_delta = dx_delta + unit_roundoff(wide(data.dtype)) * (np.abs(total) + dx_delta)
    return Expected({"dx": quantity(total, dx_delta, data.dtype), "dweight": dweight}, ("dx", "dweight"))
