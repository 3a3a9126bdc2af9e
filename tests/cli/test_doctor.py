"""`kata doctor`: what runs here, in words, also where little is installed."""

from types import SimpleNamespace

import pytest

from tests.cli.test_commands import Kata, kata

__all__ = ["kata"]


def test_a_kata_that_needs_nothing_runs_and_others_say_why_not(
    kata: Kata, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mutakata.backends.needs._importable", lambda name: False)
    nothing = SimpleNamespace(util=SimpleNamespace(find_spec=lambda name: None))
    monkeypatch.setattr("mutakata.backends.triton.interpreter.importlib", nothing)
    code, out, _ = kata("doctor")
    lines = {line.split()[0]: line for line in out.splitlines() if line.strip()}
    assert code == 0 and lines["tiny"].split()[-1] == "runs" and "not here" in lines["softmax_triton"]
    assert out.count("pip install 'mutakata[triton]'") == 1 and max(map(len, out.splitlines())) <= 80


def test_workers_are_spawned_where_fork_is_unsafe(kata: Kata, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "darwin")
    assert "workers: spawned" in kata("doctor")[1]


def test_a_checkout_that_is_not_installed_is_no_error(kata: Kata, monkeypatch: pytest.MonkeyPatch) -> None:
    from importlib.metadata import PackageNotFoundError

    def version(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("mutakata.cli.doctor.version", version)
    code, out, _ = kata("doctor")
    assert code == 0 and out.startswith("mutakata (not installed), Python 3.")
