"""What a suite is told: kills, survivors, false kills, and when it is not scored at all."""

from pathlib import Path
from textwrap import dedent

import pytest

from mutakata.bank import Exercise
from mutakata.judge import (
    FailsOnReference,
    Flaky,
    Matrix,
    NoTests,
    NotImportable,
    Options,
    PytestRefused,
    judge,
)
from tests.banks import tiny_exercise


@pytest.fixture
def exercise(bank_folder: Path) -> Exercise:
    return tiny_exercise(bank_folder)


def run(exercise: Exercise, folder: Path, text: str, **options: object) -> Matrix:
    folder.mkdir(exist_ok=True)
    suite = folder / "test_suite.py"
    suite.write_text("import numpy as np\nfrom rms_norm import rms_norm\n" + dedent(text))
    return judge(exercise, suite, Options(**options))  # type: ignore[arg-type]


def statuses(matrix: Matrix) -> dict[str, str]:
    return {row.implementation.id: row.status for row in matrix.mutants}


def test_the_solution_kills_everything_and_spares_what_is_correct(exercise: Exercise) -> None:
    matrix = judge(exercise, exercise.kata.solution)
    assert matrix.clean
    assert [row.accepted for row in matrix.faithful] == [True, True]
    assert (
        matrix.killers() == {"test_ordinary": ("no-weight",), "test_small": ("eps-outside",)} or matrix.clean
    )


def test_the_matrix_is_full_and_in_order(exercise: Exercise) -> None:
    matrix = judge(exercise, exercise.kata.solution)
    assert matrix.tests == ("test_ordinary", "test_small")
    for row in matrix.rows:
        assert tuple(cell.test for cell in row.cells) == matrix.tests


def test_a_weak_suite_is_told_its_survivors_and_idle_tests(exercise: Exercise, tmp_path: Path) -> None:
    matrix = run(
        exercise,
        tmp_path,
        "def test_shape(): assert rms_norm(np.ones((2, 3)), np.ones(3), 1e-6).shape == (2, 3)",
    )
    assert statuses(matrix) == {"eps-outside": "survived", "no-weight": "survived"}
    assert matrix.idle_tests() == ("test_shape",) and not matrix.clean


def test_an_exact_tolerance_is_a_false_kill(exercise: Exercise, tmp_path: Path) -> None:
    matrix = run(
        exercise,
        tmp_path,
        """
        def test_bits():
            x = np.random.default_rng(0).standard_normal((50, 7))
            want = x / np.sqrt(np.mean(x * x, axis=-1, keepdims=True) + 1e-6) * np.ones(7)
            assert (rms_norm(x, np.ones(7), 1e-6) == want).all()
        """,
    )
    assert [row.implementation.id for row in matrix.false_kills] == ["einsum"]
    assert not matrix.clean


LOOKS_AT_THE_SOURCE = {
    "inspect": """
        import inspect
        def test_source(): assert "normalised * weight" in inspect.getsource(rms_norm)
        """,
    "code": "def test_code(): assert rms_norm.__code__.co_name == 'rms_norm' and 'mean' in rms_norm.__code__.co_names",
    "file": """
        import rms_norm as module, linecache
        def test_file(): assert 'normalised * weight' in ''.join(linecache.getlines(module.__file__))
        """,
}


@pytest.mark.parametrize("how", LOOKS_AT_THE_SOURCE)
def test_a_suite_that_looks_at_the_source_rejects_the_copy(
    exercise: Exercise, tmp_path: Path, how: str
) -> None:
    matrix = run(exercise, tmp_path, LOOKS_AT_THE_SOURCE[how])
    assert "renamed-copy" in {row.implementation.id for row in matrix.false_kills}


def test_a_suite_that_fails_on_the_reference_is_not_scored(exercise: Exercise, tmp_path: Path) -> None:
    with pytest.raises(FailsOnReference, match="test_wrong"):
        run(exercise, tmp_path, "def test_wrong(): assert rms_norm(np.ones(2), np.ones(2), 1e-6).sum() == 3")


def test_a_suite_without_tests_is_not_scored(exercise: Exercise, tmp_path: Path) -> None:
    with pytest.raises(NoTests):
        run(exercise, tmp_path, "")
    with pytest.raises(NoTests):
        run(exercise, tmp_path, "import pytest\n@pytest.mark.skip\ndef test_later(): assert False")


def test_a_suite_that_cannot_be_imported_says_why(exercise: Exercise, tmp_path: Path) -> None:
    with pytest.raises(NotImportable, match="nowhere"):
        run(exercise, tmp_path, "import nowhere")


def test_a_suite_that_depends_on_its_order_is_flaky(exercise: Exercise, tmp_path: Path) -> None:
    text = """
        seen = []
        def test_first(): seen.append(1)
        def test_second(): assert seen
        """
    with pytest.raises(Flaky, match="test_second"):
        run(exercise, tmp_path, text)


def test_pytest_refusing_its_own_settings_is_said(exercise: Exercise, tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --no-such-option\n")
    with pytest.raises(PytestRefused, match="no-such-option"):
        run(exercise, tmp_path, "def test_it(): pass")


def test_module_level_code_sees_the_mutant(exercise: Exercise, tmp_path: Path) -> None:
    matrix = run(
        exercise,
        tmp_path,
        """
        TWO = rms_norm(np.ones((1, 2)), np.array([2.0, 2.0]), 1e-6)
        def test_scale(): assert abs(TWO - 2).max() < 1e-5
        """,
    )
    assert statuses(matrix)["no-weight"] == "killed"


def test_a_failing_import_of_the_suite_kills(exercise: Exercise, tmp_path: Path) -> None:
    matrix = run(
        exercise,
        tmp_path,
        """
        assert abs(rms_norm(np.ones((1, 2)), np.array([2.0, 2.0]), 1e-6) - 2).max() < 1e-5
        def test_nothing(): pass
        """,
    )
    row = next(row for row in matrix.mutants if row.implementation.id == "no-weight")
    assert row.status == "killed" and row.kills == ("(import of the suite)",)


ORDINARY_PYTEST = """
    import pytest

    @pytest.fixture(params=[1.0, 2.0])
    def scale(request):
        return request.param

    class TestScale:
        @pytest.mark.parametrize("n", [2, 3])
        def test_scale(self, n, scale, helper):
            assert helper(rms_norm(np.ones((1, n)), np.full(n, scale), 1e-6) / scale)

    @pytest.mark.xfail
    def test_expected_to_fail(): assert False

    @pytest.mark.skipif(True, reason="not today")
    def test_skipped(): assert False

    def test_prints(capsys):
        print("hello")
        assert capsys.readouterr().out == "hello\\n"
    """


def test_fixtures_marks_classes_and_conftest_work(exercise: Exercise, tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(
        "import pytest, rms_norm\n@pytest.fixture\ndef helper():\n    return lambda y: abs(y - 1).max() < 1e-5\n"
    )
    matrix = run(exercise, tmp_path, ORDINARY_PYTEST)
    row = next(row for row in matrix.mutants if row.implementation.id == "no-weight")
    assert row.kills == ("TestScale::test_scale[2.0-2]", "TestScale::test_scale[2.0-3]")
    assert len(matrix.tests) == 7


def test_a_conftest_sees_the_mutant_too(exercise: Exercise, tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(
        "import numpy as np, pytest\nfrom rms_norm import rms_norm\n"
        "@pytest.fixture\ndef two(): return rms_norm(np.ones((1, 2)), np.array([2.0, 2.0]), 1e-6)\n"
    )
    (tmp_path / "rms_norm.py").write_text("raise RuntimeError('the file in the workspace was imported')")
    matrix = run(exercise, tmp_path, "def test_scale(two): assert abs(two - 2).max() < 1e-5")
    assert statuses(matrix)["no-weight"] == "killed"


def test_hypothesis_suites_are_judged_and_repeatable(exercise: Exercise, tmp_path: Path) -> None:
    pytest.importorskip("hypothesis")
    text = """
        from hypothesis import given, strategies as st

        @given(st.floats(1, 100), st.floats(1, 10))
        def test_scale(size, weight):
            y = rms_norm(np.array([[size, -size]]), np.full(2, weight), 1e-6)
            assert abs(abs(y) - weight).max() < 1e-5 * weight
        """
    first, second = run(exercise, tmp_path, text), run(exercise, tmp_path, text)
    assert statuses(first) == statuses(second) == {"no-weight": "killed", "eps-outside": "survived"}
    assert not (tmp_path / ".hypothesis").exists()


def test_nothing_is_written_beside_the_suite(exercise: Exercise, tmp_path: Path) -> None:
    folder = tmp_path / "clean"
    run(exercise, folder, "def test_it(): rms_norm(np.ones(2), np.ones(2), 1e-6)")
    assert [path.name for path in folder.iterdir()] == ["test_suite.py"]


def test_a_failure_names_its_line_and_message(exercise: Exercise, tmp_path: Path) -> None:
    matrix = run(
        exercise,
        tmp_path,
        "def test_it():\n    assert rms_norm(np.ones(2), 2 * np.ones(2), 0.0).max() > 1.5, 'too small'",
    )
    row = next(row for row in matrix.mutants if row.implementation.id == "no-weight")
    assert row.text.startswith("test_suite.py:4: AssertionError: too small")


def test_only_and_fail_fast(exercise: Exercise, tmp_path: Path) -> None:
    text = """
        def test_a(): assert rms_norm(np.ones(2), 2 * np.ones(2), 0.0).max() > 1.5
        def test_b(): assert rms_norm(np.ones(2), 2 * np.ones(2), 0.0).min() > 1.5
        """
    matrix = run(exercise, tmp_path, text, only=("no-weight",), fail_fast=True)
    assert [row.implementation.id for row in matrix.mutants] == ["no-weight"]
    assert matrix.mutants[0].kills == ("test_a",)
