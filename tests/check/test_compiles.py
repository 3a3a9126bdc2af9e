"""A kernel that only the simulations take is a finding."""

import shutil
from dataclasses import replace
from types import SimpleNamespace

import pytest

from mutakata.backends.cuda.nvidia import find_nvrtc
from mutakata.backends.needs import missing, prepare
from mutakata.bank import Exercise, load_exercise, sources
from mutakata.check.compiles import check_compiles
from mutakata.check.finding import Findings


@pytest.fixture(autouse=True)
def only_the_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mutakata.check.compiles._correct", lambda kata: [(kata.subject, kata.source)])


def changed(slug: str, old: str, new: str) -> tuple[Exercise, Findings]:
    """A kata whose one mutant is its reference with a change, and what its compilation found."""
    exercise = load_exercise(slug, sources())
    if lacks := missing(exercise.kata.needs):
        pytest.skip(f"not proved here: {'; '.join(lacks)}")
    prepare(exercise.kata.needs)
    assert old in exercise.kata.source
    mutant = replace(exercise.mutants[0], source=exercise.kata.source.replace(old, new))
    exercise = replace(exercise, mutants=(mutant,))
    check_compiles(exercise, findings := Findings())
    return exercise, findings


def test_a_triton_variable_that_changes_its_type_in_a_loop() -> None:
    exercise, findings = changed("softmax_triton", "total = 0.0\n", "total = 0\n")
    assert {one.path for one in findings} == {exercise.mutants[0].path}
    assert all("refused by triton for sm_90, kernel softmax_kernel" in one.what for one in findings)


@pytest.mark.skipif(not (shutil.which("nvcc") or find_nvrtc()), reason="neither nvcc nor NVRTC")
def test_a_cuda_kernel_that_calls_a_function_of_the_host() -> None:
    exercise, findings = changed("softmax_cuda", "__device__ ", "")
    (one,) = findings
    assert one.path == exercise.mutants[0].path
    assert "sm_90" in one.what and "error" in one.what


def test_without_nvidia_s_compiler_nothing_is_called_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    if lacks := missing(("cuda",)):
        pytest.skip(f"not proved here: {'; '.join(lacks)}")
    monkeypatch.setattr("mutakata.backends.cuda.nvidia.shutil", SimpleNamespace(which=lambda _: None))
    monkeypatch.setattr("mutakata.backends.cuda.nvidia.find_nvrtc", lambda: None)
    _, findings = changed("softmax_cuda", "__device__ ", "__device__  ")
    assert not findings.problems and "not proved here" in findings.not_proved[0]
    assert "compilations" not in findings.proved


def test_a_kata_without_kernels_compiles_nothing() -> None:
    check_compiles(load_exercise("rms_norm", sources()), findings := Findings())
    assert findings == Findings()
