"""As in a candidate's workspace, one call in conftest.py. Without triton the tests are skipped, with the reason."""

import pytest

from mutakata.backends import triton as backend

if reason := backend.available():
    pytest.skip(reason, allow_module_level=True)

backend.activate()
