"""Torch is limited to one thread in time, and a process that was not is told that it must not fork."""

import subprocess
import sys

import pytest

pytest.importorskip("torch")


def run(code):
    prelude = "import sys; sys.path[:0] = {!r}; from mutakata.backends.torch import ready, fork_unsafe\n"
    done = subprocess.run(
        [sys.executable, "-c", prelude.format(sys.path) + code],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return done.stdout.strip()


def test_ready_makes_torch_single_threaded_and_forking_safe():
    assert run("ready(); ready(); import torch; print(torch.get_num_threads(), fork_unsafe())") == "1"


def test_fork_is_unsafe_after_torch_ran_in_parallel():
    said = run(
        "import torch; torch.set_num_threads(2); torch.ones(1 << 20).exp(); ready(); print(fork_unsafe())"
    )
    assert "forked children hang" in said and "before the first torch operation" in said
