"""Options that every command about content shares."""

from pathlib import Path
from typing import Annotated

import typer

Banks = Annotated[
    list[Path] | None,
    typer.Option("--bank", help="A folder with more questions/, katas/, mutants/ or reference/."),
]
Mutants = Annotated[
    list[Path] | None, typer.Option("--mutants", help="A folder with more mutants, as <kata>/<mutant>.md.")
]
