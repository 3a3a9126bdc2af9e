"""Named contracts, each with the place where it is written down."""

from mutakata.numerics.contracts import (
    AddRmsNorm,
    AddRmsNormBackward,
    Contract,
    LayerNorm,
    LayerNormBackward,
    RmsNorm,
    RmsNormBackward,
    Rope,
    Softmax,
    SwiGlu,
)

_HF = "huggingface/transformers, models/"
PRESETS: dict[str, Contract] = {
    contract.name: contract
    for contract in (
        RmsNorm("rms_norm/numpy", "reference/rms_norm/spec.py: one rounding, at the end"),
        RmsNorm("rms_norm/after_weight", "one rounding, after the weight"),
        RmsNorm(
            "rms_norm/before_weight",
            "rounds to the input's type, then again after the weight",
            "before_weight",
        ),
        RmsNorm("rms_norm/llama", _HF + "llama: weight * x.to(input_dtype)", "before_weight"),
        RmsNorm(
            "rms_norm/t5", _HF + "t5: T5LayerNorm, cast to the weight's half type first", "before_weight"
        ),
        RmsNorm("rms_norm/gemma", _HF + "gemma: (x * (1 + weight)).type_as(x), #29402", "after_weight", 1.0),
        RmsNorm("rms_norm/torch", "pytorch/pytorch, torch.nn.functional.rms_norm: one rounding, at the end"),
        RmsNorm(
            "rms_norm/vllm",
            "vllm-project/vllm, ir/ops/layernorm.py: x.to(orig_dtype) * weight",
            "before_weight",
        ),
        LayerNorm("layer_norm/numpy", "reference/layer_norm/spec.py: two passes, one rounding, at the end"),
        LayerNorm("layer_norm/two_pass", "variance of the centred values, in a second pass"),
        LayerNorm("layer_norm/welford", "variance by Welford's update", "welford"),
        LayerNorm(
            "layer_norm/torch",
            "pytorch/pytorch, native layer_norm: Welford moments, scale and shift",
            "welford",
            "scale_shift",
        ),
        LayerNorm(
            "layer_norm/flax", "google/flax, LayerNorm(use_fast_variance=True): E[x^2] - E[x]^2", "moments"
        ),
        AddRmsNorm(
            "add_rms_norm/numpy", "reference/add_rms_norm/spec.py: the sum is rounded, then normalised"
        ),
        AddRmsNorm("add_rms_norm/llama", _HF + "llama: residual + x, then LlamaRMSNorm", "before_weight"),
        AddRmsNorm(
            "add_rms_norm/liger",
            "linkedin/Liger-Kernel, ops/fused_add_rms_norm.py, llama mode",
            "before_weight",
        ),
        AddRmsNorm(
            "add_rms_norm/vllm",
            "vllm-project/vllm, RMSNorm.forward_native: the float32 sum is normalised",
            "before_weight",
            0.0,
            "carried",
        ),
        SwiGlu("swiglu/numpy", "reference/swiglu/spec.py: one rounding, at the end"),
        SwiGlu("swiglu/llama", _HF + "llama: act_fn(gate) * up", "twice"),
        SwiGlu(
            "swiglu/liger",
            "linkedin/Liger-Kernel, ops/swiglu.py: silu(gate) is cast, then multiplied",
            "twice",
        ),
        Rope("rope/numpy", "reference/rope/spec.py: halves, one rounding, at the end"),
        Rope("rope/interleaved", "Su et al. 2021: neighbours form a pair; one rounding", "interleaved"),
        Rope("rope/llama", _HF + "llama: tables cast to the input's type, rotate_half", "half", "each_step"),
        Softmax(
            "softmax/numpy", "reference/softmax/spec.py: maximum, exponentials, sum; masked rows give zeros"
        ),
        Softmax(
            "softmax/torch",
            "pytorch/pytorch, torch.nn.functional.softmax: exp(-inf - -inf) is NaN",
            empty_row="nan",
        ),
        Softmax("softmax/online", "Milakov and Gimelshein 2018: one pass, the sum is rescaled", "online"),
        RmsNormBackward(
            "rms_norm_backward/numpy", "reference/rms_norm_backward/spec.py: raw products are summed"
        ),
        RmsNormBackward(
            "rms_norm_backward/llama",
            _HF + "llama: gradients of weight * x.to(input_dtype)",
            cast="before_weight",
        ),
        RmsNormBackward(
            "rms_norm_backward/liger",
            "linkedin/Liger-Kernel, ops/rms_norm.py, llama mode: dY_row * (X_row * rstd_row).to(X_dtype)",
            cast="before_weight_wide",
        ),
        RmsNormBackward("rms_norm_backward/normalised", "the sum runs over the normalised row", "normalised"),
        RmsNormBackward("rms_norm_backward/gemma", "raw products, weight stored less one", "raw", 1.0),
        LayerNormBackward("layer_norm_backward/numpy", "reference/layer_norm_backward/spec.py: raw products"),
        LayerNormBackward(
            "layer_norm_backward/torch",
            "pytorch/pytorch, native layer_norm_backward",
            "normalised",
            "welford",
        ),
        AddRmsNormBackward(
            "add_rms_norm_backward/numpy", "reference/add_rms_norm_backward/spec.py: one rounding"
        ),
    )
}


def contract(name: str | Contract) -> Contract:
    """The preset of that name ("rms_norm/llama"); a Contract is returned as it is. KeyError lists names."""
    if isinstance(name, Contract):
        return name
    if name not in PRESETS:
        op = name.partition("/")[0]
        near = [known for known in PRESETS if known.startswith(op + "/")] or list(PRESETS)
        raise KeyError(f"no contract is called {name!r}; there are: {', '.join(near)}")
    return PRESETS[name]


def presets(op: str) -> list[Contract]:
    """Every named contract of one operation."""
    return [known for known in PRESETS.values() if known.op == op]
