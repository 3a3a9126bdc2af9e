"""Liger-Kernel's kernels, written for GPUs by others: right through the interpreter, and no false alarm."""

import importlib.util
import json
from pathlib import Path

import pytest

pytest.importorskip("liger_kernel")

ROOT = Path(__file__).parents[3]
SPEC = importlib.util.spec_from_file_location("liger_benchmark", ROOT / "benchmarks" / "liger.py")
benchmark = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(benchmark)

KERNELS = [*benchmark.KERNELS, "cross_entropy"]


@pytest.mark.parametrize("dtype", benchmark.DTYPES)
@pytest.mark.parametrize("kernel", KERNELS)
def test_right_and_no_false_alarm(kernel, dtype):
    row = benchmark.measure(kernel, dtype, widths=(50,), rows=2)
    assert row["cases"] >= 4
    assert row["failures"] == []


def test_an_error_of_one_part_in_a_hundred_is_seen(monkeypatch):
    right = benchmark.cross_entropy_forward

    def wrong(*arguments):
        loss, *others = right(*arguments)
        return loss * 1.01, *others

    monkeypatch.setattr(benchmark, "cross_entropy_forward", wrong)
    row = benchmark.measure("cross_entropy", "float32", widths=(50,), rows=2)
    # Where the model is certain of the target the loss is all cancellation, and one part in a hundred is noise.
    assert [failure.split(",")[0] for failure in row["failures"]] == ["ordinary", "offset", "wide"]
    assert row["verdict"] == "wrong"


def test_the_committed_table_says_so_for_every_kernel_and_dtype():
    table = json.loads((ROOT / "site" / "data" / "liger.json").read_text(encoding="utf-8"))
    found = {(row["kernel"], row["dtype"]): row["verdict"] for row in table["results"]}
    assert found == {(kernel, dtype): "right" for kernel in KERNELS for dtype in benchmark.DTYPES}
