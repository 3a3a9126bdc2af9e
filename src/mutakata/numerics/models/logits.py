"""The logits of two models: a smoke check, with what it can and cannot show."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mutakata.numerics.rounding import Floats

CAVEAT = (
    "Logits are a smoke check: they show that something is wrong when the ratio is far above 1 or tokens "
    "change, and cannot show that all is right, since a wrong epsilon or cast order stays within the spread "
    "of correct variants. The layers are the verdict."
)


@dataclass(frozen=True)
class Logits:
    """Two models' logits over all batches.

    error, reference_error: root mean square distance of the candidate's and of the reference's logits from
    the reference run in float64. spread: the same for variants of the reference whose every step is rounded
    otherwise; the largest of them. top1: share of positions with the same first token. kl: mean over
    positions of KL(reference || candidate), in nats; worst_kl: the largest.
    """

    error: float
    reference_error: float
    spread: float
    top1: float
    kl: float
    worst_kl: float
    positions: int

    @property
    def ratio(self) -> float:
        """The candidate's error in units of the spread of faithful variants."""
        if self.spread == 0:
            return 0.0 if self.error == 0 else float("inf")
        return self.error / self.spread

    @property
    def reference_ratio(self) -> float:
        return self.reference_error / self.spread if self.spread else 0.0


def logit_report(
    exact: Sequence[Floats],
    reference: Sequence[Any],
    candidate: Sequence[Any],
    variants: Sequence[Sequence[Any]],
) -> Logits:
    """Each argument is one array (..., vocabulary) per batch; `variants` one such list per variant."""
    truth, mine, theirs = _flat(exact), _flat(reference), _flat(candidate)
    p, q = _log_softmax(mine), _log_softmax(theirs)
    divergence = np.sum(np.exp(p) * (p - q), axis=-1)
    return Logits(
        _rms(theirs - truth),
        _rms(mine - truth),
        max((_rms(_flat(one) - truth) for one in variants), default=0.0),
        float(np.mean(mine.argmax(-1) == theirs.argmax(-1))),
        float(divergence.mean()),
        float(divergence.max()),
        len(mine),
    )


def _flat(batches: Sequence[Any]) -> Floats:
    return np.concatenate([np.asarray(b, np.float64).reshape(-1, np.shape(b)[-1]) for b in batches])


def _rms(values: Floats) -> float:
    return float(np.sqrt(np.mean(values**2)))


def _log_softmax(rows: Floats) -> Floats:
    shifted = rows - rows.max(-1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(-1, keepdims=True)))
