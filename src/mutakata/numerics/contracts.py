"""What an implementation promises. A contract decides both the reference and the bound."""

from dataclasses import dataclass
from typing import ClassVar, Literal


@dataclass(frozen=True)
class Contract:
    """The conventions of one operation. `source` says where they are written down."""

    op: ClassVar[str]
    name: str
    source: str


@dataclass(frozen=True)
class RmsNorm(Contract):
    """cast: round to the input's type before or after the weight. offset: added to the weight."""

    op: ClassVar[str] = "rms_norm"
    cast: Literal["before_weight", "after_weight"] = "after_weight"
    offset: float = 0.0


@dataclass(frozen=True)
class LayerNorm(Contract):
    """variance: how it is computed. apply: subtract the mean from x, or scale x and shift by -mean*rstd."""

    op: ClassVar[str] = "layer_norm"
    variance: Literal["two_pass", "welford", "moments"] = "two_pass"
    apply: Literal["centred", "scale_shift"] = "centred"


@dataclass(frozen=True)
class AddRmsNorm(RmsNorm):
    """addition: the norm sees the sum rounded to the input's type, or the wide sum, carried."""

    op: ClassVar[str] = "add_rms_norm"
    addition: Literal["rounded", "carried"] = "rounded"


@dataclass(frozen=True)
class SwiGlu(Contract):
    """rounding: once at the end, or silu(gate) is rounded to the input's type before it meets up."""

    op: ClassVar[str] = "swiglu"
    rounding: Literal["once", "twice"] = "once"


@dataclass(frozen=True)
class Rope(Contract):
    """layout: which elements form a pair. rounding: once, or tables, products and sum in the input's type."""

    op: ClassVar[str] = "rope"
    layout: Literal["half", "interleaved"] = "half"
    rounding: Literal["once", "each_step"] = "once"


@dataclass(frozen=True)
class Softmax(Contract):
    """algorithm: maximum first and then the sum, or both in one pass that rescales the sum (online).

    empty_row: what a fully masked row gives.
    """

    op: ClassVar[str] = "softmax"
    algorithm: Literal["two_pass", "online"] = "two_pass"
    empty_row: Literal["zeros", "nan"] = "zeros"


@dataclass(frozen=True)
class RmsNormBackward(Contract):
    """reduction: sum of weight*grad*x with rstd applied after, or of weight*grad*(x*rstd).

    cast: where the forward pass rounds before the weight, the normalised row and its products with grad are
    of the input's type, and so is weight*grad (before_weight) or it stays wide (before_weight_wide).
    """

    op: ClassVar[str] = "rms_norm_backward"
    reduction: Literal["raw", "normalised"] = "raw"
    offset: float = 0.0
    cast: Literal["before_weight", "before_weight_wide", "after_weight"] = "after_weight"


@dataclass(frozen=True)
class LayerNormBackward(Contract):
    """reduction: as for RMSNorm, on centred values. variance: as in the forward pass."""

    op: ClassVar[str] = "layer_norm_backward"
    reduction: Literal["raw", "normalised"] = "raw"
    variance: Literal["two_pass", "welford", "moments"] = "two_pass"


@dataclass(frozen=True)
class AddRmsNormBackward(RmsNormBackward):
    """The residual's gradient is added before the one rounding."""

    op: ClassVar[str] = "add_rms_norm_backward"
