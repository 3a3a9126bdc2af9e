"""What a checkpoint promises: its config field by field, what its family's code fixes, and its weight file.

A value comes from the config or from published code, and every fact says which. A field that the config
does not have is `absent`: two loaders with two defaults are how a model runs on another epsilon than it was
trained with (Lightning-AI/lit-llama#339).
"""

from mutakata.numerics.checkpoint.config import promise, read_config
from mutakata.numerics.checkpoint.families import FAMILIES, Family
from mutakata.numerics.checkpoint.promise import CheckpointError, Fact, Finding, Promise
from mutakata.numerics.checkpoint.weights import Weights, check_weights, read_weights

__all__ = [
    "FAMILIES",
    "CheckpointError",
    "Fact",
    "Family",
    "Finding",
    "Promise",
    "Weights",
    "check_weights",
    "promise",
    "read_config",
    "read_weights",
]
