"""The wheel carries its content: installed elsewhere, it judges a kata from an empty folder."""

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def test_an_installed_wheel_runs_a_kata_from_an_empty_folder(tmp_path: Path) -> None:
    pytest.importorskip("hatchling", reason="hatchling builds the wheel: pip install 'mutakata[dev]'")
    build = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "-w",
        str(tmp_path),
    ]
    subprocess.run([*build, str(ROOT)], check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    venv.create(tmp_path / "venv", with_pip=False)
    python = tmp_path / "venv/bin/python"
    site = Path(
        subprocess.check_output(
            [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], text=True
        ).strip()
    )
    subprocess.run([sys.executable, "-m", "zipfile", "-e", str(wheel), str(site)], check=True)
    # The dependencies come from this environment, without its own editable mutakata.
    (site / "dependencies.py").write_text(f"import sys\nsys.path.append({sysconfig.get_path('purelib')!r})\n")
    (site / "dependencies.pth").write_text("import dependencies\n")
    empty = tmp_path / "empty"
    empty.mkdir()
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    run = [python, "-c", "from mutakata.cli import main; main()", "run", "rms_norm", "--format", "json"]
    done = subprocess.run(run, cwd=empty, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert str(site) in done.stdout  # the suite that was judged lies in the package
    assert list(empty.iterdir()) == []
