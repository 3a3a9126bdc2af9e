"""When the interpreter may be used, what it refuses, and why it is needed at all."""

import os
import subprocess
import sys
import textwrap

import pytest

from mutakata.backends import triton as backend
from mutakata.backends.triton import interpreter


def run(code, **environment):
    """The output of a fresh process without any of our settings."""
    clean = {k: v for k, v in os.environ.items() if k not in ("TRITON_INTERPRET", "MUTAKATA_DEVICE")}
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        env=clean | {"PYTHONPATH": os.pathsep.join(sys.path)} | environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return done.stdout + done.stderr


@pytest.mark.parametrize("version", ["3.5.1", "3.10.0", "4.0.0", "nonsense"])
def test_an_unknown_version_is_refused_with_the_reason(version, monkeypatch):
    monkeypatch.setattr(interpreter.metadata, "version", lambda package: version)
    reason = backend.available()
    assert f"triton {version} is not known" in reason and "3.6 to 3.9" in reason
    monkeypatch.setattr(interpreter, "_active", False)
    with pytest.raises(backend.UnsupportedTriton, match="pip install"):
        backend.activate()


@pytest.mark.parametrize("version", ["3.6.0", "3.7.1", "3.8.0", "3.9.0", "3.9.0+git123"])
def test_known_versions_are_accepted(version, monkeypatch):
    monkeypatch.setattr(interpreter.metadata, "version", lambda package: version)
    assert backend.available() == ""


def test_a_machine_without_triton_is_told_what_to_type(monkeypatch):
    found = interpreter.importlib.util.find_spec
    monkeypatch.setattr(
        interpreter.importlib.util, "find_spec", lambda name: None if name == "triton" else found(name)
    )
    assert backend.available() == "triton is not installed: pip install 'mutakata[triton]'"
    monkeypatch.setattr(interpreter.sys, "platform", "darwin")
    assert "no wheel for darwin" in backend.available()


def test_a_failed_self_test_names_the_version_and_what_failed(monkeypatch):
    import triton

    from mutakata.backends.triton import internals, selftest

    monkeypatch.setattr(interpreter, "_active", False)
    monkeypatch.setattr(internals, "install", lambda: None)
    monkeypatch.setattr(selftest, "problems", lambda: ["sums are wrong"])
    with pytest.raises(
        backend.UnsupportedTriton, match=f"triton {triton.__version__} fails .*: sums are wrong"
    ):
        backend.activate()


def test_on_a_gpu_nothing_is_replaced():
    said = run(
        """
        from mutakata.backends.triton import activate
        activate()
        import os, sys
        print("TRITON_INTERPRET" in os.environ, "triton" in sys.modules)
        """,
        MUTAKATA_DEVICE="cuda",
    )
    assert said.split() == ["False", "False"]


KERNELS = """
import triton
import triton.language as tl

@triton.jit
def total(X, Y, N: tl.constexpr):
    tl.store(Y, tl.sum(tl.load(X + tl.arange(0, N))))

@triton.jit
def store(X, Y, N: tl.constexpr):
    tl.store(Y + tl.arange(0, N), tl.load(X + tl.arange(0, N)))
"""

USE = """
import torch

def use(total, store):
    x = torch.tensor([1 + 2.0**-7, 3.0, 1.0, 1.0], dtype=torch.bfloat16)
    result, stored = torch.zeros(1, dtype=torch.bfloat16), torch.zeros(4, dtype=torch.bfloat16)
    total[(1,)](x, result, 4)
    store[(1,)](torch.full((4,), 1 + 2.0**-8 + 2.0**-9), stored, 4)
    print("sum", result.item(), "stored", stored[0].item())
    total[(1,)](x[:2], result, 4)
    print("no fault")
"""


@pytest.fixture
def module(tmp_path):
    (tmp_path / "kernels.py").write_text(KERNELS + USE)
    return tmp_path


def test_the_bare_interpreter_is_wrong_for_bf16_and_blind_to_memory(module):
    # When this fails, triton has mended its interpreter: read it anew and drop what is no longer needed.
    said = run(
        f"""
        import os, sys
        sys.path.insert(0, {str(module)!r})
        os.environ["TRITON_INTERPRET"] = "1"
        import kernels
        kernels.use(kernels.total, kernels.store)
        """
    )
    assert "sum 6.0" not in said  # 1 + 2**-7 + 3 + 1 + 1 rounds to 6
    assert "stored 1.0\n" in said  # truncated; the nearest is 1 + 2**-7
    assert "no fault" in said


def test_the_same_kernels_are_right_when_activated(capsys):
    kernels = backend.load_module("kernels", KERNELS + USE, "kernels.py")
    with pytest.raises(backend.Fault, match=r"load at X\[2\] to X\[3\] \(2 lanes\); X ends after 2 elements"):
        kernels.use(kernels.total, kernels.store)
    assert capsys.readouterr().out == "sum 6.0 stored 1.0078125\n"


def test_activation_after_triton_was_imported_says_so(monkeypatch):
    from mutakata.backends.triton import internals

    monkeypatch.setattr(interpreter, "_active", False)
    monkeypatch.setattr(internals, "interpreting", lambda: False)
    with pytest.raises(RuntimeError, match=r"triton was imported before activate\(\)"):
        backend.activate()


def test_a_module_from_a_text_runs_and_its_faults_show_its_lines():
    import torch

    source = KERNELS + "\ndef launch(x, y):\n    total[(1,)](x, y, 8)\n"
    module = backend.load_module("made_of_text", source, "nowhere/made_of_text.py")
    total = torch.empty(1)
    module.launch(torch.ones(8), total)
    assert total.item() == 8
    with pytest.raises(backend.Fault, match=r"made_of_text.py:7: tl.store\(Y, tl.sum"):
        module.launch(torch.ones(7), total)


def test_an_error_in_a_kernel_is_raised_as_itself():
    import torch

    broken = KERNELS.replace("tl.sum(", "tl.sun(")
    module = backend.load_module("broken_text", broken, "nowhere/broken_text.py")
    with pytest.raises(AttributeError, match="sun"):
        module.total[(1,)](torch.ones(8), torch.empty(1), 8)
