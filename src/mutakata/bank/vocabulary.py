"""The closed lists that content may draw from: one place, so that filters and checks agree."""

LEVELS = {
    "L1": "junior",
    "L2": "mid",
    "L3": "senior",
    "L4": "staff",
    "L5": "principal",
}

FORMATS = ("code-reading", "debugging", "test-design", "kernel-reading", "estimation")

ROUNDS = ("phone-screen", "technical", "deep-dive", "take-home")

SKILLS = ("reading", "debugging", "testing", "numerics", "estimating", "communication")

ROLES = (
    "inference-engineering",
    "kernel-engineering",
    "training-systems",
    "llm-product-engineering",
    "ai-data-systems",
    "research-engineering",
    "ml-library",
)

TOPICS = {
    "norm": "normalisation layers",
    "precision": "number formats, rounding and accumulation",
    "softmax": "softmax and online reductions",
    "mlp": "gated activations",
    "rope": "rotary position embedding",
    "gradient": "backward passes",
    "kernels": "fused kernels on a GPU",
    "checkpoint": "what a checkpoint promises",
}

FAMILIES = {
    "epsilon": "where epsilon enters, and how large it is",
    "statistic": "what is averaged, and by what it is divided",
    "axis": "over which elements the statistic runs",
    "accumulation": "a sum that loses digits or overflows",
    "cast": "where a value is rounded, and to which type",
    "scale": "the learned scale and shift",
    "broadcasting": "shapes that line up by accident",
    "aliasing": "memory that two values share",
    "residual": "the skip connection around the operation",
    "gradient": "the backward pass",
    "maximum": "the shift that keeps an exponential finite",
    "activation": "the non-linearity and the halves it gates",
    "position": "angles and positions",
    "masking": "lanes beyond the end of a row",
    "memory": "addresses, strides and bounds",
    "race": "threads that do not wait for each other",
}

EXTRAS = ("torch", "triton", "cuda")
