"""Whole models: held to their checkpoint, and to another model layer by layer."""

from mutakata.numerics.models.promised import Broken, assert_contract, broken_norms

__all__ = ["Broken", "assert_contract", "broken_norms"]
