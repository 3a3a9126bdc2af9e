"""Tensors of torch are judged as arrays are, bfloat16 included."""

import pytest

from mutakata.numerics import assert_keeps, expected

torch = pytest.importorskip("torch")


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
def test_a_tensor_is_judged_by_its_bits(dtype):
    gate, up = torch.linspace(-4, 4, 24).reshape(2, 12).to(dtype).unbind()
    wanted = torch.from_numpy(expected("swiglu/numpy", gate=gate, up=up).value).to(dtype)
    assert_keeps(wanted, "swiglu/numpy", gate=gate, up=up)
    assert_keeps({"y": wanted}, "swiglu/numpy", gate=gate, up=up)
    with pytest.raises(AssertionError, match="breaks swiglu/numpy"):
        assert_keeps(wanted * 1.05, "swiglu/numpy", gate=gate, up=up)
