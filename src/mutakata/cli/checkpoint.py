"""`kata checkpoint`: what a checkpoint promises, and where it contradicts itself."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from mutakata.cli.failure import USE, fail

CONTRADICTED = 1


class Format(StrEnum):
    table = "table"
    json = "json"


def register(app: typer.Typer) -> None:
    app.command()(checkpoint)


def checkpoint(
    config: Annotated[Path, typer.Argument(help="The checkpoint's config.json, or the folder it lies in.")],
    weights: Annotated[
        Path | None, typer.Option(help="A .safetensors file, or the .safetensors.index.json of its shards.")
    ] = None,
    family: Annotated[
        str | None, typer.Option(help="Read the config as this family's, whatever its model_type says.")
    ] = None,
    format: Annotated[Format, typer.Option(help="table for people, json for programs.")] = Format.table,
) -> None:
    """Say what a checkpoint promises: epsilon, cast order, tied head, gate and up, rope.

    Exit code 0: no contradiction; 1: the config contradicts itself or the weights; 2: unreadable.
    """
    from mutakata.numerics.checkpoint import CheckpointError, check_weights, promise, read_weights
    from mutakata.numerics.checkpoint.weights import evidence
    from mutakata.report.checkpoint import as_json, show
    from mutakata.report.console import out

    problems: list[str] = []
    found, stored = None, None
    try:
        found = promise(config, family=family)
    except CheckpointError as error:
        found, problems = error.promise, error.problems
    try:
        stored = read_weights(weights) if weights else None
    except CheckpointError as error:
        problems += error.problems
    findings = list(found.findings) if found else []
    rows = []
    if found and stored:
        findings += check_weights(found, stored)
        rows = list(evidence(found, stored))
    if format is Format.json:
        print(as_json(found, rows, findings, problems))
    elif found:
        show(out(), found, rows, findings)
    if problems:
        fail("\n".join(problems), USE)
    if findings:
        raise typer.Exit(CONTRADICTED)
