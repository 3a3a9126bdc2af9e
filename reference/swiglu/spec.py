"""The elementwise part of SwiGLU (Shazeer, 2020): y = silu(gate) * up, with silu(g) = g / (1 + exp(-g))."""

import numpy as np


def swiglu(gate, up):
    """Pass `gate` through the sigmoid-weighted linear unit and multiply by `up`.

    gate, up: (..., n) floating arrays of one dtype. Returns an array of that shape and dtype. The product is
    computed in at least float32 and rounded once. Where exp(-gate) overflows the result is 0, its limit.
    """
    wide = np.promote_types(gate.dtype, np.float32)
    gate_wide = gate.astype(wide)
    with np.errstate(over="ignore"):
        decay = np.exp(-gate_wide)
    activated = gate_wide / (1 + decay)
    product = activated * up.astype(wide)
    return product.astype(gate.dtype)
