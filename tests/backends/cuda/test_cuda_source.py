"""Reading kernels and rewriting shared memory, without a compiler."""

import pytest

from mutakata.backends.cuda.source import SourceError, inline_includes, signatures, translate

KERNEL = """\
// extern "C" __global__ void not_this(float* a);
extern "C" __global__ void __launch_bounds__(256, 2) first(
    const float* __restrict__ x,   // input
    __half2 *y, unsigned long long n, float eps)
{ }
template <class T> __global__ void generic(T* x) {}
extern "C" __global__
void second(const float4 weights[], std::size_t n) {}
"""


def test_signatures_name_type_and_constness():
    found = signatures(KERNEL, "k.cu")
    assert list(found) == ["first", "second"]
    first = found["first"]
    assert (first.line, first.max_threads) == (2, 256)
    assert [(p.name, p.type, p.pointer, p.const) for p in first.parameters] == [
        ("x", "float", True, True),
        ("y", "__half2", True, False),
        ("n", "unsigned long long", False, False),
        ("eps", "float", False, False),
    ]
    assert [(p.name, p.element.size) for p in found["second"].parameters] == [("weights", 16), ("n", 8)]


def test_kernels_in_an_extern_block_are_found():
    assert list(signatures('extern "C" {\n__global__ void k(int n) {}\n}', "k.cu")) == ["k"]


def test_unknown_type_is_named_with_its_line():
    with pytest.raises(SourceError, match=r"k\.cu:2: the type 'Params' of parameter 'p' is not known"):
        signatures('\nextern "C" __global__ void k(Params p) {}', "k.cu")


def test_file_without_kernels_says_how_to_write_one():
    with pytest.raises(SourceError, match="no kernel found; declare one as"):
        signatures("__global__ void k() {}", "k.cu")


@pytest.mark.parametrize(
    ("declaration", "expected"),
    [
        (
            "__shared__ float part[32];",
            "float [32]; cusim_type_part& part = ::cusim::shared<cusim_type_part>",
        ),
        ("__shared__ T tile[A][B + 1];", "using cusim_type_tile = T [A][B + 1];"),
        ("__shared__ alignas(16) float v;", "using cusim_type_v = float ;"),
        ("__shared__ std::pair<int, float> p[2];", "using cusim_type_p = std::pair<int, float> [2];"),
        ("__shared__ volatile unsigned int a, b[4];", "using cusim_type_b = volatile unsigned int [4];"),
        (
            "extern __shared__ float raw[];",
            'float* raw = (float*)::cusim::dynamic_shared("raw", sizeof(float));',
        ),
        (
            "extern __shared__ __align__(16) unsigned char raw[];",
            'unsigned char* raw = (unsigned char*)::cusim::dynamic_shared("raw", sizeof(unsigned char));',
        ),
    ],
)
def test_shared_declarations_become_references(declaration, expected):
    written = translate(f"void k() {{\n  {declaration}\n}}")
    assert expected in written
    assert "__shared__" not in written
    assert written.count("\n") == 2


def test_lines_and_comments_stay():
    text = "// __shared__ float a[1];\nvoid k() {\n  __shared__\n  float b[2];\n  use(b);\n}"
    written = translate(text).split("\n")
    assert written[0] == "// __shared__ float a[1];"
    assert written[4] == "  use(b);"


def test_own_includes_are_put_in_once(tmp_path):
    (tmp_path / "sum.cuh").write_text("int sum;\n")
    text = '#include "sum.cuh"\n#include "sum.cuh"\n#include "absent.h"\nint last;'
    whole = inline_includes(text, tmp_path / "k.cu", "/cu/k.cu")
    assert whole.count("int sum;") == 1
    assert '#include "absent.h"\nint last;' in whole
    assert '#line 2 "/cu/k.cu"' in whole
