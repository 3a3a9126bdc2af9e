"""Your suite for the softmax kernel. Run it with `kata run`; it runs under plain `pytest` too."""

import numpy as np
from softmax import softmax

from mutakata.numerics import assert_keeps


def test_ordinary_scores():
    x = np.random.default_rng(0).standard_normal((4, 64)).astype(np.float32)
    assert_keeps(softmax(x), "softmax/online", x=x)


# The scores are near zero and nothing is masked. What is the sum of a part that has seen no score yet, and
# what is its maximum?
