"""Sources as modules: a `.cu` text behind its Python launcher."""

from pathlib import Path

import numpy as np
import pytest

from mutakata.backends import cuda
from mutakata.backends.modules import Source, load

pytestmark = pytest.mark.skipif(not cuda.available(), reason="no C++ compiler")

LAUNCHER = """\
import numpy as np
from mutakata.backends.cuda import kernels

def scale(x):
    y = np.empty_like(x)
    kernels("fused.cu").scale[1, len(x)](x, y)
    return y
"""
KERNEL = """\
extern "C" __global__ void scale(const float* from, float* into) {
    into[threadIdx.x] = FACTOR * from[threadIdx.x];
}
"""


def source(folder: Path, name: str, factor: str, launcher: str = LAUNCHER) -> Source:
    (folder / "launcher.py").write_text(launcher, encoding="utf-8")
    return Source("scale", KERNEL.replace("FACTOR", factor), folder / name, folder / "launcher.py")


def test_a_text_of_any_name_stands_for_the_file_that_the_launcher_asks_for(tmp_path):
    assert load(source(tmp_path, "otherwise.cu", "2.0f"))(np.ones(3, np.float32)).tolist() == [2, 2, 2]


def test_two_loaded_texts_do_not_mix(tmp_path):
    twice, thrice = (load(source(tmp_path, "fused.cu", factor)) for factor in ("2.0f", "3.0f"))
    assert [one(np.ones(1, np.float32))[0] for one in (twice, thrice, twice)] == [2, 3, 2]


def test_a_launcher_without_kernels_is_refused(tmp_path):
    function = load(source(tmp_path, "fused.cu", "2.0f", "def scale(x):\n    return x\n"))
    with pytest.raises(ImportError, match=r'launcher.py asks for no kernel file: call kernels\("name.cu"\)'):
        function(np.ones(1, np.float32))


def test_a_fault_names_the_argument(tmp_path):
    """The names outlive the binding of the arguments: a report is read after it."""
    late = source(tmp_path, "fused.cu", "from[threadIdx.x + 1]")
    with pytest.raises(cuda.Fault, match=r"reads from\[3\], but the argument from has 3 elements"):
        load(late)(np.ones(3, np.float32))
