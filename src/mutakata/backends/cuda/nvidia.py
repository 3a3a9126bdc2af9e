"""The compile gate: does NVIDIA's compiler take the file too? The simulation's compiler is more lenient."""

from __future__ import annotations

import ctypes
import importlib.util
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

NOT_PROVED = "not proved here"
ARCHITECTURES = ("sm_80", "sm_90")


@dataclass(frozen=True)
class GateResult:
    """`accepted` is None, and `tool` says ``not proved here``, on a machine with neither compiler."""

    arch: str
    accepted: bool | None
    tool: str
    log: str = ""


def gate(text: str, filename: str, arch: str = "sm_80") -> GateResult:
    """Compiles a ``.cu`` text for a real GPU by nvcc, or by NVRTC from PyPI; neither needs a GPU."""
    if shutil.which("nvcc"):
        return _by_nvcc(text, filename, arch)
    library = find_nvrtc()
    if library is None:
        return GateResult(arch, None, NOT_PROVED, "neither nvcc nor NVRTC is installed")
    accepted, log, _ = compile_by_nvrtc(library, text, filename, arch)
    return GateResult(arch, accepted, "nvrtc", log)


def _by_nvcc(text: str, filename: str, arch: str) -> GateResult:
    with tempfile.TemporaryDirectory() as folder:
        unit = Path(folder) / Path(filename).name
        unit.write_text(text, encoding="utf-8")
        command = ["nvcc", "-std=c++17", f"-arch={arch}", "-cubin", f"-I{Path(filename).resolve().parent}"]
        done = subprocess.run(
            [*command, "-o", f"{folder}/unit.cubin", str(unit)], capture_output=True, text=True, timeout=300
        )
    log = (done.stderr + done.stdout).replace(str(unit), filename)
    return GateResult(arch, done.returncode == 0, "nvcc", log)


def find_nvrtc() -> Path | None:
    """NVRTC's library from the PyPI packages nvidia-cuda-nvrtc or nvidia-cuda-nvrtc-cu12; None without."""
    spec = importlib.util.find_spec("nvidia")
    roots = list(spec.submodule_search_locations or []) if spec else []
    found = sorted(p for r in roots for p in Path(r).glob("*/lib/libnvrtc.so.*") if "builtins" not in p.name)
    return found[0] if found else None


def nvidia_includes() -> list[str]:
    """Folders with cuda_fp16.h: from PyPI's runtime package, or from a toolkit."""
    spec = importlib.util.find_spec("nvidia")
    roots = list(spec.submodule_search_locations or []) if spec else []
    folders = [p.parent for r in roots for p in Path(r).glob("*/include/cuda_fp16.h")]
    nvcc = shutil.which("nvcc")
    if nvcc:
        folders.append(Path(nvcc).resolve().parent.parent / "include")
    return [str(f) for f in folders if f.is_dir()]


def compile_by_nvrtc(
    library: Path, text: str, filename: str, arch: str, *options: str
) -> tuple[bool, str, bytes]:
    """Whether NVRTC takes the text, what it says, and the cubin."""
    nvrtc = ctypes.CDLL(str(library))
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    name = Path(filename).name.encode()
    if nvrtc.nvrtcCreateProgram(ctypes.byref(program), text.encode(), name, 0, None, None):
        return False, "NVRTC could not start", b""
    words = [f"--gpu-architecture={arch}", "--std=c++17", "-default-device", *options]
    words += [f"-I{folder}" for folder in [str(Path(filename).resolve().parent), *nvidia_includes()]]
    array = (ctypes.c_char_p * len(words))(*(w.encode() for w in words))
    failed = nvrtc.nvrtcCompileProgram(program, len(words), array)
    nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetProgramLog(program, log)
    cubin = b""
    if not failed:
        nvrtc.nvrtcGetCUBINSize(program, ctypes.byref(size))
        held = ctypes.create_string_buffer(size.value)
        nvrtc.nvrtcGetCUBIN(program, held)
        cubin = held.raw
    nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    return not failed, log.value.decode(errors="replace"), cubin
