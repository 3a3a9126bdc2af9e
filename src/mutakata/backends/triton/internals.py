"""The one file that touches private names of triton.

The interpreter offers no public hooks, and as published it computes another arithmetic than a GPU and sees
no memory fault (see site/pages/interpreter.md). Everything that replaces part of it stands here and nowhere
else, so that a new release of triton is met in one place; `activate` proves by a self-test that the parts
still fit. That is also why this file is longer than others. Versions 3.6 to 3.9 were read for it.
"""

from pathlib import Path
from typing import Any

import numpy as np
import triton
import triton.language as tl
import triton.language.extra.cuda.libdevice as cuda_libdevice
import triton.language.extra.libdevice as stub_libdevice
import triton.runtime.interpreter as interp

from mutakata.backends.triton import arithmetic, booleans, libdevice, seen
from mutakata.backends.triton.arithmetic import BF16
from mutakata.backends.triton.launch import Launch
from mutakata.backends.triton.memory import poison

_HOME = str(Path(triton.__file__).parent)
_TF32 = interp._ir.INPUT_PRECISION.TF32
_RELAXED = interp._ir.MEM_SEMANTIC.RELAXED

_launch: Launch | None = None
_num_warps = 4
_numpy_dtype = interp._get_np_dtype
_known_dtypes: dict[Any, np.dtype[Any]] = {}


def interpreting() -> bool:
    """Whether triton's own library functions were decorated for the interpreter, i.e. at its import."""
    return isinstance(tl.sum, interp.InterpretedFunction)


def install() -> None:
    """Replace the parts. Call once."""
    _install_arithmetic()
    _install_reductions()
    _install_memory()
    _install_launch()
    _install_libdevice()
    _install_boolean_operators()


def _handle(data: Any, dtype: Any) -> Any:
    return interp.TensorHandle(data, dtype)


def _dtype_of(triton_type: Any) -> np.dtype[Any]:
    scalar = triton_type.scalar
    if scalar.is_ptr():
        return np.dtype(np.uint64)
    if scalar not in _known_dtypes:  # triton builds its whole table anew for each question
        _known_dtypes[scalar] = BF16 if scalar == tl.bfloat16 else _numpy_dtype(scalar)
    return _known_dtypes[scalar]


# ---- arithmetic


def _install_arithmetic() -> None:
    builder = interp.InterpreterBuilder
    interp._get_np_dtype = _dtype_of
    # Missing before 3.9, as is the single rounding of fma.
    builder.get_bf16 = lambda self, value: _handle(np.array([value], BF16), tl.bfloat16)
    builder.cast_impl = lambda self, source, to: _handle(source.data.astype(_dtype_of(to)), to.scalar)
    builder.create_fma = _wrap_fma(builder.create_fma)
    builder.create_dot = _wrap_dot(builder.create_dot)
    # Without propagate_nan a GPU returns the operand that is not NaN.
    builder.create_minnumf = lambda self, a, b: self.binary_op(a, b, np.fmin)
    builder.create_maxnumf = lambda self, a, b: self.binary_op(a, b, np.fmax)
    builder.create_clampf = _clamp


def _wrap_fma(original: Any) -> Any:
    def create_fma(self: Any, x: Any, y: Any, z: Any) -> Any:
        dtype = z.data.dtype
        if dtype.itemsize == 2:
            fused = arithmetic.fused_multiply_add(x.data, y.data, z.data)
        elif dtype == np.float32:
            fused = libdevice.call("__nv_fmaf", [x.data, y.data, z.data], dtype)
        else:
            return original(self, x, y, z)
        return _handle(fused, z.dtype.scalar)

    return create_fma


def _wrap_dot(original: Any) -> Any:
    def create_dot(self: Any, a: Any, b: Any, d: Any, precision: Any, *rest: Any) -> Any:
        if a.dtype.scalar.primitive_bitwidth == 8:
            return original(self, a, b, d, precision, *rest)
        product = arithmetic.dot(a.data, b.data, d.data, tf32=precision == _TF32)
        return _handle(product, d.dtype.scalar)

    return create_dot


def _clamp(self: Any, x: Any, low: Any, high: Any, propagate: Any) -> Any:
    clamped = np.fmin(np.fmax(x.data, low.data), high.data)
    if propagate != interp._ir.PROPAGATE_NAN.NONE:
        clamped = np.where(np.isnan(x.data), x.data, clamped)
    return _handle(clamped.astype(x.data.dtype), x.dtype.scalar)


# ---- reductions and scans


def _combine_of(function: Any, types: list[Any], to_tensor: Any) -> arithmetic.Combine:
    """The combine step: NumPy for triton's own functions, else the kernel's function on whole halves."""
    standard = tl.standard
    known = {
        standard._sum_combine: arithmetic.elementwise(np.add),
        standard._prod_combine: arithmetic.elementwise(np.multiply),
        standard._elementwise_max: arithmetic.elementwise(np.fmax),
        standard._elementwise_min: arithmetic.elementwise(np.fmin),
        standard._argmax_combine_tie_break_left: arithmetic.better(np.greater, True),
        standard._argmax_combine_tie_break_fast: arithmetic.better(np.greater, False),
        standard._argmin_combine_tie_break_left: arithmetic.better(np.less, True),
        standard._argmin_combine_tie_break_fast: arithmetic.better(np.less, False),
    }
    if function in known:
        return known[function]

    def combine(left: arithmetic.Arrays, right: arithmetic.Arrays) -> arithmetic.Arrays:
        pairs = [*zip(left, types, strict=True), *zip(right, types, strict=True)]
        result = function(*(to_tensor(array, t) for array, t in pairs))
        shape = left[0].shape
        parts = result if isinstance(result, tuple) else (result,)
        return tuple(np.broadcast_to(part.handle.data, shape) for part in parts)

    return combine


def _reduce(self: Any, inputs: Any) -> Any:
    arrays = tuple(tensor.handle.data for tensor in inputs)
    types = [tensor.dtype for tensor in inputs]
    results = arithmetic.reduce_tree(arrays, self.axis, _combine_of(self.combine_fn, types, self.to_tensor))
    if self.keep_dims:
        axes = tuple(range(arrays[0].ndim)) if self.axis is None else (self.axis,)
        results = tuple(np.expand_dims(result, axes) for result in results)
    return [
        self.to_tensor(result if np.ndim(result) else result[()], t)
        for result, t in zip(results, types, strict=True)
    ]


def _scan(self: Any, inputs: Any) -> Any:
    types = [tensor.dtype for tensor in inputs]
    turn = (lambda a: np.ascontiguousarray(np.flip(a, self.axis))) if self.reverse else (lambda a: a)
    arrays = tuple(turn(tensor.handle.data) for tensor in inputs)
    results = arithmetic.scan_tree(arrays, self.axis, _combine_of(self.combine_fn, types, self.to_tensor))
    return [self.to_tensor(turn(result), t) for result, t in zip(results, types, strict=True)]


def _install_reductions() -> None:
    interp.ReduceOps.apply_impl = _reduce
    interp.ScanOps.apply_impl = _scan


# ---- memory


def _raw(data: Any) -> Any:
    """Contiguous and, for bf16, as bits: the compiled helpers know no bf16."""
    data = np.ascontiguousarray(data)
    return data.view(np.uint16) if data.dtype == BF16 else data


def _active(mask: Any, shape: Any) -> Any:
    return np.ascontiguousarray(np.broadcast_to(mask.data, shape)).astype(bool, copy=False)


def _current() -> Launch:
    assert _launch is not None
    return _launch


def _load(self: Any, pointers: Any, mask: Any, other: Any, *policy: Any, **more: Any) -> Any:
    element = pointers.get_element_ty()
    dtype = _dtype_of(element)
    active = _active(mask, pointers.data.shape)
    volatile = bool(more.get("is_volatile", policy[-1] if policy else False))
    real = _current().access("load", pointers.data, active, dtype.itemsize, volatile=volatile)
    fill = poison(active, dtype) if other is None else np.broadcast_to(other.data, active.shape).astype(dtype)
    fill = _raw(fill)
    return _handle(interp._interpreter.load(real, active, fill, fill.dtype).view(dtype), element)


def _store(self: Any, pointers: Any, value: Any, mask: Any, *policy: Any) -> None:
    active = _active(mask, pointers.data.shape)
    data = np.broadcast_to(value.data, active.shape)
    real = _current().access("store", pointers.data, active, data.dtype.itemsize, values=data)
    interp._interpreter.store(real, _raw(data), active)


def _atomic_rmw(
    self: Any, operation: Any, pointers: Any, value: Any, mask: Any, order: Any, scope: Any
) -> Any:
    active = _active(mask, pointers.data.shape)
    data = np.ascontiguousarray(np.broadcast_to(value.data, active.shape))
    real = _current().access(
        "atomic", pointers.data, active, data.dtype.itemsize, synchronises=order != _RELAXED
    )
    if data.dtype == BF16:
        return _handle(_bf16_atomic_add(operation, real, data, active), tl.bfloat16)
    helper = interp._interpreter.atomic_rmw
    kind, sem = self.ir_rmw_op_to_interpreter_rmw_op[operation], self.ir_sem_to_interpreter_sem[order]
    return _handle(helper(kind, real, data, active, sem), value.dtype.scalar)


def _bf16_atomic_add(operation: Any, real: Any, data: Any, active: Any) -> Any:
    if operation != interp._ir.ATOMIC_OP.FADD:
        raise NotImplementedError(f"{operation} on bf16: a GPU offers only an atomic add")
    old = np.zeros(data.shape, BF16)
    one, nothing = np.ones(1, bool), np.zeros(1, np.uint16)
    for index in zip(*np.nonzero(active), strict=True):  # one by one: lanes may share an address
        where = real[index].reshape(1)
        before = interp._interpreter.load(where, one, nothing, nothing.dtype).view(BF16)
        interp._interpreter.store(where, _raw(before + data[index]), one)
        old[index] = before[0]
    return old


def _atomic_cas(self: Any, pointers: Any, expected: Any, value: Any, order: Any, scope: Any) -> Any:
    active = np.ones(pointers.data.shape, bool)
    size = value.data.dtype.itemsize
    real = _current().access("atomic", pointers.data, active, size, synchronises=order != _RELAXED)
    sem = self.ir_sem_to_interpreter_sem[order]
    old = interp._interpreter.atomic_cas(real, expected.data, value.data, sem)
    return _handle(old, expected.dtype.scalar)


def _install_memory() -> None:
    builder = interp.InterpreterBuilder
    builder.create_masked_load, builder.create_masked_store = _load, _store
    builder.create_atomic_rmw, builder.create_atomic_cas = _atomic_rmw, _atomic_cas


# ---- launches


def _install_launch() -> None:
    executor, builder = interp.GridExecutor, interp.InterpreterBuilder
    executor._init_args_hst = _wrap_init(executor._init_args_hst)
    interp._implicit_cvt = _wrap_convert(interp._implicit_cvt)
    builder.set_grid_dim = _wrap_grid(builder.set_grid_dim)
    builder.set_grid_idx = _wrap_index(builder.set_grid_idx)
    interp.InterpretedFunction.run = _wrap_run(interp.InterpretedFunction.run)
    interp._patch_lang_tensor = _wrap_patch_tensor(interp._patch_lang_tensor)
    interp._patch_lang = _wrap_patch(interp._patch_lang)


def _wrap_init(original: Any) -> Any:
    def init(self: Any, arguments: Any, keywords: Any) -> Any:
        global _launch
        positional, named = original(self, arguments, keywords)
        names = {id(value): name for name, value in zip(self.arg_names, positional, strict=False)}
        names |= {id(value): name for name, value in named.items()}
        _launch = Launch(self.fn.__name__, names, _HOME)
        seen.record(self.fn, self.constexprs, positional, named, _num_warps)
        return positional, named

    return init


def _wrap_convert(original: Any) -> Any:
    def convert(argument: Any) -> Any:
        if isinstance(argument, float):  # fp32 in the compiled kernel's signature
            return tl.tensor(_handle(np.array([argument], np.float32), tl.float32), tl.float32)
        converted = original(argument)
        if hasattr(argument, "data_ptr"):
            base = _current().bind(argument, interp._unwrap_tensor(argument))
            converted.handle.data = np.array([base], np.uint64)
        return converted

    return convert


def _wrap_grid(original: Any) -> Any:
    def set_grid_dim(self: Any, *grid: int) -> None:
        original(self, *grid)
        _current().start((grid[0], grid[1], grid[2]))

    return set_grid_dim


def _wrap_index(original: Any) -> Any:
    def set_grid_idx(self: Any, x: int, y: int, z: int) -> None:
        original(self, *_current().program(x, y, z))

    return set_grid_idx


def _wrap_run(original: Any) -> Any:
    def run(self: Any, *arguments: Any, num_warps: int = 4, **options: Any) -> Any:
        global _launch, _num_warps
        if num_warps < 1 or num_warps & (num_warps - 1):
            raise ValueError(f"num_warps={num_warps} of {self.__name__}: the compiler takes powers of two")
        if "num_warps" in self.arg_names:
            options["num_warps"] = num_warps
        _num_warps = num_warps
        try:
            with np.errstate(all="ignore"):
                return original(self, *arguments, **options)
        except interp.InterpreterError as error:
            raise _cause(error) from None
        finally:
            _launch = None

    return run


def _cause(error: BaseException) -> BaseException:
    """The fault, or the error of the kernel's own line, that the interpreter wrapped."""
    while isinstance(error, interp.InterpreterError) and error.__cause__ is not None:
        error = error.__cause__
    return error


def _wrap_patch(original: Any) -> Any:
    def patch(function: Any) -> Any:
        # Patching triton.language for every call of a device function takes a quarter of a kernel's time.
        module = id(function.__globals__)
        if _launch is not None and module in _launch.patched:
            return None
        if _launch is not None:
            _launch.patched.add(module)
        return original(function)

    return patch


def _wrap_patch_tensor(original: Any) -> Any:
    def patch(tensor: Any, *scope: Any) -> None:
        original(tensor, *scope)
        # A scalar is an array of one element, which newer NumPy refuses as an int.
        index = lambda self: int(np.asarray(self.handle.data).reshape(-1)[0])  # noqa: E731
        if scope:
            scope[0].set_attr(tensor, "__index__", index)
        else:
            tensor.__index__ = index

    return patch


# ---- library functions and operators


def _install_libdevice() -> None:
    """The modules that a kernel may import get functions that end in `_extern`, not ones that give None."""
    interp.InterpreterBuilder.create_extern_elementwise = _extern
    for name, function in list(vars(cuda_libdevice).items()):
        if tl.core.is_builtin(function):
            bound = _with_semantic(function)
            setattr(cuda_libdevice, name, bound)
            setattr(stub_libdevice, name, bound)


def _with_semantic(function: Any) -> Any:
    return lambda *arguments, **_: function(*arguments, _semantic=interp.interpreter_semantic)


def _extern(self: Any, name: str, path: str, symbol: str, arguments: Any, returns: Any, pure: bool) -> Any:
    result = libdevice.call(symbol, [argument.data for argument in arguments], _dtype_of(returns))
    return _handle(result, returns.scalar)


def _install_boolean_operators() -> None:
    for name, function in booleans.functions(lambda value: isinstance(value, tl.tensor)).items():
        setattr(interp, name, function)  # the interpreter copies its globals into a kernel's
    original = interp.FunctionRewriter._transform_ast
    rewrite = booleans.Rewrite()
    interp.FunctionRewriter._transform_ast = lambda self, source: rewrite.visit(original(self, source))
