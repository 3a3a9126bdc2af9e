"""Fixtures that several folders of tests share."""

from pathlib import Path

import pytest

from tests.banks import tiny_bank


@pytest.fixture
def bank_folder(tmp_path: Path) -> Path:
    """A small bank on disk, whole and right."""
    return tiny_bank(tmp_path / "bank")
