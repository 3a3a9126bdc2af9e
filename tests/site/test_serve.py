"""An address at which nothing can be served is refused before anything is built."""

import socket

import pytest

from mutakata.site.build import SiteError
from mutakata.site.serve import require_free


def test_an_address_in_use() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(SiteError, match=r"in use; name another with --address"):
            require_free(address)
    require_free(address)


@pytest.mark.parametrize("address", ["8000", "localhost", "127.0.0.1:high", "127.0.0.1:65536"])
def test_what_is_no_address(address: str) -> None:
    with pytest.raises(SiteError, match="write host:port"):
        require_free(address)
