"""`kata compare`: does an implementation keep its contract, and if not, which known defect does it show?"""

import dataclasses
import json
import shlex
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mutakata.cli.failure import MACHINERY, USE, fail

if TYPE_CHECKING:
    from mutakata.backends.adapt import How
    from mutakata.numerics.compare import Question
    from mutakata.numerics.contracts import Contract

EXIT = {"keeps": 0, "breaks": 1, "other-contract": 1, "mistrusted": 1, "not-proved": MACHINERY}
CHOOSE = ("case", "dtype", "width", "html", "format")  # what a line that reproduces one case leaves out
FIELDS = (
    *("cast", "offset", "variance", "apply", "addition", "rounding", "layout", "algorithm", "reduction"),
    "empty_row",
)


class Format(StrEnum):
    table = "table"
    json = "json"


class Arrays(StrEnum):
    auto = "auto"
    numpy = "numpy"
    torch = "torch"


def register(app: typer.Typer) -> None:
    app.command()(compare)


Field = Annotated[
    str | None, typer.Option(help="Set this field of the contract.", rich_help_panel="Contract")
]
Many = Annotated[list[str] | None, typer.Option(help="fp32, fp16, bf16 or fp64; may be repeated.")]
Widths = Annotated[list[int] | None, typer.Option(help="Length of the last axis; may be repeated.")]


# One parameter for each option: the command line is declared here and nowhere else, which takes 60 lines.
def compare(
    context: typer.Context,
    target: Annotated[
        str,
        typer.Argument(
            help="package.module:attr or file.py:attr: a function, a torch module class, a module."
        ),
    ],
    op: Annotated[str, typer.Option(help="The operation that it computes, as rms_norm.")],
    contract: Annotated[
        str,
        typer.Option(help="A preset: llama, gemma, torch … or its whole name.", rich_help_panel="Contract"),
    ] = "numpy",
    eps: Annotated[
        float | None, typer.Option(help="Another eps than 1e-6.", rich_help_panel="Contract")
    ] = None,
    cast: Field = None,
    offset: Annotated[
        float | None, typer.Option(help="Added to the weight.", rich_help_panel="Contract")
    ] = None,
    variance: Field = None,
    apply: Field = None,
    addition: Field = None,
    rounding: Field = None,
    layout: Field = None,
    algorithm: Field = None,
    reduction: Field = None,
    empty_row: Field = None,
    dtype: Many = None,
    width: Widths = None,
    rows: Annotated[int, typer.Option(help="How many rows each input has.", min=1)] = 6,
    case: Annotated[str | None, typer.Option(help="Ask this one only, as bf16/128/tiny.")] = None,
    backward: Annotated[
        bool, typer.Option("--backward", help="Hold its gradients, by autograd, to the backward contract.")
    ] = False,
    device: Annotated[str, typer.Option(help="Where tensors are put: cpu or cuda.")] = "cpu",
    arrays: Annotated[Arrays, typer.Option(help="What the target works on.")] = Arrays.auto,
    set: Annotated[
        list[str] | None, typer.Option(help="NAME=VALUE: one more argument of the target; may be repeated.")
    ] = None,
    in_place: Annotated[
        list[str] | None, typer.Option(help="An input that the target may edit; may be repeated.")
    ] = None,
    returns: Annotated[
        str | None, typer.Option(help="Names of what it returns, as y,rstd; _ is passed over.")
    ] = None,
    html: Annotated[Path | None, typer.Option(help="Write a self-contained page with pictures.")] = None,
    format: Annotated[Format, typer.Option(help="table for people, json for programs.")] = Format.table,
) -> None:
    """Hold TARGET to the contract of an operation, and name the defect that it shows.

    Exit code 0: it keeps its contract; 1: it keeps another one, breaks it, or the inputs prove nothing; 2:
    wrong use; 4: not proved on this machine.
    """
    from mutakata.backends.adapt import How

    given = dict(locals())
    settings = dict(_setting(text) for text in set or ())
    implied = ("eps",) if eps is not None else ()
    names = tuple(returns.split(",")) if returns else ()
    kind = "torch" if arrays is Arrays.auto and target.startswith("torch") else arrays.value
    how = How(device, kind, settings, implied, names, backward)
    promise = _contract(op, contract, backward, {name: given[name] for name in FIELDS})
    asked = _questions(promise, dtype, width, rows, eps, case)
    _report(reproduce(context), target, promise, how, asked, tuple(in_place or ()), html, format)


def _report(
    command: str,
    target: str,
    promise: "Contract",
    how: "How",
    asked: "Sequence[Question]",
    in_place: Sequence[str],
    html: Path | None,
    format: Format,
) -> None:
    """Compare, diagnose, print, and exit with the code of the verdict."""
    import time

    from mutakata.backends.adapt import AdaptError, adapt
    from mutakata.numerics import compare as numeric
    from mutakata.numerics.diagnose import diagnose
    from mutakata.report import compare as report

    start = time.perf_counter()
    try:
        function = adapt(_load(target, how.device), how)
        _try_once(function, asked[0])
        found = numeric.compare(function, promise, asked, in_place=in_place)
    except AdaptError as error:
        proved = str(error).startswith("not proved")
        fail(f"{target}: {error}", MACHINERY if proved else USE)
    diagnosis = diagnose(found)
    run = report.Run(target, found, diagnosis, command, time.perf_counter() - start)
    if html:
        from mutakata.report.compare_html import page

        html.write_text(page(run), encoding="utf-8")
    if format is Format.json:
        print(json.dumps(report.as_json(run), indent=1))
    else:
        from mutakata.report.console import out

        report.show(out(), run)
    raise typer.Exit(EXIT[found.verdict])


def reproduce(context: typer.Context) -> str:
    """The command line as it was typed, less what chooses cases and output."""
    words = ["kata", "compare"]
    for parameter in context.command.params:
        name = parameter.name or ""
        typed = context.get_parameter_source(name)
        if typed is None or typed.name != "COMMANDLINE" or name in CHOOSE:
            continue
        value = context.params[name]
        if parameter.param_type_name == "argument":
            words.append(str(value))
        elif value is True:
            words.append(parameter.opts[0])
        else:
            values = value if isinstance(value, list | tuple) else [value]
            words += [word for one in values for word in (parameter.opts[0], str(one))]
    return shlex.join(words)


def _load(text: str, device: str) -> Any:
    """The target. Where it imports triton, the interpreter is made faithful first, unless on a GPU."""
    from mutakata.backends.target import TargetError, imports_triton, load_target

    try:
        if device == "cpu" and imports_triton(text):
            from mutakata.backends import triton

            triton.activate()
        return load_target(text)
    except TargetError as error:
        fail(str(error), USE)
    except RuntimeError as error:
        fail(f"{text}: not proved here: {error}", MACHINERY)


def _try_once(function: Any, question: "Question") -> None:
    """One call whose result is thrown away: raises AdaptError if the target cannot be called at all."""
    from mutakata.backends.adapt import AdaptError
    from mutakata.numerics.guards import clone

    try:
        function(**{name: clone(value) for name, value in question.case.inputs.items()})
    except AdaptError:
        raise
    except Exception:
        return  # what it raises is judged when it is asked in earnest


def _contract(op: str, name: str, backward: bool, fields: dict[str, Any]) -> "Contract":
    """The preset with the given fields changed."""
    from mutakata.numerics import OPERATIONS, PRESETS

    if backward and not op.endswith("_backward"):
        op += "_backward"
    if op not in OPERATIONS:
        fail(f"--op {op}: no such operation; there are: {', '.join(OPERATIONS)}", USE)
    whole = name if "/" in name else f"{op}/{name}"
    known = [preset for preset in PRESETS if preset.startswith(op + "/")]
    if whole not in known:
        fail(f"--contract {name}: {op} has no such preset; there are: {', '.join(known)}", USE)
    found, changes = PRESETS[whole], {key: value for key, value in fields.items() if value is not None}
    own = {field.name for field in dataclasses.fields(found)} - {"name", "source"}
    problems = [
        f"--{key}: {op} has no such field; it has: {', '.join(sorted(own)) or 'none'}"
        for key in changes.keys() - own
    ]
    problems += [_unknown_value(found, key, value) for key, value in changes.items() if key in own]
    if any(problems):
        fail("\n".join(filter(None, problems)), USE)
    if not changes:
        return found
    said = ", ".join(f"{key} {value}" for key, value in changes.items())
    return dataclasses.replace(found, name=f"{found.name} with {said}", **changes)


def _unknown_value(promise: "Contract", key: str, value: Any) -> str:
    """What is wrong with a field's value; empty when nothing is."""
    from typing import get_args, get_type_hints

    allowed = get_args(get_type_hints(type(promise))[key])
    return "" if not allowed or value in allowed else f"--{key} {value}: write {' or '.join(allowed)}"


def _questions(
    promise: "Contract",
    dtypes: list[str] | None,
    widths: list[int] | None,
    rows: int,
    eps: float | None,
    case: str | None,
) -> "list[Question]":
    from mutakata.numerics.compare import DTYPES, WIDTHS, questions

    if case is not None:
        first, _, rest = case.partition("/")
        number = rest.partition("/")[0]
        dtypes, widths = [first], [int(number)] if number.isdigit() else []
    problems = [
        f"--dtype {name}: write fp32, fp16, bf16 or fp64" for name in dtypes or () if name not in _DTYPES
    ]
    problems += [f"--width {n}: write a number from 1 to 65536" for n in widths or () if not 1 <= n <= 65536]
    if eps is not None and not eps > 0:
        problems.append(f"--eps {eps:g}: it must be positive, or a zero row has no answer")
    if problems:
        fail("\n".join(problems), USE)
    asked = questions(promise.op, dtypes or DTYPES, WIDTHS if widths is None else widths, rows, eps)
    if case is None:
        return asked
    chosen = [one for one in asked if one.id == case]
    if not chosen:
        names = ", ".join(
            dict.fromkeys(one.case.name for one in questions(promise.op, ["fp32"], [64], rows, eps))
        )
        fail(f"--case {case}: write dtype/width/regime, as bf16/128/ordinary; {promise.op} has: {names}", USE)
    return chosen


_DTYPES = ("fp32", "fp16", "bf16", "fp64")


def _setting(text: str) -> tuple[str, Any]:
    """NAME=VALUE, the value read as JSON where it is that, and as text where it is not."""
    name, equals, value = text.partition("=")
    if not equals or not name.isidentifier():
        fail(f"--set {text}: write NAME=VALUE", USE)
    try:
        return name, json.loads(value)
    except json.JSONDecodeError:
        return name, value
