"""The bookkeeping of races by itself, on addresses that belong to nobody."""

import numpy as np
import pytest

from mutakata.backends.triton.fault import Access, Fault, Site
from mutakata.backends.triton.memory import Region
from mutakata.backends.triton.races import Shadow

BASE = 4096


def shadow(*regions):
    made = Shadow()
    made.cover(regions or [Region("X", BASE, 64, 4)])
    return made


def touch(made, verb, *offsets, size=4):
    addresses = np.array([BASE + offset for offset in offsets], np.uint64)
    made.touch(addresses, size, Access(verb, "kernel", "?", Site("k.py", 1)))


def test_order_passes_on_through_a_third_program():
    made = shadow()
    made.begin(0, "0")
    touch(made, "store", 0)
    made.synchronise(1)
    made.begin(1, "1")
    made.synchronise(1)
    made.synchronise(2)
    made.begin(2, "2")
    made.synchronise(2)
    touch(made, "load", 0)


def test_without_the_chain_it_is_a_race():
    made = shadow()
    made.begin(0, "0")
    touch(made, "store", 0)
    made.synchronise(1)
    made.begin(2, "2")
    made.synchronise(2)
    with pytest.raises(Fault, match="race"):
        touch(made, "load", 0)


def test_a_second_reader_is_remembered_where_the_first_is_ordered():
    made = shadow()
    made.begin(0, "0")
    touch(made, "load", 0)
    made.synchronise(1)
    made.begin(1, "1")
    touch(made, "load", 0)
    made.begin(2, "2")
    made.synchronise(1)
    with pytest.raises(Fault, match="which program 1 reads"):
        touch(made, "store", 0)


@pytest.mark.parametrize("names", ["wide-first", "narrow-first"])
def test_two_views_of_one_memory_meet_by_the_byte(names):
    views = [Region("wide", BASE, 64, 4), Region("narrow", BASE, 64, 2)]
    made = shadow(*(views if names == "wide-first" else views[::-1]))
    made.begin(0, "0")
    touch(made, "store", 0, size=2)
    made.begin(1, "1")
    touch(made, "store", 2, size=2)  # its neighbour, not the same element
    made.begin(2, "2")
    with pytest.raises(Fault, match="race"):
        touch(made, "load", 0, size=4)


def test_an_access_that_spans_two_tensors_is_seen_in_both():
    made = shadow(Region("A", BASE, 32, 4), Region("B", BASE + 32, 32, 4))
    made.begin(0, "0")
    touch(made, "store", 28, 32)
    for offset in (28, 32):
        made.begin(1, "1")
        with pytest.raises(Fault, match="race"):
            touch(made, "load", offset)
