"""As a fused kernel does it: each program owns every third row and adds into its own float32 buffer."""

import numpy as np

PROGRAMS = 3


def rms_norm_backward(grad, x, weight, eps):
    n = x.shape[-1]
    wide = np.promote_types(x.dtype, np.float32)
    rows, upstream = x.reshape(-1, n), grad.reshape(-1, n)
    dx = np.empty(rows.shape, x.dtype)
    partial = np.zeros((PROGRAMS, n), wide)
    for program in range(PROGRAMS):
        for index in range(program, len(rows), PROGRAMS):
            row, up = rows[index].astype(wide), upstream[index].astype(wide)
            through = up * weight.astype(wide)
            rstd = 1 / np.sqrt(np.dot(row, row) / wide.type(n) + wide.type(eps))
            slope = np.dot(through, row) / wide.type(n) * rstd * rstd
            dx[index] = rstd * (through - row * slope)
            partial[program] += up * row * rstd
    return dx.reshape(x.shape), partial.sum(axis=0).astype(weight.dtype)
