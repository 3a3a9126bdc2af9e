"""Workers started as fresh interpreters, where fork is missing or unsafe. Slower, and the same verdicts."""

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from mutakata.backends.modules import Source
from mutakata.judge.session import Job, arguments, enter, recording
from mutakata.judge.supervise import Start, Worker


def starter(needs: Iterable[str], imports: Iterable[str]) -> Start:
    """A way to start sessions in fresh interpreters that have `needs` prepared."""
    common = {"needs": list(needs), "imports": list(imports)}

    def start(job: Job) -> Worker:
        reader, writer = os.pipe()
        process = subprocess.Popen(
            [sys.executable, "-m", "mutakata.judge.spawn", str(writer)],
            stdin=subprocess.PIPE,
            pass_fds=[writer],
        )
        os.close(writer)
        assert process.stdin is not None
        process.stdin.write(json.dumps(common | _dump(job)).encode())
        process.stdin.close()
        return Worker(process.pid, reader, process)

    return start


def _dump(job: Job) -> dict[str, Any]:
    source = job.source
    return {
        "function": source.function,
        "text": source.text,
        "path": str(source.path),
        "launcher": str(source.launcher) if source.launcher else None,
        "suite": str(job.suite),
        "compiled": str(job.compiled),
        "done": sorted(job.done),
        "backwards": job.backwards,
        "fail_fast": job.fail_fast,
    }


def _load(data: dict[str, Any]) -> Job:
    launcher = Path(data["launcher"]) if data["launcher"] else None
    source = Source(data["function"], data["text"], Path(data["path"]), launcher)
    done = frozenset(data["done"])
    suite, compiled = Path(data["suite"]), Path(data["compiled"])
    return Job(source, suite, compiled, done, data["backwards"], data["fail_fast"])


def main() -> None:
    """Run the job that standard input describes; tell the pipe named on the command line."""
    import pytest

    from mutakata.judge.warm import warm

    data = json.load(sys.stdin)
    warm(data["needs"], data["imports"])
    job = _load(data)
    enter(job)
    pytest.main(arguments(job.suite), plugins=recording(int(sys.argv[1]), job))
    os._exit(1)


if __name__ == "__main__":
    main()
