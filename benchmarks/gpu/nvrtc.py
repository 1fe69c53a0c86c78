"""CUDA C++ to machine code by NVRTC, which needs no GPU: of the package from PyPI, or of a CUDA toolkit."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.model import BenchmarkError

OPTIONS = ("--fmad=false",)
"""One rounding per operation."""
_LIBRARY = re.compile(r"libnvrtc\.so(\.\d+)*")


@dataclass(frozen=True)
class Compiled:
    """ptx, cubin: what was made, the second only for a real architecture; log: warnings, and what ptxas says."""

    ptx: str
    cubin: bytes
    log: str


class Nvrtc:
    """An NVRTC. version: of CUDA, major and minor."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._library = ctypes.CDLL(str(path))
        self._library.nvrtcGetErrorString.restype = ctypes.c_char_p
        major, minor = ctypes.c_int(), ctypes.c_int()
        self._check(self._library.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor)))
        self.version = (major.value, minor.value)

    def architectures(self) -> list[int]:
        """The compute capabilities that it compiles for: 90 is 9.0."""
        count = ctypes.c_int()
        self._check(self._library.nvrtcGetNumSupportedArchs(ctypes.byref(count)))
        found = (ctypes.c_int * count.value)()
        self._check(self._library.nvrtcGetSupportedArchs(found))
        return [*found]

    def compile(self, source: str, name: str, architecture: str, options: Sequence[str] = OPTIONS) -> Compiled:
        """Compile a text. architecture: sm_90 and the like. Raises BenchmarkError with the compiler's words."""
        program = ctypes.c_void_p()
        lib = self._library
        self._check(lib.nvrtcCreateProgram(ctypes.byref(program), source.encode(), name.encode(), 0, None, None))
        try:
            given = [f"--gpu-architecture={architecture}".encode(), *(option.encode() for option in options)]
            code = lib.nvrtcCompileProgram(program, len(given), (ctypes.c_char_p * len(given))(*given))
            log = self._text(program, "ProgramLog")
            if code:
                said = lib.nvrtcGetErrorString(code).decode()
                raise BenchmarkError(f"NVRTC {self._named()} does not compile {name} for {architecture}: {said}\n{log}")
            cubin = self._bytes(program, "CUBIN") if architecture.startswith("sm_") else b""
            return Compiled(self._text(program, "PTX"), cubin, log)
        finally:
            lib.nvrtcDestroyProgram(ctypes.byref(program))

    def _named(self) -> str:
        return ".".join(map(str, self.version))

    def _text(self, program: ctypes.c_void_p, what: str) -> str:
        return self._bytes(program, what).rstrip(b"\0").decode()

    def _bytes(self, program: ctypes.c_void_p, what: str) -> bytes:
        size = ctypes.c_size_t()
        self._check(getattr(self._library, f"nvrtcGet{what}Size")(program, ctypes.byref(size)))
        found = ctypes.create_string_buffer(size.value)
        self._check(getattr(self._library, f"nvrtcGet{what}")(program, found))
        return found.raw

    def _check(self, code: int) -> None:
        if code:
            raise BenchmarkError(f"{self.path}: {self._library.nvrtcGetErrorString(code).decode()}")


def found(newest: int | None = None) -> Nvrtc:
    """The newest NVRTC that there is. newest: major version of CUDA that the driver knows, where machine code is run.

    Raises BenchmarkError if there is none, and says how it is had.
    """
    there: list[Nvrtc] = []
    for path in _paths():
        try:
            there.append(Nvrtc(path))
        except (OSError, BenchmarkError):
            continue
    fitting = [one for one in there if newest is None or one.version[0] <= newest]
    if fitting:
        return max(fitting, key=lambda one: one.version)
    package = "keelblocks[cuda]"
    if newest is not None and newest < 13:
        package = f"nvidia-cuda-nvrtc-cu{newest}"  # the extra has 13, which an older driver does not take
    others = ", ".join(".".join(map(str, one.version)) for one in there)
    looked = f"those that are here, {others}, are newer than its driver" if there else "no NVRTC is here"
    raise BenchmarkError(f'{looked}: pip install "{package}", or set CUDA_PATH to a CUDA toolkit')


def _paths() -> Iterator[Path]:
    spec = importlib.util.find_spec("nvidia")
    folders = [Path(place) for place in (spec.submodule_search_locations or ())] if spec else []
    places = [library for folder in folders for library in sorted(folder.glob("*/lib"))]
    places += [Path(os.environ.get("CUDA_PATH", "/usr/local/cuda")) / "lib64"]
    for place in places:
        if place.is_dir():
            yield from (path for path in sorted(place.iterdir()) if _LIBRARY.fullmatch(path.name))
