"""Runs a torch module more exactly than it asks for, or with other, equally correct roundings.

`Exact` keeps every floating-point operation in float64, explicit casts to smaller types included. `Nudged`
runs the module in its own types and moves the result of each operation by up to one unit roundoff, at random
(Monte Carlo arithmetic: Parker 1997; CESTAC: Vignes 1974). Products of matrices and sums move further, by up
to sqrt(k)*u*|A||B|, the reach of accumulating k terms in any order (Higham and Mary 2019).
"""

import math
from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch.nn import functional
from torch.overrides import TorchFunctionMode

FLOATS = {torch.float16, torch.bfloat16, torch.float32, torch.float64}
UNIT = {torch.bfloat16: 2.0**-8, torch.float16: 2.0**-11, torch.float32: 2.0**-24, torch.float64: 2.0**-53}
# These accumulate: a product of matrices sums |A||B|, the rest their one operand.
_PRODUCTS = "linear matmul __matmul__ __rmatmul__ bmm mm addmm baddbmm einsum grouped_mm _grouped_mm"
SUMS = frozenset(f"{_PRODUCTS} sum mean cumsum".split())
# These move numbers without computing: their results are exact.
_COPIES = """cat concat stack clone contiguous expand repeat repeat_interleave pad copy_ to float half
    bfloat16 double type type_as detach arange zeros ones full zeros_like ones_like full_like empty_like
    new_empty new_zeros new_ones new_full dropout"""
_CHOICES = """__getitem__ __get__ index index_select gather embedding where masked_fill masked_fill_ scatter
    scatter_ topk sort max amax min amin relu clamp neg __neg__ abs flip roll tril triu"""
_VIEWS = """view reshape view_as_complex view_as_real unbind split chunk squeeze unsqueeze transpose permute
    narrow flatten unflatten"""
MOVES = frozenset(f"{_COPIES} {_CHOICES} {_VIEWS}".split())


def _name(function: Callable[..., Any]) -> str:
    return str(getattr(function, "__name__", ""))


def attention(
    query: Any,
    key: Any,
    value: Any,
    attn_mask: Any = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
    apply: Callable[..., Any] = lambda f, *a, **k: f(*a, **k),
) -> Any:
    """Attention in its four steps, each run through `apply`, so that none of them is out of sight."""
    if enable_gqa:
        groups = query.shape[-3] // key.shape[-3]
        key, value = key.repeat_interleave(groups, -3), value.repeat_interleave(groups, -3)
    scale = query.shape[-1] ** -0.5 if scale is None else scale
    scores = apply(torch.matmul, query, key.transpose(-1, -2))
    scores = apply(torch.mul, scores, scale)
    if is_causal:
        rows, columns = scores.shape[-2:]
        attn_mask = torch.ones(rows, columns, dtype=torch.bool, device=scores.device).tril()
    if attn_mask is not None and attn_mask.dtype is torch.bool:
        scores = scores.masked_fill(~attn_mask, -math.inf)
    elif attn_mask is not None:
        scores = apply(torch.add, scores, attn_mask)
    # a row that may see nothing gives zeros in the fused kernels, not NaN
    weights = apply(torch.softmax, scores, -1).nan_to_num()
    return apply(torch.matmul, weights, value)


class Exact(TorchFunctionMode):
    """float64 throughout: a cast to a smaller type is not carried out.

    Operations that have no float64 kernel run in float32; `inexact` names them.
    """

    def __init__(self) -> None:
        super().__init__()
        self.inexact: set[str] = set()

    def __torch_function__(
        self, func: Callable[..., Any], types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        name, kwargs = _name(func), dict(kwargs or {})
        if name in ("half", "bfloat16", "float"):
            return args[0].double() if args[0].is_floating_point() else func(*args, **kwargs).double()
        if func is functional.scaled_dot_product_attention:
            return attention(*args, **kwargs)
        args = tuple(torch.float64 if _is_float_type(a) else a for a in args)
        kwargs = {k: torch.float64 if _is_float_type(v) else v for k, v in kwargs.items()}
        try:
            return func(*args, **kwargs)
        except (RuntimeError, NotImplementedError) as error:
            if "Double" not in str(error) and "Float32" not in str(error):
                raise
            self.inexact.add(name)
            return _each(func(*_each(args, torch.float32), **_each(kwargs, torch.float32)), torch.float64)


def _each(value: Any, dtype: torch.dtype) -> Any:
    if isinstance(value, torch.Tensor):
        return value.to(dtype) if value.is_floating_point() else value
    if isinstance(value, dict):
        return {key: _each(one, dtype) for key, one in value.items()}
    return type(value)(_each(one, dtype) for one in value) if isinstance(value, tuple | list) else value


def _is_float_type(value: Any) -> bool:
    return isinstance(value, torch.dtype) and value in FLOATS


class Nudged(TorchFunctionMode):
    """Every computed result moved by up to one unit roundoff, up or down, uniformly, from a seed."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.source = torch.Generator().manual_seed(seed)

    def __torch_function__(
        self, func: Callable[..., Any], types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        if func is functional.scaled_dot_product_attention:
            return attention(*args, **{**(kwargs or {}), "apply": self.apply})
        return self.apply(func, *args, **(kwargs or {}))

    def apply(self, func: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        name = _name(func)
        out = func(*args, **kwargs)
        if not isinstance(out, torch.Tensor) or out.dtype not in FLOATS or name in MOVES:
            return out
        if _shares(out, args):
            return out
        kind = torch.promote_types(out.dtype, torch.float32)
        reach = out.abs().to(kind) * UNIT[out.dtype]
        if name in SUMS:
            reach += self._accumulation(name, func, args, kwargs).to(kind) * UNIT[kind]
        if kind is out.dtype:  # the step is below what the type itself can hold
            kind, reach = torch.float64, reach.double()
        noise = torch.rand(out.shape, generator=self.source).to(out.device, kind) * 2 - 1
        # rows that a kernel left unwritten hold anything; their reach is no number
        moved = (out.to(kind) + reach.nan_to_num(0.0, 0.0, 0.0) * noise).to(out.dtype)
        return torch.where(out.isfinite(), moved, out)

    def _accumulation(self, name: str, func: Any, args: Any, kwargs: Any) -> torch.Tensor:
        """sqrt(k) |A||B|, in units of the roundoff of the accumulator."""
        sizes = [a for a in args if isinstance(a, torch.Tensor)]
        terms = sizes[1 if name in ("addmm", "baddbmm") else 0].shape[-1] if sizes and sizes[0].ndim else 1
        magnitude: torch.Tensor = func(*_absolute(args), **_absolute(kwargs))
        return magnitude * math.sqrt(terms)


def _absolute(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return value.abs() if value.is_floating_point() else value
    if isinstance(value, dict):
        return {key: _absolute(each) for key, each in value.items()}
    if isinstance(value, tuple | list):
        return type(value)(_absolute(each) for each in value)
    return value


def _shares(out: torch.Tensor, args: Iterable[Any]) -> bool:
    """A view of an argument, or an argument edited in place."""
    mine = out.untyped_storage().data_ptr()
    return any(isinstance(a, torch.Tensor) and a.untyped_storage().data_ptr() == mine for a in args)
