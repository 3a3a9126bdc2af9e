"""The public face: finding sources, building, the cache, forked workers."""

import multiprocessing
import shutil
from pathlib import Path

import numpy as np
import pytest

from mutakata.backends.cuda import (
    ArgumentError,
    CompileError,
    Fault,
    available,
    build,
    compiler,
    kernels,
    register,
    unregister,
)
from mutakata.backends.cuda.faults import Launched
from mutakata.backends.cuda.launch import simulate
from tests.backends.cuda.cases import HERE

pytestmark = pytest.mark.skipif(not available(), reason="no C++ compiler")

SCALE = """\
extern "C" __global__ void scale(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2.0f * x[i];
}
"""


def scaled(module):
    x, y = np.arange(5, dtype=np.float32), np.zeros(5, np.float32)
    module.scale[1, 32](x, y, 5)
    return y.tolist()


@pytest.fixture
def scale(tmp_path):
    (tmp_path / "scale.cu").write_text(SCALE)
    return kernels(tmp_path / "scale.cu")


def test_kernel_is_found_beside_the_calling_module(tmp_path, monkeypatch):
    (tmp_path / "scale.cu").write_text(SCALE)
    (tmp_path / "beside_me.py").write_text(
        "from mutakata.backends.cuda import kernels\nmodule = kernels('scale.cu')\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    import beside_me

    assert scaled(beside_me.module) == [0, 2, 4, 6, 8]


def test_registered_text_takes_the_file_s_place_and_gives_it_back(scale):
    register("scale.cu", SCALE.replace("2.0f", "3.0f"), "mutants/three.cu")
    try:
        assert scaled(scale) == [0, 3, 6, 9, 12]
    finally:
        unregister("scale.cu")
    assert scaled(scale) == [0, 2, 4, 6, 8]


def test_fault_of_a_registered_text_names_its_file(scale):
    register("scale.cu", SCALE.replace("if (i < n) ", ""), "mutants/no_guard.cu")
    try:
        with pytest.raises(Fault) as caught:
            scaled(scale)
    finally:
        unregister("scale.cu")
    assert (caught.value.file, caught.value.line) == ("mutants/no_guard.cu", 3)


def test_missing_file_is_named():
    with pytest.raises(FileNotFoundError, match=r"no kernel file .*absent\.cu"):
        kernels("absent.cu")


def test_unknown_kernel_lists_those_there_are(scale):
    with pytest.raises(AttributeError, match="has no kernel 'scales'; it has: scale"):
        scale.scales[1, 1]()


def test_compile_error_has_the_user_s_file_and_line(tmp_path):
    text = SCALE.replace("2.0f * x[i]", "2.0f * z[i]")
    with pytest.raises(CompileError) as caught:
        build(text, str(tmp_path / "wrong.cu"))
    assert str(caught.value).startswith(
        f"{tmp_path / 'wrong.cu'} does not compile:\n{tmp_path / 'wrong.cu'}:3:"
    )
    assert "'z' was not declared" in str(caught.value)


def test_unsimulated_header_says_so():
    with pytest.raises(CompileError, match="cooperative groups are not simulated"):
        build("#include <cooperative_groups.h>\n" + SCALE, "groups.cu")


def test_build_is_cached_by_content_not_by_place(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    first = build(SCALE, str(tmp_path / "scale.cu"))
    assert build(SCALE, str(tmp_path / "elsewhere" / "scale.cu")) == first
    assert build(SCALE + "// another\n", str(tmp_path / "scale.cu")) != first
    assert build(SCALE, str(tmp_path / "scale.cu"), checked=False) != first


def test_changed_include_builds_anew(tmp_path):
    (tmp_path / "factor.h").write_text("#define FACTOR 2.0f\n")
    text = '#include "factor.h"\n' + SCALE.replace("2.0f", "FACTOR")
    first = build(text, str(tmp_path / "scale.cu"))
    (tmp_path / "factor.h").write_text("#define FACTOR 5.0f\n")
    assert build(text, str(tmp_path / "scale.cu")) != first


def test_cache_folder_is_the_named_one(tmp_path, monkeypatch):
    monkeypatch.setenv("MUTAKATA_CACHE", str(tmp_path))
    assert compiler.cache_root() == tmp_path
    monkeypatch.delenv("MUTAKATA_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert compiler.cache_root() == tmp_path / "mutakata"


def _in_child(factor):
    register("scale.cu", SCALE.replace("2.0f", f"{factor}.0f"))
    return scaled(kernels("/nowhere/scale.cu"))


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_workers_build_and_run_side_by_side(scale, method):
    scaled(scale)
    with multiprocessing.get_context(method).Pool(2) as pool:
        found = pool.map(_in_child, [3, 4, 3])
    assert found == [[0, 3, 6, 9, 12], [0, 4, 8, 12, 16], [0, 3, 6, 9, 12]]


def test_seed_comes_from_the_environment_and_repeats_exactly(monkeypatch):
    module = kernels(HERE / "right" / "reductions.cu")
    x = np.random.default_rng(0).standard_normal(4096).astype(np.float32)

    def total(seed):
        monkeypatch.setenv("MUTAKATA_SEED", str(seed))
        y = np.zeros(1, np.float32)
        module.sum_by_atomics[64, 64](x, y, 4096)
        return float(y[0])

    assert total(1) == total(1)
    assert len({total(seed) for seed in (1, 2, 3, 4)}) > 1


def test_arrays_side_by_side_in_memory_are_told_apart(scale):
    whole = np.zeros(64, np.float32)
    with pytest.raises(Fault, match=r"the argument x has 8 elements"):
        scale.scale[1, 32](whole[:8], whole[32:], 32)


def test_tensor_is_changed_in_place(scale):
    torch = pytest.importorskip("torch")
    x, y = torch.ones(5), torch.zeros(5)
    scale.scale[1, 32](x, y, 5)
    assert y.tolist() == [2.0] * 5
    with pytest.raises(ArgumentError, match="y is a int"):
        scale.scale[1, 32](x, 3, 5)


def address_space():
    """Bytes of addresses that this process has reserved."""
    return 4096 * int(Path("/proc/self/statm").read_text().split()[0])


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="no /proc")
def test_libraries_share_their_address_space(scale, tmp_path):
    """A window range of its own for each would leave no addresses after some dozens of kernels."""
    scaled(scale)
    before = address_space()
    another = shutil.copy(scale.build(), tmp_path / "another.so")
    y, signature = np.zeros(5, np.float32), scale.signatures()["scale"]
    launched = Launched("scale", "scale.cu", SCALE, another, (1, 1, 1), (32, 1, 1), 1, steps=10**9)
    simulate(launched, signature, (np.ones(5, np.float32), y, 5), checked=True)
    assert y.tolist() == [2] * 5
    assert address_space() - before < 2**30
