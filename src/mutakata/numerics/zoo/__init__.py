"""The zoo: for every operation implementations that are right and such that are wrong, by name.

from mutakata.numerics.zoo import ZOO

ZOO["rms_norm"].mutants["eps_dropped"].function(contract("rms_norm/llama"), x=x, weight=weight, eps=1e-6)
"""

from mutakata.numerics.zoo.gradients import ADD_RMS_NORM_BACKWARD, LAYER_NORM_BACKWARD, RMS_NORM_BACKWARD
from mutakata.numerics.zoo.norms import ADD_RMS_NORM, LAYER_NORM, RMS_NORM
from mutakata.numerics.zoo.pointwise import ROPE, SWIGLU
from mutakata.numerics.zoo.softmax import SOFTMAX
from mutakata.numerics.zoo.variant import Variant, Zoo

ZOO: dict[str, Zoo] = {
    "rms_norm": RMS_NORM,
    "layer_norm": LAYER_NORM,
    "add_rms_norm": ADD_RMS_NORM,
    "swiglu": SWIGLU,
    "rope": ROPE,
    "softmax": SOFTMAX,
    "rms_norm_backward": RMS_NORM_BACKWARD,
    "layer_norm_backward": LAYER_NORM_BACKWARD,
    "add_rms_norm_backward": ADD_RMS_NORM_BACKWARD,
}

__all__ = ["ZOO", "Variant", "Zoo"]
