"""Where content lies: the repository in a checkout, the package's own copy after an installation."""

from collections.abc import Iterable
from pathlib import Path

from mutakata.bank.problem import NotFound

FOLDERS = ("questions", "katas", "mutants", "reference")


def home() -> Path:
    """The folder that holds the bank's own questions/, katas/, mutants/ and reference/."""
    package = Path(__file__).resolve().parents[1]
    for place in (package / "content", package.parents[1]):
        if (place / "katas").is_dir():
            return place
    raise NotFound(f"no content beside {package}: reinstall with `pip install --force-reinstall mutakata`")


def roots(extra: Iterable[Path] = ()) -> tuple[Path, ...]:
    """The bank's own folder, then those that `--bank` adds. Raises NotFound for one that holds no content."""
    found = [home()]
    for place in extra:
        if not any((place / name).is_dir() for name in FOLDERS):
            names = ", ".join(f"{name}/" for name in FOLDERS)
            raise NotFound(f"{place} holds no content: a bank has at least one of {names}")
        found.append(place.resolve())
    return tuple(dict.fromkeys(found))
