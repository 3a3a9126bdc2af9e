"""Whole models: held to their checkpoint, and to another model layer by layer."""

from mutakata.numerics.models.compare import Comparison, Reference, compare_models, record_reference
from mutakata.numerics.models.layers import Judged
from mutakata.numerics.models.logits import CAVEAT, Logits
from mutakata.numerics.models.promised import Broken, assert_contract, broken_norms

__all__ = [
    "CAVEAT",
    "Broken",
    "Comparison",
    "Judged",
    "Logits",
    "Reference",
    "assert_contract",
    "broken_norms",
    "compare_models",
    "record_reference",
]
