import numpy as np
import pytest

from mutakata.numerics.tolerances import PUBLISHED, close

RULES = {rule.name: rule.right for rule in PUBLISHED}


@pytest.mark.parametrize(
    ("name", "edge"),
    [("Liger-Kernel", 1e-4 + 1e-6), ("vLLM", 2e-2), ("SGLang", 2e-3), ("Triton tutorial", 1e-2)],
)
def test_a_published_rule_ends_where_its_project_says(name, edge):
    want = np.ones(3, np.float32)
    for factor, expected in ((0.99, True), (1.01, False)):
        got = (want + np.array([0, factor * edge, 0])).astype(np.float32)
        assert RULES[name](want, got, want.astype(float)) is expected


def test_flash_attention_allows_four_times_the_error_of_a_plain_implementation():
    exact = np.array([1.0, 2.0])
    plain = exact + np.array([1e-3, 0])
    assert RULES["flash-attention"](plain, exact + np.array([0, 4e-3]), exact)
    assert not RULES["flash-attention"](plain, exact + np.array([0, 4.2e-3]), exact)


def test_close_takes_equal_infinities_and_no_nan():
    assert close([np.inf, 1.0], [np.inf, 1.0], 0.0, 0.0)
    assert not close([1.0], [np.nan], 1.0, 1.0)
