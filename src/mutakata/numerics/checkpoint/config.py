"""Reads a config file as a promise."""

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mutakata.numerics.checkpoint import families
from mutakata.numerics.checkpoint.contradictions import contradictions
from mutakata.numerics.checkpoint.facts import facts
from mutakata.numerics.checkpoint.families import Family
from mutakata.numerics.checkpoint.promise import EPS_NAMES, CheckpointError, Promise, eps_fields

NESTED = ("text_config", "llm_config", "language_config", "decoder")


def read_config(path: Path) -> dict[str, Any]:
    """The JSON object in `path`, or in config.json of that folder. Raises CheckpointError."""
    if path.is_dir():
        path = path / "config.json"
    try:
        config = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        problem = f"{path}: no such file; give the checkpoint's config.json or its folder"
    except UnicodeDecodeError:
        problem = f"{path}: not text; give the config first, and weights with --weights"
    except OSError as error:
        problem = f"{path}: cannot be read ({error.strerror}); check its permissions"
    except json.JSONDecodeError as error:
        problem = f"{path}:{error.lineno}: not JSON ({error.msg}, column {error.colno}); download it again"
    else:
        if isinstance(config, dict):
            return config
        problem = f"{path}: a JSON {type(config).__name__}, not an object; is this the model's config.json?"
    raise CheckpointError([problem])


def promise(config: Any, origin: str = "config", family: str | None = None) -> Promise:
    """What `config` promises: a mapping, a path, or an object with `to_dict()`.

    `family` overrides the config's own `model_type`. Raises CheckpointError, with every problem at once, for
    an unknown family, an epsilon that is no number, or none at all under any known name; where the family is
    known, the error carries the facts that could be read.
    """
    if isinstance(config, str | Path):
        origin, config = str(config), read_config(Path(config))
    elif not isinstance(config, Mapping):
        config = config.to_dict()
    scope, inner = _follow(config)
    place = f"{origin}: in {scope}" if scope else origin
    problems = [f"{place}: {text}" for text in _bad_eps(inner)]
    try:
        found = _family(family or inner.get("model_type"))
    except LookupError as error:
        raise CheckpointError([f"{place}: {error.args[0]}", *problems]) from None
    findings = tuple(contradictions(found, inner, config, scope))
    result = Promise(origin, found, scope, tuple(facts(found, inner)), findings, inner)
    if not eps_fields(inner):
        known = ", ".join(EPS_NAMES)
        problems.append(
            f"{place}: no epsilon under any known name ({known}); {found.name} reads {found.eps_field}: "
            "add the value the model was trained with"
        )
    if problems:
        raise CheckpointError(problems, result)
    return result


def _follow(config: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """The language model's own config: the top level where its family is known, else the first nested one."""
    if config.get("model_type") in families.FAMILIES:
        return "", config
    for name in NESTED:
        if isinstance(config.get(name), Mapping):
            return name, config[name]
    return "", config


def _family(name: Any) -> Family:
    if not isinstance(name, str):
        raise LookupError("no model_type, so the family is unknown; name it with --family")
    try:
        return families.family(name)
    except LookupError as error:
        hint = "if its code is that of a known family, name it with --family"
        raise LookupError(f"{error.args[0]}; {hint}") from None


def _bad_eps(config: Mapping[str, Any]) -> list[str]:
    problems = []
    for name, value in eps_fields(config).items():
        if isinstance(value, bool) or not isinstance(value, int | float):
            problems.append(f"{name} is {value!r}, not a number; write it as a JSON number such as 1e-06")
        elif not (math.isfinite(value) and value >= 0):
            problems.append(f"{name} is {value!r}; an epsilon is finite and not negative")
    return problems
