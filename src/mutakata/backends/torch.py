"""Torch on the CPU, single-threaded, so that a judge may fork."""

import os
import signal
import sys
import time

_PROBE_SECONDS = 2.0
_PARALLEL = 1 << 18  # elements: several times the grain size from which torch splits an elementwise operation


def ready() -> None:
    """Import torch and limit it to one thread. Call it before the first torch operation; again does nothing.

    An operation that ran before with several threads has left a thread pool behind: `fork_unsafe` finds out.
    """
    import torch

    if torch.get_num_threads() != 1:
        torch.set_num_threads(1)


def fork_unsafe() -> str:
    """Why this process must not be forked, in words; empty when it may be. Takes some milliseconds.

    A forked child inherits the belief in a thread pool, but not its threads, and waits for them for ever. So
    a child is forked and tries: the only sure test, since torch does not tell whether its pool was started.
    """
    if not hasattr(os, "fork"):
        return f"{sys.platform} has no fork: run each worker in a spawned process"
    import torch

    if torch.cuda.is_available() and torch.cuda.is_initialized():  # type: ignore[no-untyped-call]
        return "a CUDA context does not survive fork: run each worker in a spawned process"
    if _child_hangs():
        return (
            "torch ran with several threads before it was limited to one, and forked children hang: call"
            " mutakata.backends.torch.ready() before the first torch operation"
        )
    return ""


def _child_hangs() -> bool:
    child = os.fork()
    if child == 0:
        _run_in_parallel()
        os._exit(0)
    deadline = time.monotonic() + _PROBE_SECONDS
    while time.monotonic() < deadline:
        if os.waitpid(child, os.WNOHANG)[0]:
            return False
        time.sleep(0.001)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return True


def _run_in_parallel() -> None:
    import torch

    torch.set_num_threads(2)
    torch.ones(_PARALLEL).exp()
