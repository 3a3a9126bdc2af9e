"""Programs of a grid run in no order: what depends on it is a race, what is ordered by atomics is none."""

from pathlib import Path

import numpy as np
import pytest
import torch
import triton
import triton.language as tl

from mutakata.backends.triton import Fault


@triton.jit
def all_store(TARGET):
    tl.store(TARGET, tl.program_id(0))  # everyone here


@triton.jit
def shift_left(X, n, BLOCK: tl.constexpr):
    lanes = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    right = tl.load(X + lanes + 1, mask=lanes + 1 < n, other=0.0)
    tl.store(X + lanes, right, mask=lanes < n)


@triton.jit
def plain_accumulate(X, TOTAL):
    tl.store(TOTAL, tl.load(TOTAL) + tl.load(X + tl.program_id(0)))


@triton.jit
def atomic_accumulate(X, TOTAL):
    tl.atomic_add(TOTAL, tl.load(X + tl.program_id(0)))


@triton.jit
def read_while_others_add(X, TOTAL, SEEN):
    tl.atomic_add(TOTAL, 1.0, sem="relaxed")
    tl.store(SEEN + tl.program_id(0), tl.load(TOTAL))


@triton.jit
def one_reads_one_writes(X, SEEN, READER: tl.constexpr, ATOMIC: tl.constexpr):
    if tl.program_id(0) == READER:
        tl.store(SEEN, tl.load(X))
    elif ATOMIC:
        tl.atomic_add(X, 1.0)
    else:
        tl.store(X, 1.0)


@triton.jit
def locked_accumulate(X, TOTAL, LOCK):
    while tl.atomic_cas(LOCK, 0, 1) == 1:
        pass
    tl.store(TOTAL, tl.load(TOTAL) + tl.load(X + tl.program_id(0)))
    tl.debug_barrier()
    tl.atomic_xchg(LOCK, 0)


@triton.jit
def store_after_unlocking(X, TOTAL, LOCK):
    while tl.atomic_cas(LOCK, 0, 1) == 1:
        pass
    tl.atomic_xchg(LOCK, 0)
    tl.store(TOTAL, tl.load(TOTAL) + tl.load(X + tl.program_id(0)))


@triton.jit
def last_program_sums(X, PARTIAL, COUNT, TOTAL, PROGRAMS: tl.constexpr):
    tl.store(PARTIAL + tl.program_id(0), 2 * tl.load(X + tl.program_id(0)))
    if tl.atomic_add(COUNT, 1) == PROGRAMS - 1:
        tl.store(TOTAL, tl.sum(tl.load(PARTIAL + tl.arange(0, PROGRAMS))))


@triton.jit
def two_lanes_one_address(TARGET, SAME: tl.constexpr):
    lanes = tl.arange(0, 8)
    tl.store(TARGET + lanes // 2, (lanes // 2 if SAME else lanes).to(tl.float32))


@triton.jit
def note_order(NEXT, ORDER):
    tl.store(ORDER + tl.atomic_add(NEXT, 1), tl.program_id(0) * 2 + tl.program_id(1))


def test_two_programs_that_store_to_one_element_are_named_with_both_lines():
    with pytest.raises(Fault) as caught:
        all_store[(2,)](torch.zeros(1, dtype=torch.int32))
    said = str(caught.value)
    assert caught.value.kind == "race"
    assert "of all_store writes TARGET[0], which program" in said and "everyone here" in said
    assert "program 0" in said and "program 1" in said


@pytest.mark.parametrize("seed", ["0", "1", "2", "3"])
def test_reading_what_another_program_overwrites_is_a_race_in_every_order(seed, monkeypatch):
    monkeypatch.setenv("MUTAKATA_SEED", seed)
    with pytest.raises(Fault) as caught:
        shift_left[(4,)](torch.arange(32.0), 32, BLOCK=8)
    assert caught.value.kind == "race"
    assert len(caught.value.sites) == 2
    assert {site.line for site in caught.value.sites} == {
        line_of("right = tl.load"),
        line_of("tl.store(X + lanes"),
    }


def line_of(text):
    lines = Path(__file__).read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.strip().startswith(text))


def test_a_plain_add_where_an_atomic_is_due_is_a_race():
    with pytest.raises(Fault, match="race"):
        plain_accumulate[(4,)](torch.ones(4), torch.zeros(1))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16, torch.float64, torch.int32])
def test_atomics_are_no_race(dtype):
    total = torch.zeros(1, dtype=dtype)
    atomic_accumulate[(8,)](torch.ones(8, dtype=dtype), total)
    assert total.item() == 8


def test_a_plain_read_of_what_others_update_is_a_race():
    with pytest.raises(Fault, match="updates atomically"):
        read_while_others_add[(4,)](torch.ones(4), torch.zeros(1), torch.zeros(4))


@pytest.mark.parametrize("atomic", [True, False])
@pytest.mark.parametrize("reader", [0, 1])
def test_it_is_a_race_whoever_comes_first(reader, atomic):
    with pytest.raises(Fault) as caught:
        one_reads_one_writes[(2,)](torch.zeros(1), torch.zeros(1), READER=reader, ATOMIC=atomic)
    assert caught.value.kind == "race" and len(caught.value.sites) == 2


def test_a_lock_orders_its_programs():
    total = torch.zeros(1)
    locked_accumulate[(8,)](torch.ones(8), total, torch.zeros(1, dtype=torch.int32))
    assert total.item() == 8


def test_a_store_after_the_lock_was_given_back_is_a_race():
    with pytest.raises(Fault, match="race"):
        store_after_unlocking[(4,)](torch.ones(4), torch.zeros(1), torch.zeros(1, dtype=torch.int32))


def test_the_last_of_the_counted_programs_may_read_what_the_others_stored():
    total = torch.empty(1)
    last_program_sums[(8,)](
        torch.ones(8), torch.full((8,), torch.nan), torch.zeros(1, dtype=torch.int32), total, PROGRAMS=8
    )
    assert total.item() == 16


def test_different_values_for_one_address_in_one_store_are_a_fault():
    two_lanes_one_address[(1,)](torch.zeros(4), SAME=True)
    with pytest.raises(Fault, match="different values to one address"):
        two_lanes_one_address[(1,)](torch.zeros(4), SAME=False)


def test_views_of_one_tensor_share_their_elements():
    whole = torch.arange(32.0)
    with pytest.raises(Fault, match="race"):
        copy_neighbours[(4,)](whole[:-8], whole[8:], BLOCK=8)


@triton.jit
def copy_neighbours(SOURCE, TARGET, BLOCK: tl.constexpr):
    lanes = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(TARGET + lanes, tl.load(SOURCE + lanes, mask=lanes < 24, other=0.0), mask=lanes < 24)


def order_of_programs():
    order = torch.full((16,), -1, dtype=torch.int32)
    note_order[(8, 2)](torch.zeros(1, dtype=torch.int32), order)
    return order.tolist()


def test_the_order_of_programs_follows_the_seed(monkeypatch):
    orders = {}
    for seed in ("0", "1"):
        monkeypatch.setenv("MUTAKATA_SEED", seed)
        orders[seed] = order_of_programs()
        assert order_of_programs() == orders[seed]
        assert sorted(orders[seed]) == list(range(16))
    assert orders["0"] != orders["1"]
    assert np.any(np.diff(orders["0"]) < 0)


@triton.jit
def store_far_away(X, distance):
    tl.store(X + distance, 1)


def test_a_huge_tensor_costs_what_is_touched_of_it():
    far = torch.empty(0, dtype=torch.int8).set_(torch.UntypedStorage(2**32 + 8), 0, (2,), (2**32,))
    store_far_away[(1,)](far, 2**32)
    assert far[1] == 1
    with pytest.raises(Fault, match=r"writes X\[4294967296\], which program \d writes"):
        store_far_away[(2,)](far, 2**32)
