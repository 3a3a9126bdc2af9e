"""Fitting Python values to a kernel's parameters."""

import ml_dtypes
import numpy as np
import pytest

from mutakata.backends.cuda import ArgumentError
from mutakata.backends.cuda.arguments import bind
from mutakata.backends.cuda.source import signatures


def bound(parameters, *values):
    return bind(signatures(f'extern "C" __global__ void k({parameters}) {{}}', "k.cu")["k"], values)


def test_scalars_take_the_size_of_their_parameter():
    found = bound(
        "int a, long long b, size_t c, float d, double e, bool f, short g", -1, 2**40, 7, 0.1, 0.1, True, 3
    )
    sizes = [np.frombuffer(v, t)[0] for v, t in zip(
        found.values, ["i4", "i8", "u8", "f4", "f8", "?", "i2"], strict=True)]  # fmt: skip
    assert sizes == [-1, 2**40, 7, np.float32(0.1), 0.1, True, 3]


def test_half_scalars_are_rounded():
    found = bound("__half a, __nv_bfloat16 b", 0.1, 0.1)
    assert found.values[0] == np.float16(0.1).tobytes()
    assert found.values[1] == ml_dtypes.bfloat16(0.1).tobytes()


def test_every_mismatch_is_named_at_once():
    with pytest.raises(ArgumentError) as caught:
        bound(
            "const float* x, float* y, int n, int m, unsigned k, float e",
            np.ones(3), [1.0], 3.5, 2**31, -1, "no",
        )  # fmt: skip
    assert str(caught.value).splitlines() == [
        "arguments of k do not fit:",
        "  x has dtype float64, but float* takes float32",
        "  y is a list, not an array or a tensor",
        "  n is the float 3.5, but the kernel takes int",
        "  m is 2147483648, which does not fit in int",
        "  k is -1, which does not fit in unsigned",
        "  e is a str, but the kernel takes float",
    ]


def test_wrong_count_lists_the_parameters():
    with pytest.raises(ArgumentError, match=r"k takes 2 arguments \(x, n\), got 1"):
        bound("const float* x, int n", np.ones(1, np.float32))


def test_read_only_array_fits_only_a_const_parameter():
    x = np.ones(3, np.float32)
    x.flags.writeable = False
    bound("const float* x", x)
    with pytest.raises(ArgumentError, match="x is read-only"):
        bound("float* x", x)


def test_float_that_overflows_its_parameter_is_refused():
    with pytest.raises(ArgumentError, match="overflows float"):
        bound("float a", 1e300)


def test_vector_and_byte_pointers_take_their_component_or_anything():
    x = np.ones(8, np.float32)
    assert bound("const float4* x", x).buffers[0].element == 16
    bound("const void* x", x)
    bound("unsigned char* x", x)
    bound("const __nv_bfloat162* x", x.astype(ml_dtypes.bfloat16))


def test_strided_view_spans_from_first_to_last_element():
    whole = np.zeros((4, 10), np.float32)
    view = whole[1:3, :6]
    buffer = bound("float* x", view).buffers[0]
    assert buffer.memory.size == (10 + 6) * 4
    assert buffer.memory.phase == 40


def test_arrays_that_overlap_share_a_buffer_and_others_do_not():
    x, other = np.zeros(10, np.float32), np.zeros(10, np.float32)
    found = bound("const float* a, float* b, float* c", x, x[4:], other)
    assert len(found.buffers) == 2
    (a, at_a), (b, at_b), (c, _) = found.values
    assert (a == b, a != c, at_a, at_b) == (True, True, 0, 16)


def test_none_is_a_null_pointer():
    assert bound("float* x", None).values == (bytes(8),)


def test_torch_tensors_are_taken_as_they_are():
    torch = pytest.importorskip("torch")
    t = torch.zeros(4, 6, dtype=torch.bfloat16)[1:, :3]
    buffer = bound("__nv_bfloat16* x", t).buffers[0]
    assert (buffer.memory.address, buffer.memory.size) == (t.data_ptr(), (2 * 6 + 3) * 2)
    with pytest.raises(ArgumentError, match="dtype float64"):
        bound("float* x", torch.zeros(2, dtype=torch.float64))
