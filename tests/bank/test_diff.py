import pytest

from mutakata.bank.diff import DiffError, apply_diff, parse_diff

SOURCE = "def f(x):\n    y = x\n    z = x\n    return y + z\n"


def mutated(diff: str) -> str:
    return apply_diff(SOURCE, parse_diff(diff))


def test_a_line_is_replaced() -> None:
    assert mutated("-    y = x\n+    y = 2 * x") == SOURCE.replace("y = x", "y = 2 * x")


def test_context_chooses_the_place_and_stays() -> None:
    source = "a\nb\nc\nb\n"
    assert apply_diff(source, parse_diff(" c\n-b\n+d")) == "a\nb\nc\nd\n"


def test_lines_can_be_added_after_context() -> None:
    assert (
        mutated("     y = x\n+    x = 0") == "def f(x):\n    y = x\n    x = 0\n    z = x\n    return y + z\n"
    )


def test_two_places_are_separated_by_at_signs() -> None:
    text = mutated("-    y = x\n+    y = 1\n@@\n-    z = x\n+    z = 2")
    assert "y = 1" in text and "z = 2" in text


@pytest.mark.parametrize(
    ("diff", "words"),
    [
        ("-    y = 7\n+    y = 1", "matches nowhere"),
        ("-b\n+c", "matches nowhere"),
        ("+    y = 1", "only adds lines"),
        ("-    y = x\n+    y = x", "changes nothing"),
        ("", "empty"),
        ("*    y = x", "not a diff line"),
    ],
)
def test_a_bad_diff_says_what_is_wrong(diff: str, words: str) -> None:
    with pytest.raises(DiffError, match=words):
        mutated(diff)


def test_two_matches_name_their_lines() -> None:
    with pytest.raises(DiffError, match=r"matches 2 places \(lines 1, 3\)"):
        apply_diff("a\nb\na\n", parse_diff("-a\n+c"))


def test_the_offset_is_the_line_of_the_failing_hunk() -> None:
    with pytest.raises(DiffError) as caught:
        mutated("-    y = x\n+    y = 1\n@@\n-    q = x\n+    q = 2")
    assert caught.value.offset == 3
