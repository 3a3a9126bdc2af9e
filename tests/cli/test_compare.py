"""`kata compare`: exit codes, both formats, the page, real modules, and words for every bad target."""

import json
import shlex
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from mutakata.cli import compare

app = typer.Typer()
app.callback()(lambda: None)
compare.register(app)

KERNELS = """
import numpy as np

def right(x, weight, eps):
    wide = x.astype(np.float32)
    rstd = 1 / np.sqrt(np.mean(wide * wide, axis=-1, keepdims=True) + np.float32(eps))
    return (wide * rstd * weight.astype(np.float32)).astype(x.dtype)

def other_names(hidden_states, gamma, epsilon=1e-6, axis=0):
    assert axis == -1
    return right(hidden_states, gamma, epsilon)

def holds_eps(x, weight):
    return right(x, weight, 1e-5)

def scaled(x, weight, eps, factor):
    return right(x, weight, eps) * x.dtype.type(factor)

def early(x, weight, eps):
    row = right(x, np.ones_like(weight), eps)
    return (row.astype(np.float32) * weight.astype(np.float32)).astype(x.dtype)

def no_eps(x, weight, eps):
    with np.errstate(all="ignore"):
        return right(x, weight, 0.0)

def statistic(x, weight, eps):
    wide = x.astype(np.float32)
    rstd = 1 / np.sqrt(np.mean(wide * wide, axis=-1, keepdims=True) + np.float32(eps))
    return right(x, weight, eps), rstd

def short(x, weight, eps):
    return right(x, weight, eps)[:, :-1]

def nan(x, weight, eps):
    return np.full_like(x, np.nan)

def edits(x, weight, eps):
    x *= 2
    return right(x, weight, eps)

def gpu(x, weight, eps):
    raise RuntimeError("Torch not compiled with CUDA enabled")

def raises(x, weight, eps):
    raise ValueError("only multiples of 128")

number = 3
"""
FEW = ("--dtype", "fp32", "--dtype", "bf16", "--width", "63", "--rows", "2")


@pytest.fixture(scope="module")
def kernels(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("compare") / "kernels.py"
    path.write_text(KERNELS)
    return str(path)


def run(target: str, *arguments: str, few: tuple[str, ...] = FEW) -> Result:
    return CliRunner().invoke(app, ["compare", target, "--op", "rms_norm", *arguments, *few])


@pytest.mark.parametrize(
    ("name", "options", "code", "words"),
    [
        ("right", (), 0, "keeps rms_norm/numpy"),
        ("other_names", (), 0, "keeps rms_norm/numpy"),
        ("scaled", ("--set", "factor=1.0"), 0, "keeps"),
        ("scaled", ("--set", "factor=1.5"), 1, "breaks rms_norm/numpy on"),
        ("early", (), 1, "keeps another contract, rms_norm/llama"),
        ("early", ("--cast", "before_weight"), 0, "keeps rms_norm/numpy with cast before_weight"),
        ("early", ("--contract", "llama"), 0, "keeps rms_norm/llama"),
        ("no_eps", (), 1, "eps_dropped"),
        ("holds_eps", ("--eps", "1e-5"), 0, "keeps"),
        ("holds_eps", ("--eps", "1e-6"), 1, "eps_fixed: the literal 1e-5"),
        ("statistic", ("--returns", "y,rstd"), 0, "rstd"),
        ("edits", (), 1, "edited its input x"),
        ("short", (), 1, "has shape (2, 62); expected (2, 63)"),
        ("nan", (), 1, "NaN where the exact result is a number"),
        ("raises", (), 1, "raised ValueError: only multiples of 128"),
        ("gpu", (), 4, "not proved here"),
    ],
)
def test_verdicts_and_exit_codes(
    kernels: str, name: str, options: tuple[str, ...], code: int, words: str
) -> None:
    result = run(f"{kernels}:{name}", *options)
    assert result.exit_code == code and words in result.stdout.replace("\n", " "), result.output
    assert "\x1b" not in result.stdout


@pytest.mark.parametrize(
    ("target", "options", "words"),
    [
        ("right", (), "file.py:attr"),
        ("no/such.py:right", (), "no such file"),
        ("no_such_package:f", (), "cannot be imported"),
        ("{kernels}:wrong_name", (), "has no wrong_name"),
        ("{kernels}:number", (), "a function or a torch module is needed"),
        ("{kernels}:holds_eps", (), "--eps"),
        ("{kernels}:scaled", (), "--set factor=VALUE"),
        ("{kernels}:scaled", ("--set", "factor"), "NAME=VALUE"),
        ("{kernels}:right", ("--contract", "lama"), "rms_norm/llama"),
        ("{kernels}:right", ("--cast", "late"), "before_weight or after_weight"),
        ("{kernels}:right", ("--layout", "half"), "rms_norm has no such field; it has: cast, offset"),
        ("{kernels}:right", ("--eps", "0"), "must be positive"),
        ("{kernels}:right", ("--dtype", "int8"), "fp32, fp16, bf16 or fp64"),
        ("{kernels}:right", ("--case", "bf16/64/huge"), "rms_norm has: ordinary, tiny"),
        ("{kernels}:right", ("--backward",), "no gradient"),
    ],
)
def test_wrong_use_exits_2_and_says_what_to_do(
    kernels: str, target: str, options: tuple[str, ...], words: str
) -> None:
    result = run(target.format(kernels=kernels), *options)
    assert result.exit_code == 2 and words in result.stderr, result.output


def test_an_unknown_operation_lists_those_there_are(kernels: str) -> None:
    result = CliRunner().invoke(app, ["compare", f"{kernels}:right", "--op", "rmsnorm"])
    assert result.exit_code == 2 and "softmax" in result.stderr


def test_all_wrong_options_are_reported_at_once(kernels: str) -> None:
    result = run(f"{kernels}:right", "--dtype", "int8", "--width", "0", "--eps", "-1", few=())
    assert len(result.stderr.splitlines()) == 3


def test_json_is_one_object_with_the_promised_fields(kernels: str) -> None:
    found = json.loads(run(f"{kernels}:early", "--format", "json").stdout)
    assert {"format_version", "target", "op", "contract", "verdict", "cases", "diagnosis"} <= found.keys()
    assert found["verdict"] == "other-contract" and found["other_contract"] == "rms_norm/llama"
    case = found["cases"][0]
    assert {"id", "dtype", "shape", "quantity", "ratio", "outside", "worst"} <= case.keys()
    assert {"rms_norm/llama", "other_cast"} == {one["id"] for one in found["diagnosis"]}
    assert all({"id", "kind", "seen"} <= one.keys() for one in found["diagnosis"])
    json.loads(run(f"{kernels}:nan", "--format", "json").stdout, parse_constant=pytest.fail)


def test_the_printed_line_reproduces_that_one_case(kernels: str) -> None:
    found = json.loads(run(f"{kernels}:early", "--contract", "numpy", "--format", "json").stdout)
    wrong = next(one for one in found["cases"] if not one["right"])
    words = shlex.split(wrong["reproduce"])
    assert words[:2] == ["kata", "compare"] and words[-2:] == ["--case", wrong["id"]]
    again = json.loads(CliRunner().invoke(app, [*words[1:], "--format", "json"]).stdout)
    (case,) = again["cases"]
    assert {**case, "reproduce": ""} == {**wrong, "reproduce": ""}


def test_the_page_is_self_contained_and_shows_every_case(kernels: str, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    run(f"{kernels}:no_eps", "--html", str(page))
    text = page.read_text()
    assert text.count("<svg") == 1 and "<script" not in text and "http" not in text and "src=" not in text
    assert (
        "fp32/63/tiny" in text and 'class="bad"' in text and 'class="good"' in text and "eps_dropped" in text
    )
    assert text.count("<circle") == text.count("<polygon") == 10 * 2 + 1  # cases, rows, and the legend


def test_torch_modules_and_functions() -> None:
    pytest.importorskip("torch")
    one = ("--dtype", "bf16", "--width", "63", "--rows", "2")
    assert run("torch.nn:RMSNorm", few=one).exit_code == 0
    assert run("torch.nn.functional:rms_norm", few=one).exit_code == 0
    layer = ["compare", "torch.nn:LayerNorm", "--op", "layer_norm", "--contract", "torch", *one]
    assert CliRunner().invoke(app, layer).exit_code == 0
    assert run("torch.nn:RMSNorm", "--backward", "--dtype", "fp32", few=one[2:]).exit_code == 0
    gpu = run("torch.nn:RMSNorm", "--device", "cuda", few=one)
    assert gpu.exit_code in (0, 4) and (gpu.exit_code == 0 or "not proved here" in gpu.stderr)


def test_torch_targets_are_watched_too(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    path = tmp_path / "kernels.py"
    path.write_text(
        "import torch\n"
        "def unwritten(x, weight, eps):\n"
        "    y = torch.empty_like(x)\n"
        "    y[:, :-1] = torch.nn.functional.rms_norm(x, x.shape[-1:], weight, eps)[:, :-1]\n"
        "    return y\n"
        "def edits(x, weight, eps):\n"
        "    weight.add_(1)\n"
        "    return torch.nn.functional.rms_norm(x, x.shape[-1:], weight - 1, eps)\n"
        "class NoWidth(torch.nn.Module):\n"
        "    def __init__(self, config):\n"
        "        super().__init__()\n"
    )
    one = ("--dtype", "bf16", "--width", "63", "--rows", "2")
    assert "NaN where the exact result is a number" in run(f"{path}:unwritten", few=one).stdout
    assert "edited its input weight" in run(f"{path}:edits", few=one).stdout
    width = run(f"{path}:NoWidth", few=one)
    assert width.exit_code == 2 and "takes no width" in width.stderr
