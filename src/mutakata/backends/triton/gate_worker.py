"""The compiler's side of gate.py: requests on stdin, one line of JSON on stdout. Needs no GPU."""

import importlib.util
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any


def main() -> None:
    """Compile each request for its architectures and print the answers."""
    requests = json.load(sys.stdin)
    with tempfile.TemporaryDirectory(prefix="mutakata-") as folder:
        answers = [_answers(one, Path(folder) / str(index)) for index, one in enumerate(requests)]
    print(json.dumps(answers))


def _answers(request: dict[str, Any], folder: Path) -> list[dict[str, Any]]:
    file = Path(request["path"])
    if not file.is_file():  # the compiler reads a kernel's source from a file
        folder.mkdir()
        file = folder / "kernel.py"
        file.write_text(request["text"], encoding="utf-8")
    return [_compile(request, file, arch) for arch in request["archs"]]


def _compile(request: dict[str, Any], file: Path, arch: int) -> dict[str, Any]:
    started = time.perf_counter()
    try:
        ptx, error = _ptx(request, file, arch), ""
    except Exception as failure:  # whatever the module or the compiler raises is the answer
        ptx, error = "", f"{type(failure).__name__}: {failure}"
    return {"arch": arch, "error": error, "ptx": ptx, "seconds": round(time.perf_counter() - started, 3)}


def _ptx(request: dict[str, Any], file: Path, arch: int) -> str:
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    function = getattr(_module(file), request["kernel"])
    order = function.arg_names
    signature = {name: request["signature"][name] for name in order}
    constants = {(order.index(name),): value for name, value in request["constexprs"].items()}
    compiled = triton.compile(
        ASTSource(fn=function, signature=signature, constexprs=constants),
        target=GPUTarget("cuda", arch, 32),
        options={"num_warps": request["num_warps"]},
    )
    return str(compiled.asm["ptx"])


def _module(file: Path) -> Any:
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(file.parent))
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    main()
