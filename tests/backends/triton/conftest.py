"""The faithful interpreter, for every test here; without triton they are skipped, with the reason."""

import pytest

from mutakata.backends import triton as backend

if reason := backend.available():
    pytest.skip(reason, allow_module_level=True)

backend.activate()
