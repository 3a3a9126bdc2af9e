"""The certification at one width; `python benchmarks/certification.py` runs all of them."""

from dataclasses import replace

import numpy as np
import pytest

from mutakata.numerics import expectation
from mutakata.numerics.certify import FURTHER, PRIMARY, Cell, certify, failures, table
from mutakata.numerics.inputs import fixed_inputs
from mutakata.numerics.presets import contract
from mutakata.numerics.zoo import ZOO


@pytest.mark.parametrize("promise", PRIMARY)
def test_the_first_contract_of_every_operation_is_certified(promise):
    assert failures(certify([promise], [63])) == []


@pytest.mark.parametrize("promise", FURTHER)
def test_further_contracts_are_certified_in_bf16(promise):
    assert failures(certify([promise], [63], ["bf16"])) == []


def test_a_faithful_cell_too_near_the_bound_is_a_failure():
    cell = Cell("rms_norm/numpy", "fp32", 64, "faithful", "pairwise", 0.81, 0.0, False, "grid")
    assert "faithful pairwise reaches 0.81" in failures([cell])[0]
    assert failures([replace(cell, ratio=0.8)]) == []
    assert failures([replace(cell, ratio=float("nan"))]) != []


def test_a_mutant_must_show_at_one_width_for_each_dtype_it_claims():
    weak = Cell("rms_norm/numpy", "fp32", 64, "mutant", "eps_dropped", 3.9, 0.0, False, "tiny")
    strong = replace(weak, width=128, ratio=9.0, differs=True)
    assert "mutant eps_dropped stays below" in failures([weak])[0]
    assert failures([weak, strong]) == []
    assert len(failures([weak, strong, replace(weak, dtype="bf16")])) == 1


def test_a_bound_too_narrow_by_half_fails_the_certification(monkeypatch):
    honest = expectation.Quantity.ratio
    monkeypatch.setattr(expectation.Quantity, "ratio", lambda self, got: 2 * honest(self, got))
    assert any("faithful" in problem for problem in failures(certify(["rms_norm/numpy"], [63], ["fp32"])))


def test_the_table_names_the_worst_faithful_and_the_weakest_mutant():
    cells = certify(["swiglu/numpy"], [63], ["bf16"])
    (row,) = table(cells)
    assert row["worst_faithful"]["ratio"] == pytest.approx(
        max(c.ratio for c in cells if c.kind == "faithful"), rel=0.01
    )
    assert row["mutants"] == row["mutants_shown"] == len(ZOO["swiglu"].mutants)


@pytest.mark.parametrize("op", ZOO)
def test_the_zoo_leaves_its_inputs_alone_and_gives_reasons(op):
    case = fixed_inputs(op, "bf16", 64)[0]
    before = {name: np.asarray(value).tobytes() for name, value in case.inputs.items()}
    for member in (*ZOO[op].faithful.values(), *ZOO[op].mutants.values()):
        with np.errstate(all="ignore"):
            member.function(contract(f"{op}/numpy"), **case.inputs)
        assert member.reason
        assert {name: np.asarray(value).tobytes() for name, value in case.inputs.items()} == before
