"""Softmax over the last axis, as attention needs it: safe for large scores and for rows without any."""

import numpy as np


def softmax(x):
    """Exponentials of the last axis of `x`, divided by their sum.

    x: (..., n) floating array; -inf masks an element, which then gets exactly 0. A row in which every element
    is masked gives zeros, not NaN: such a row attends to nothing. A NaN makes its row NaN.
    Returns an array of x's shape and dtype, computed in at least float32 and rounded once.
    """
    wide = np.promote_types(x.dtype, np.float32)
    x_wide = x.astype(wide)
    highest = np.max(x_wide, axis=-1, keepdims=True)
    level = np.where(np.isneginf(highest), 0, highest)
    exponentials = np.exp(x_wide - level)
    total = np.sum(exponentials, axis=-1, keepdims=True)
    divisor = np.where(total == 0, 1, total)
    return (exponentials / divisor).astype(x.dtype)
