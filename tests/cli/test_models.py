"""`kata models`: exit codes, both formats, the page, and words for every bad target."""

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from mutakata.cli import models

torch = pytest.importorskip("torch")

app = typer.Typer()
app.callback()(lambda: None)
models.register(app)

PEERS = """
import torch
from torch import nn

class Block(nn.Module):
    def __init__(self, eps):
        super().__init__()
        torch.manual_seed(0)
        self.up = nn.Linear(16, 32)
        self.norm = nn.RMSNorm(32, eps=eps)
        self.down = nn.Linear(32, 16)
        with torch.no_grad():
            self.norm.weight.copy_(1 + torch.randn(32) / 3)

    def forward(self, x):
        return self.down(self.norm(self.up(x)))

def batches():
    torch.manual_seed(1)
    return [(torch.randn(2, 3, 16),), (torch.randn(5, 16),)]

def reference():
    return Block(1e-6), batches()

def right():
    return Block(1e-6)

def wrong():
    return Block(1e-5)

def raises():
    raise RuntimeError("no weights here")

number = 3
model = Block(1e-6)
"""


@pytest.fixture(scope="module")
def peers(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("models") / "peers.py"
    path.write_text(PEERS)
    return str(path)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["models", *arguments])


@pytest.mark.parametrize("dtype", ["own", "bf16"])
def test_right_exits_0_and_a_wrong_layer_is_named_with_1(peers: str, dtype: str) -> None:
    right = run(f"{peers}:reference", f"{peers}:right", "--dtype", dtype)
    assert right.exit_code == 0 and "every layer is right" in right.stdout
    wrong = run(f"{peers}:reference", f"{peers}:wrong", "--dtype", dtype)
    assert wrong.exit_code == 1 and "first bad layer: norm" in wrong.stdout and "1e-05" in wrong.stdout
    assert "Logits are a smoke check" in wrong.stdout and "\x1b" not in wrong.stdout


def test_json_is_one_object(peers: str) -> None:
    found = json.loads(run(f"{peers}:reference", f"{peers}:wrong", "--format", "json").stdout)
    assert found["format_version"] == 1 and found["first_bad"] == "norm" and not found["right"]
    assert {layer["rule"] for layer in found["layers"]} == {"norm", "product"}
    assert found["logits"]["positions"] == 11


def test_the_page_is_self_contained_and_shows_every_module(peers: str, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    run(f"{peers}:reference", f"{peers}:wrong", "--html", str(page))
    text = page.read_text()
    assert text.count("<svg") == 2 and "<script" not in text and "http" not in text and "src=" not in text
    assert all(f"<code>{name}</code>" in text for name in ("up", "norm", "down"))
    assert 'class="bad"' in text


def test_a_module_object_with_batches_by_name(peers: str) -> None:
    assert run(f"{peers}:model", f"{peers}:right", "--batches", f"{peers}:batches").exit_code == 0


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("reference", "file.py:attr"),
        ("no/such.py:model", "no such file"),
        ("no_such_package:model", "cannot be imported"),
        ("{peers}:modle", "has no modle"),
        ("{peers}:number", "neither a torch module nor a function"),
        ("{peers}:raises", "no weights here"),
        ("{peers}:batches", "torch module is needed"),
        ("{peers}:model", "give --batches"),
    ],
)
def test_bad_targets_exit_2_and_say_what_to_do(peers: str, target: str, words: str) -> None:
    result = run(target.format(peers=peers), f"{peers}:right")
    assert result.exit_code == 2 and words in result.stderr


def test_batches_that_do_not_fit_exit_2(peers: str) -> None:
    result = run(f"{peers}:model", f"{peers}:right", "--batches", "string:ascii_lowercase")
    assert result.exit_code == 2 and "does not run on these batches" in result.stderr
