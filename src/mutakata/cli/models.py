"""`kata models`: hold one model to another, layer by layer."""

import re
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from mutakata.cli.failure import MACHINERY, USE, fail

DIFFER = 1
SHAPES = "1x7,2x16,3x33"


class Format(StrEnum):
    table = "table"
    json = "json"


class Dtype(StrEnum):
    own = "own"
    bf16 = "bf16"
    fp16 = "fp16"
    fp32 = "fp32"


def register(app: typer.Typer) -> None:
    app.command()(models)


def models(
    reference: Annotated[
        str,
        typer.Argument(
            help="file.py:attr or package.module:attr: a torch module, or a function that returns one, or a "
            "pair of one and its batches."
        ),
    ],
    candidate: Annotated[str, typer.Argument(help="Named like the reference.")],
    batches: Annotated[
        str | None, typer.Option(help="A list of batches, or a function that returns one, named likewise.")
    ] = None,
    shapes: Annotated[
        str, typer.Option(help="Without batches: shapes of random token ids, as rows x columns.")
    ] = SHAPES,
    dtype: Annotated[
        Dtype, typer.Option(help="The intended precision; own leaves the models as they are.")
    ] = (Dtype.own),
    every: Annotated[
        bool, typer.Option("--every", help="Show every module, not only the telling ones.")
    ] = False,
    html: Annotated[Path | None, typer.Option(help="Write a self-contained report with pictures.")] = None,
    format: Annotated[Format, typer.Option(help="table for people, json for programs.")] = Format.table,
) -> None:
    """Feed every module of CANDIDATE what REFERENCE's module was fed, and name the first bad layer.

    Exit code 0: every layer is right; 1: the models differ; 2: wrong use; 4: torch is missing.
    """
    _need_torch()
    from mutakata.numerics.models import compare_models
    from mutakata.report.console import out
    from mutakata.report.models import as_json, show

    first, own = _model(reference)
    second, _ = _model(candidate)
    chosen = _batches(batches, own, shapes, first)
    precision = None if dtype is Dtype.own else dtype.value
    held = _record(reference, first, chosen, precision)
    found = compare_models(held, second)
    if html:
        from mutakata.report.models_html import page

        html.write_text(page(found, reference, candidate, precision or ""), encoding="utf-8")
    if format is Format.json:
        print(as_json(found))
    else:
        show(out(), found, every)
    if not found.right:
        raise typer.Exit(DIFFER)


def _need_torch() -> None:
    try:
        import torch  # noqa: F401
    except ImportError:
        fail("models need torch; type pip install 'mutakata[torch]'", MACHINERY)


def _record(name: str, model: Any, batches: Sequence[Any], precision: str | None) -> Any:
    from mutakata.numerics.models import record_reference

    try:
        return record_reference(model, batches, precision)
    except Exception as error:
        fail(f"{name} does not run on these batches ({type(error).__name__}: {error}); give --batches", USE)


def _load(text: str) -> Any:
    from mutakata.backends.target import TargetError, load_target

    try:
        return load_target(text)
    except TargetError as error:
        fail(str(error), USE)


def _model(text: str) -> tuple[Any, Sequence[Any]]:
    """The module that a target names or makes, and the batches that come with it."""
    found = _load(text)
    if not hasattr(found, "named_modules") or isinstance(found, type):
        if not callable(found):
            fail(f"{text} is a {type(found).__name__}, neither a torch module nor a function", USE)
        try:
            found = found()
        except Exception as error:
            fail(f"{text}() raised {type(error).__name__}: {error}", USE)
    own: Sequence[Any] = ()
    if isinstance(found, tuple) and len(found) == 2:
        found, own = found
    if not hasattr(found, "named_modules"):
        fail(f"{text} gave a {type(found).__name__}; a torch module is needed, or (module, batches)", USE)
    return found, own


def _batches(text: str | None, own: Sequence[Any], shapes: str, model: Any) -> Sequence[Any]:
    if text is not None:
        found = _load(text)
        return list(found() if callable(found) else found)
    return list(own) or _random_ids(shapes, model)


def _random_ids(shapes: str, model: Any) -> list[Any]:
    """Token ids from a fixed seed. Only for models that say how many tokens they know."""
    import torch

    count = getattr(getattr(model, "config", None), "vocab_size", None)
    if count is None:
        fail("the model has no config.vocab_size, so no batch can be made up; give --batches", USE)
    sizes = [re.fullmatch(r"(\d+)x(\d+)", part.strip()) for part in shapes.split(",")]
    if not all(sizes):
        fail(f"--shapes {shapes!r}: write rows x columns, separated by commas, as {SHAPES}", USE)
    source = torch.Generator().manual_seed(0)
    return [
        {"input_ids": torch.randint(0, count, (int(size[1]), int(size[2])), generator=source)}
        for size in sizes
        if size
    ]
