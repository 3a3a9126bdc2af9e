"""A small bank on disk, whole and right, for tests to use and to break."""

from pathlib import Path
from textwrap import dedent

from mutakata.bank import Exercise, Sources, load_exercise

SPEC = '''\
import numpy as np


def rms_norm(x, weight, eps):
    """Normalise the last axis."""
    mean_square = np.mean(x * x, axis=-1, keepdims=True)
    normalised = x / np.sqrt(mean_square + eps)
    return normalised * weight
'''

MUTANT = """\
---
family: {family}
killed_by: [{killed_by}]
survives: [{survives}]
seen: []
---
# {title}

```diff
{diff}
```

## Symptom

What a user would notice.

## Why

What is wrong.
"""

FILES = {
    "reference/tiny/spec.py": SPEC,
    "katas/tiny/kata.md": """\
        ---
        title: Tiny
        level: L1
        minutes: 5
        subject: tiny/spec.py
        function: rms_norm
        topic: norm
        contract: rms_norm/numpy
        needs: []
        order: 1
        ---
        The brief.
        """,
    "katas/tiny/cases.py": '''\
        import numpy as np


        def ordinary():
            """Rows near unit variance."""
            x = np.random.default_rng(0).standard_normal((3, 5)).astype(np.float32)
            return {"x": x, "weight": np.array([1, 2, 3, 4, 5], np.float32), "eps": 1e-6}


        def small():
            """Rows whose mean square is near epsilon."""
            return ordinary() | {"x": ordinary()["x"] * np.float32(1e-3)}
        ''',
    "katas/tiny/starter.py": """\
        import numpy as np
        from rms_norm import rms_norm


        def test_shape():
            assert rms_norm(np.ones((2, 3)), np.ones(3), 1e-6).shape == (2, 3)
        """,
    "katas/tiny/solution.py": """\
        import numpy as np
        from rms_norm import rms_norm


        def exact(x, weight, eps):
            x = x.astype(np.float64)
            return x / np.sqrt((x * x).mean(-1, keepdims=True) + eps) * weight


        def test_ordinary():
            x = np.random.default_rng(1).standard_normal((4, 6))
            weight = np.arange(1.0, 7.0)
            np.testing.assert_allclose(rms_norm(x, weight, 1e-6), exact(x, weight, 1e-6), rtol=1e-5)


        def test_small():
            x = 1e-3 * np.random.default_rng(1).standard_normal((4, 6))
            np.testing.assert_allclose(rms_norm(x, np.ones(6), 1e-6), exact(x, 1.0, 1e-6), rtol=1e-12)
        """,
    "katas/tiny/faithful/einsum.py": """\
        import numpy as np


        def rms_norm(x, weight, eps):
            total = np.einsum("...i,...i->...", x, x)[..., None]
            return x * (1 / np.sqrt(total / x.shape[-1] + eps)) * weight
        """,
}

MUTANTS = {
    "eps-outside": (
        "epsilon",
        "small",
        "ordinary",
        "-    normalised = x / np.sqrt(mean_square + eps)\n+    normalised = x / (np.sqrt(mean_square) + eps)",
    ),
    "no-weight": ("scale", "ordinary", "", "-    return normalised * weight\n+    return normalised"),
}


def tiny_bank(root: Path) -> Path:
    """Write the bank below `root`."""
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text))
    for name, (family, killed_by, survives, diff) in MUTANTS.items():
        write_mutant(root, name, diff, family=family, killed_by=killed_by, survives=survives)
    return root


def write_mutant(root: Path, name: str, diff: str, **fields: str) -> Path:
    path = root / "mutants" / "tiny" / f"{name}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    values = {"family": "scale", "killed_by": "ordinary", "survives": "", "title": name} | fields
    path.write_text(MUTANT.format(diff=diff, **values))
    return path


def body_mutant(root: Path, name: str, body: str) -> Path:
    """A mutant whose last line is replaced by `body` (indented by four spaces)."""
    lines = "\n".join(f"+    {line}" for line in body.splitlines())
    return write_mutant(root, name, f"-    return normalised * weight\n{lines}")


def tiny_exercise(root: Path) -> Exercise:
    return load_exercise("tiny", Sources((root,)))
