"""Serves one audience's site, rebuilt when content, templates or assets change."""

import functools
import http.server
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from mutakata.bank import BankError, NotFound, Sources
from mutakata.site.audience import Audience
from mutakata.site.build import Place, SiteError, write_pages

WATCHED = ("questions", "katas", "mutants", "reference")


def serve(place: Place, where: Sources, audience: Audience, address: str, say: Callable[[str], None]) -> None:
    """Blocks until interrupted; mkdocs reloads the browser. What cannot be rendered is said, not fatal."""
    from watchfiles import watch

    require_free(address)
    # A signal to end is to end as Ctrl-C does, and take the server along.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    write_pages(place, where, [audience], judge=False)
    server = subprocess.Popen(
        [sys.executable, "-c", SERVER, str(place.root), str(place.build), audience, address],
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
    )
    say(f"http://{address}/ serves the {audience}'s site; Ctrl-C ends")
    try:
        for _ in watch(*watched(place, where), ignore_permission_denied=True, raise_interrupt=False):
            if server.poll() is not None:
                return
            try:
                write_pages(place, where, [audience], judge=False)
            except (SiteError, BankError, NotFound, OSError) as error:
                say(str(error))
            except Exception as error:  # a template or a page under edit: the author mends it and saves again
                say(f"{type(error).__name__}: {error}")
    finally:
        server.terminate()
        server.wait(timeout=10)


def require_free(address: str) -> None:
    """Raises SiteError where nothing can be served at `address`, host:port."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65_535:
        raise SiteError(f"--address is {address!r}: write host:port, as 127.0.0.1:8000")
    try:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, int(port)))
    except OSError as error:
        raise SiteError(f"{address}: {error.strerror or error}; name another with --address") from None


def watched(place: Place, where: Sources) -> list[Path]:
    """Folders whose changes are rendered anew."""
    found = [root / name for root in where.roots for name in WATCHED]
    found += [place.site / name for name in ("templates", "pages", "assets", "data")]
    return [path for path in (*found, *where.mutants) if path.is_dir()]


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Says nothing of each request."""


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """The address at which a built site is served, as it is, for as long as the block lasts."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


# In a process of its own, as mkdocs never gives the terminal back.
SERVER = """
import sys
from pathlib import Path
from mkdocs.commands.serve import serve
from mutakata.site.build import Place, navigation, read_config
root, build, audience, address = sys.argv[1:]
place = Place(Path(root), Path(build))
serve(config_file=str(place.root / "mkdocs.yml"), livereload=True, dev_addr=address,
      docs_dir=str(place.pages(audience)), nav=navigation(read_config(place), audience))
"""
