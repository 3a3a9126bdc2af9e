"""Every known defect once more, written anew in torch: what the diagnosis is tested on.

Nothing is shared with `mutakata.numerics.zoo`. Where the zoo has one kernel with settings, here each step of
an operation is a method and a defect replaces one; sums fold halves, means multiply by a reciprocal, roots
are rsqrt, exponentials go by way of exp2. `UNKNOWN[op]` maps the zoo's name of a defect to a kernel that has
it, and `CORRECT[op]` holds kernels without one.
"""

from unknown.gradients import CORRECT_GRADIENTS, UNKNOWN_GRADIENTS
from unknown.norms import CORRECT_NORMS, UNKNOWN_NORMS
from unknown.pointwise import CORRECT_POINTWISE, UNKNOWN_POINTWISE

UNKNOWN = {**UNKNOWN_NORMS, **UNKNOWN_POINTWISE, **UNKNOWN_GRADIENTS}
CORRECT = {**CORRECT_NORMS, **CORRECT_POINTWISE, **CORRECT_GRADIENTS}

__all__ = ["CORRECT", "UNKNOWN"]
