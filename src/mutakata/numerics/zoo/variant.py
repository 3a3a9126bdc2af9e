"""One implementation in the zoo: a plain function of a contract and the inputs."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

LOW = ("fp16", "bf16")
ALL = ("fp32", "fp16", "bf16")


@dataclass(frozen=True)
class Variant:
    """`function(contract, **inputs)` returns what the operation returns.

    dtypes: where a mutant is claimed to differ beyond the bound on some fixed input. narrowest: the width
    from which on. widest: up to which it is run, where a loop in Python makes it slow. tail_only: not
    where the width is a power of two. reason: why it is right, or what is wrong with it. seen: public
    reports of the same defect. asked_for: contracts and dtypes that ask for just what is wrong elsewhere.
    """

    function: Callable[..., Any]
    reason: str
    dtypes: tuple[str, ...] = ALL
    narrowest: int = 63
    widest: int = 2**20
    tail_only: bool = False
    seen: tuple[str, ...] = ()
    asked_for: tuple[tuple[str, str], ...] = ()

    def claims(self, promise: str, dtype: str, width: int) -> bool:
        """Is the mutant held to differ there on some fixed input?"""
        whole = width & (width - 1) == 0
        if (promise, dtype) in self.asked_for:
            return False
        return dtype in self.dtypes and self.narrowest <= width and not (self.tail_only and whole)


@dataclass(frozen=True)
class Zoo:
    """The implementations of one operation, by name."""

    faithful: dict[str, Variant]
    mutants: dict[str, Variant]


def variant(
    kernel: Callable[..., Any],
    reason: str,
    *,
    dtypes: tuple[str, ...] = ALL,
    narrowest: int = 63,
    widest: int = 2**20,
    tail_only: bool = False,
    seen: tuple[str, ...] = (),
    asked_for: tuple[tuple[str, str], ...] = (),
    **settings: Any,
) -> Variant:
    """A kernel with some of its settings changed."""
    return Variant(partial(kernel, **settings), reason, dtypes, narrowest, widest, tail_only, seen, asked_for)
