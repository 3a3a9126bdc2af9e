"""Faulty kernels: each is caught on every seed, with kind, array and line; and in words one can act on."""

import pickle

import numpy as np
import pytest

from mutakata.backends.cuda import Fault, available, kernels
from tests.backends.cuda.cases import HERE, faulty, module_of

pytestmark = pytest.mark.skipif(not available(), reason="no C++ compiler")

CASES = faulty()
SEEDS = (0, 1, 7)


def message(name, seed=1):
    case = next(c for c in CASES if c.name == name)
    return str(case.run(module_of(case), seed))


def test_there_are_many_faulty_kernels_of_every_kind():
    assert len(CASES) >= 25
    assert len({c.kind for c in CASES}) == 12


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_faulty_kernel_is_caught_on_every_seed(case):
    module = module_of(case)
    seeds = SEEDS if case.kind != "endless-loop" else SEEDS[:1]
    wrong = {seed: words for seed in seeds if (words := case.wrong(case.run(module, seed)))}
    assert wrong == {}


def test_out_of_bounds_says_thread_element_and_size():
    assert message("vector_load_past_tail").splitlines() == [
        "out of bounds at bounds.cu:65",
        "thread (31,0,0) of block (0,0,0) reads x[126], but the argument x has 126 elements, 0 to 125.",
        "    65 | float4 v = reinterpret_cast<const float4*>(x)[threadIdx.x];  // FAULT    <- (31,0,0) read",
        "in vector_load_past_tail[(1,1,1), (32,1,1)], schedule seed 1",
    ]


def test_race_names_both_threads_both_lines_and_a_remedy():
    words = message("helper_called_twice", seed=0)
    assert "of block (0,0,0) writes part[" in words
    assert "of the same block has read at races.cu:19" in words
    assert "put a __syncthreads() between them" in words
    assert "  16 | if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;" in words


def test_race_between_blocks_names_both_blocks():
    words = message("blocks_write_one_row", seed=0)
    assert "thread (0,0,0) of block (1,0,0) writes y[0] in global memory" in words
    assert "thread (0,0,0) of block (0,0,0) has written" in words
    assert "Blocks run in any order" in words


def test_divergent_barrier_says_who_waits_where():
    assert "waits at __syncthreads, but thread (32,0,0) waits at __syncthreads of order.cu:37" in message(
        "barrier_in_each_branch"
    )


def test_partial_warp_says_which_lane_is_missing():
    assert "takes no part" in message("full_mask_on_partial_warp")


def test_fault_leaves_the_arguments_untouched():
    y = np.zeros(100, np.float32)
    with pytest.raises(Fault):
        kernels(HERE / "faulty" / "bounds.cu").write_without_guard[2, 64](np.ones(128, np.float32), y, 100)
    assert not y.any()


def test_fault_survives_a_process_boundary():
    case = next(c for c in CASES if c.name == "tree_without_barrier")
    fault = case.run(module_of(case), 1)
    again = pickle.loads(pickle.dumps(fault))
    assert (str(again), again.kind, again.line, again.other) == (
        str(fault), "race", fault.line, fault.other,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("grid", "block", "shared", "words"),
    [
        (1, 1025, 0, "1025 threads is more than the 1024"),
        (0, 32, 0, "the grid is (0, 1, 1)"),
        ((1, 65536), 32, 0, "the grid is (1, 65536, 1)"),
        (1, (1, 1, 65), 0, "the block is (1, 1, 65)"),
        (1, 32, 49153, "49153 bytes of dynamic shared memory"),
    ],
)
def test_launch_that_a_gpu_refuses(grid, block, shared, words):
    x = np.ones(32, np.float32)
    with pytest.raises(Fault) as caught:
        kernels(HERE / "faulty" / "bounds.cu").null_pointer[grid, block](x, x.copy(), 32, shared=shared)
    assert caught.value.kind == "launch"
    assert words in str(caught.value)


def test_launch_bounds_are_kept():
    x = np.ones(600, np.float32)
    with pytest.raises(Fault, match="512 threads is more than the 256"):
        kernels(HERE / "right" / "reductions.cu").variance[1, 512](x, x.copy(), 600)


def test_unchecked_build_finds_nothing():
    x, y = np.ones(64, np.float32), np.zeros(1, np.float32)
    kernels(HERE / "faulty" / "races.cu", checked=False).all_write_one[1, 64](x, y, 64, seed=0)
    assert y[0] == 63
