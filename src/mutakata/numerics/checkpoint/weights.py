"""What a weight file holds, against what its config promises. Reads headers, and the data of the norms."""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from mutakata.numerics.checkpoint.promise import CheckpointError, Finding, Promise
from mutakata.numerics.rounding import Array

_NORM = re.compile(r"(norm|ln_\d|ln_f)[^.]*\.(weight|gamma)$", re.IGNORECASE)
_META_NAMES = ("attention.wq.weight", "tok_embeddings.weight", "feed_forward.w1.weight")


@dataclass(frozen=True)
class Tensor:
    """One tensor of the header: dtype as safetensors spells it (BF16, F16, F32)."""

    name: str
    dtype: str
    shape: tuple[int, ...]


@dataclass(frozen=True)
class Weights:
    """The tensors of one file, or of all shards of an index. `partial`: one shard of several."""

    origin: str
    tensors: Mapping[str, Tensor]
    partial: bool = False
    load: Callable[[str], Array] = field(repr=False, default=lambda name: np.zeros(0))

    def ending(self, *suffixes: str) -> list[Tensor]:
        """Tensors whose dotted name ends with one of the suffixes."""
        return [
            tensor
            for name, tensor in self.tensors.items()
            if any(name == suffix or name.endswith("." + suffix) for suffix in suffixes)
        ]

    @property
    def norms(self) -> list[Tensor]:
        """The weights of every normalisation: one-dimensional, and named so."""
        return [one for one in self.tensors.values() if _NORM.search(one.name) and len(one.shape) == 1]


def read_weights(path: Path) -> Weights:
    """The header of a .safetensors file, or of every shard of a .safetensors.index.json."""
    try:
        from safetensors import SafetensorError, safe_open
    except ImportError:
        raise CheckpointError(
            ["weights need the safetensors package; type pip install safetensors"]
        ) from None
    if not path.is_file():
        raise CheckpointError([f"{path}: no such file; give a .safetensors or .safetensors.index.json"])
    shards = _shards(path)
    tensors: dict[str, Tensor] = {}
    home: dict[str, Path] = {}
    problems: list[str] = []
    for shard in shards:
        try:
            with safe_open(shard, framework="numpy") as opened:
                for name in opened.keys():  # noqa: SIM118  (not a mapping)
                    part = opened.get_slice(name)
                    tensors[name] = Tensor(name, part.get_dtype(), tuple(part.get_shape()))
                    home[name] = shard
        except FileNotFoundError:
            problems.append(f"{shard}: named by {path.name} but not there; download it beside the index")
        except (SafetensorError, OSError) as error:
            problems.append(f"{shard}: not a whole safetensors file ({error}); download it again")
    if problems:
        raise CheckpointError(problems)

    def load(name: str) -> Array:
        with safe_open(home[name], framework="numpy") as opened:
            return np.asarray(opened.get_tensor(name))

    partial = len(shards) == 1 and re.search(r"-\d+-of-\d+\.safetensors$", path.name) is not None
    return Weights(str(path), tensors, partial and "-00001-of-00001" not in path.name, load)


def _shards(path: Path) -> list[Path]:
    if path.suffix != ".json":
        return [path]
    try:
        listed = json.loads(path.read_text(encoding="utf-8"))["weight_map"]
        return [path.parent / name for name in sorted(set(listed.values()))]
    except (ValueError, KeyError, TypeError, AttributeError):
        problem = f"{path}: no weight_map in it; give the model.safetensors.index.json"
        raise CheckpointError([problem]) from None


def check_weights(promise: Promise, weights: Weights) -> list[Finding]:
    """Every way in which the file contradicts the promise."""
    layout = _meta_layout(weights)
    if layout:
        return layout
    return [
        *_missing_norms(promise, weights),
        *_unpromised_norms(promise, weights),
        *_biases(promise, weights),
        *_offset(promise, weights),
        *_head(promise, weights),
        *_gate_and_up(promise, weights),
    ]


def _meta_layout(weights: Weights) -> list[Finding]:
    if not weights.ending(*_META_NAMES):
        return []
    message = (
        f"{weights.origin} names its tensors as Meta's own code does (wq, tok_embeddings): its q and k rows "
        "are ordered for interleaved rope, the config's family rotates halves; convert the checkpoint"
    )
    return [Finding("rope-layout", message)]


def _missing_norms(promise: Promise, weights: Weights) -> list[Finding]:
    if weights.partial:
        return []
    expected = promise.layers or 1
    final = promise.family.final_norm
    findings = []
    for suffix in (*promise.family.layer_norms, *((final,) if final else ())):
        count = len(weights.ending(f"{suffix}.weight", f"{suffix}.gamma"))
        wanted = 1 if suffix == final else expected
        if count < wanted:
            message = f"{suffix}: {count} of {wanted} weights in the file; {promise.family.name} has them all"
            findings.append(Finding("norm-missing", message))
    return findings


def _unpromised_norms(promise: Promise, weights: Weights) -> list[Finding]:
    """Norms inside a decoder layer that the family does not have: another family, or another placement."""
    known = (*promise.family.layer_norms, *promise.family.unpassed_eps, promise.family.final_norm)
    spare = {
        part
        for tensor in weights.norms
        if re.search(r"\.\d+\.", tensor.name)
        and (part := tensor.name.rsplit(".", 1)[0].rsplit(".", 1)[-1])
        and not any(part == name.rsplit(".", 1)[-1] for name in known)
    }
    return [
        Finding("norm-unpromised", f"{name}: the file has it in its layers, {promise.family.name} does not")
        for name in sorted(spare)
    ]


def _biases(promise: Promise, weights: Weights) -> list[Finding]:
    names = weights.tensors
    with_bias = [one for one in weights.norms if _beside(one.name) in names]
    if promise.family.norm == "rms_norm" and with_bias:
        message = f"{with_bias[0].name} has a bias: a LayerNorm, where {promise.family.name} has RMSNorm"
        return [Finding("norm-kind", message)]
    if promise.family.norm == "layer_norm" and weights.norms and not with_bias and not weights.partial:
        message = f"no norm has a bias: RMSNorm, where {promise.family.name} has LayerNorm"
        return [Finding("norm-kind", message)]
    return []


def _beside(name: str) -> str:
    return re.sub(r"weight$", "bias", re.sub(r"gamma$", "beta", name))


def _offset(promise: Promise, weights: Weights) -> list[Finding]:
    """Weights stored as w start at 1, those stored as w - 1 start at 0, and training keeps the difference.

    Evidence, not proof, so only unanimity counts: every norm has its median on the wrong side of 1/2, and
    the signs agree (no w trained from 1 is negative throughout a model; offsets from 1 have both signs).
    """
    if promise.family.norm != "rms_norm" or not weights.norms:
        return []
    stored = [weights.load(one.name).astype(np.float64) for one in weights.norms]
    medians = [float(np.median(row)) for row in stored]
    span = f"medians {min(medians):.3g} to {max(medians):.3g} over {len(stored)} norms"
    if promise.family.offset and all(
        m > 0.5 and row.min() > 0 for m, row in zip(medians, stored, strict=True)
    ):
        message = (
            f"norm weights look already shifted ({span}, none negative), but {promise.family.name} adds 1 to "
            "what is stored: the 1 would be added twice (vllm-project/vllm#31464)"
        )
        return [Finding("offset", message)]
    if not promise.family.offset and all(
        m < 0.5 and row.min() <= 0 for m, row in zip(medians, stored, strict=True)
    ):
        message = (
            f"norm weights look stored as offsets from 1 ({span}, each with values at or below 0), but "
            f"{promise.family.name} multiplies by what is stored"
        )
        return [Finding("offset", message)]
    return []


def _head(promise: Promise, weights: Weights) -> list[Finding]:
    tied = promise["tied head"]
    head = weights.ending(*promise.family.head)
    embedding = weights.ending(promise.family.embedding)
    flag = f"tie_word_embeddings = {tied}"
    if tied is False and not head and not weights.partial and _is_whole_model(weights):
        return [Finding("head-missing", f"{flag}, but no {promise.family.head[0]}: the head would be random")]
    if tied is not True or not head or not embedding:
        return []
    same_shape = head[0].shape == embedding[0].shape
    if same_shape and np.array_equal(weights.load(head[0].name), weights.load(embedding[0].name)):
        return []
    message = f"{flag}, but {head[0].name} differs from {embedding[0].name}: a loader that ties drops it"
    return [Finding("head-untied", message)]


def _is_whole_model(weights: Weights) -> bool:
    """Base models (BertModel, GPT2Model) are saved without a prefix and have no head to miss."""
    return any(name.startswith(("model.", "transformer.", "gpt_neox.", "bert.")) for name in weights.tensors)


def _gate_and_up(promise: Promise, weights: Weights) -> list[Finding]:
    block = promise.mlp
    packed = weights.ending("gate_up_proj.weight")
    if block.layout == "separate" and packed and not weights.ending(f"{block.gate}.weight"):
        message = (
            f"{packed[0].name} packs gate and up; {promise.family.name} reads {block.gate} and {block.up}"
        )
        return [Finding("gate-up", message)]
    if weights.partial or not weights.tensors:
        return []
    names = [name for name in (block.gate, block.up) if name and not weights.ending(f"{name}.weight")]
    missing = ", ".join(dict.fromkeys(names))
    return [Finding("gate-up", f"no {missing} in the file; {promise.family.name} reads it")] if names else []


def evidence(promise: Promise, weights: Weights) -> Iterable[tuple[str, Any, str]]:
    """Rows of a report: name, value, note."""
    norms = weights.norms
    dtypes = sorted({one.dtype for one in norms})
    yield "tensors", len(weights.tensors), "one shard of several" if weights.partial else ""
    yield "norm tensors", len(norms), ", ".join(dtypes)
    if norms and promise.family.norm == "rms_norm":
        medians = [float(np.median(weights.load(one.name).astype(np.float64))) for one in norms]
        yield "norm weights", f"medians {min(medians):.3g} to {max(medians):.3g}", "as stored"
    head = weights.ending(*promise.family.head)
    yield "head", head[0].name if head else "not in the file", head[0].dtype if head else ""
    packed = weights.ending("gate_up_proj.weight")
    yield "packed gate and up", len(packed), packed[0].name if packed else ""
