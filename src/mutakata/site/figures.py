"""The plots of the numerics pages, computed anew at each build from the engine's own bounds."""

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from mutakata.site.plots import Axis, Line, chart, powers

EPS = 1e-6
WIDTH = 64
KILL = 4.0


@lru_cache
def eps_placements() -> str:
    """Worst error of RMSNorm in units of the derived bound, as the rows of the input get smaller."""
    import numpy as np

    from mutakata.numerics import contract, judge

    row = np.random.default_rng(0).standard_normal((2, WIDTH))
    row /= np.sqrt(np.mean(row * row, axis=-1, keepdims=True))
    weight = (1 + 0.5 * np.random.default_rng(1).standard_normal(WIDTH)).astype(np.float32)
    squares = [10.0 ** (-e / 4) for e in range(-16, 49)]
    promise = contract("rms_norm/numpy")
    lines = []
    for index, (label, root) in enumerate(_roots().items()):
        points = []
        for square in squares:
            x = (row * math.sqrt(square)).astype(np.float32)
            with np.errstate(all="ignore"):
                mean = np.mean(x * x, axis=-1, keepdims=True)
                got = (x / root(mean) * weight).astype(np.float32)
            ratio = judge(promise, {"x": x, "weight": weight, "eps": EPS}, got).ratio
            points.append((square, max(ratio, 1e-2)))
        lines.append(Line(label, tuple(points), "good" if index == 0 else f"series-{index}"))
    return chart(
        lines,
        Axis("mean square of the row, falling", 1e4, 1e-12, powers(-12, 4, 4)),
        Axis("worst error / bound", 1e-2, 1e9, powers(-2, 9)),
        f"float32, width {WIDTH}, ε = 10⁻⁶. Near unit variance every wrong place and value is within reach "
        "of rounding; as the mean square comes near ε each leaves the bound by orders of magnitude. The "
        "right one stays below 1 everywhere.",
        levels=((KILL, "killed: 4 × the bound"), (1.0, "the bound")),
    )


def _roots() -> dict[str, Callable[[Any], Any]]:
    import numpy as np

    one = np.float32
    return {
        "√(ms + ε), right": lambda ms: np.sqrt(ms + one(EPS)),
        "√ms + ε": lambda ms: np.sqrt(ms) + one(EPS),
        "no ε": np.sqrt,
        "max(ms, ε)": lambda ms: np.sqrt(np.maximum(ms, one(EPS))),
        "ε = 10⁻⁵": lambda ms: np.sqrt(ms + one(1e-5)),
        "ε = 10⁻⁸": lambda ms: np.sqrt(ms + one(1e-8)),
        "ε/n": lambda ms: np.sqrt(ms + one(EPS / WIDTH)),
    }


def denominator_ratio(square: float) -> float:
    """How much larger the output is with ε = 1e-6 than with 1e-5, at this mean square."""
    return math.sqrt((square + 1e-5) / (square + 1e-6))


@lru_cache
def denominators() -> str:
    """The two customary epsilons against each other as the mean square falls."""
    squares = [10.0 ** (-e / 8) for e in range(-8, 81)]
    points = tuple((square, denominator_ratio(square)) for square in squares)
    limit = math.sqrt(10)
    ticks = tuple((value, f"{value:g}") for value in (1, 1.5, 2, 2.5, 3))
    return chart(
        [Line("ratio of outputs", points, "series-1")],
        Axis("mean square of the row, falling", 10.0, 1e-10, powers(-10, 1)),
        Axis("√(ms + 10⁻⁵) / √(ms + 10⁻⁶)", 1.0, 3.4, ticks, log=False),
        f"Tends to √10 = {limit:.4f}. At a mean square of 10⁻⁵ it is {denominator_ratio(1e-5):.4f}; "
        f"at 1 it is {denominator_ratio(1.0):.7f}, which no 16-bit output can show.",
        levels=((limit, "√10"),),
    )


@lru_cache
def accumulation() -> str:
    """Relative error of a running sum of squares against the number of terms, by the sum's own type."""
    lines = [
        Line("bf16, one by one", _running("bf16"), "series-2"),
        Line("fp16, one by one", _running("fp16"), "series-1"),
        Line("bf16, pairwise", _pairwise("bf16"), "series-3"),
        Line("fp32, one by one", _running("fp32"), "good"),
    ]
    ticks = tuple((float(2**e), str(2**e)) for e in range(4, 15, 2))
    return chart(
        lines,
        Axis("terms", 16, 16384, ticks),
        Axis("relative error", 1e-8, 1.0, powers(-8, 0, 2)),
        "Mean over 32 rows of N(0,1): squares, added to a sum held in the named type. In bf16 the sum "
        "stops growing when a term falls below half a unit in its last place; from some hundred "
        "terms on, every further one is lost. The inputs are the same, only the accumulator differs.",
    )


def _squares() -> Any:
    import numpy as np

    x = np.random.default_rng(0).standard_normal((32, 16384)).astype(np.float32)
    return x * x


def _running(name: str) -> tuple[tuple[float, float], ...]:
    import numpy as np

    from mutakata.numerics import dtype_of

    squares = _squares()
    terms = np.ascontiguousarray(squares.astype(dtype_of(name)).T)
    exact = np.cumsum(terms.astype(np.float64), axis=0)
    total, points = np.zeros(32, dtype_of(name)), []
    for index in range(len(terms)):
        total = (total + terms[index]).astype(dtype_of(name))
        count = index + 1
        if count >= 16 and count & (count - 1) == 0:
            points.append((float(count), _error(total, exact[index])))
    return tuple(points)


def _pairwise(name: str) -> tuple[tuple[float, float], ...]:
    import numpy as np

    from mutakata.numerics import dtype_of

    terms = _squares().astype(dtype_of(name))
    points = []
    for power in range(4, 15):
        part = terms[:, : 2**power]
        exact = part.astype(np.float64).sum(axis=1)
        while part.shape[1] > 1:
            part = (part[:, ::2] + part[:, 1::2]).astype(dtype_of(name))
        points.append((float(2**power), _error(part[:, 0], exact)))
    return tuple(points)


def _error(got: Any, exact: Any) -> float:
    import numpy as np

    return max(float(np.mean(np.abs(got.astype(np.float64) - exact) / exact)), 1e-8)
