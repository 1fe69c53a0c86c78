"""The judges: every way in which this machine can run a plan, and what it lacks for those that it cannot run."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from benchmarks.same_bits import chromium, web_assembly
from benchmarks.same_bits.job import Answer, Job, run_here
from benchmarks.same_bits.program import ZIG, compile_runner
from benchmarks.wine import end_wine, wine, wine_environment
from cython_kernels import engine as native

PATHS = {"SSE2": 0, "AVX2": 1, "AVX-512": 2}
"""Instructions of x86-64 by their names, as places in `SIMD` of the engine."""


class JudgeError(Exception):
    """A judge that was there could not be run: says why."""


@dataclass(frozen=True)
class Judge(ABC):
    """Something that runs plans. words: by which `--only` finds it."""

    name: str
    words: tuple[str, ...]

    @abstractmethod
    def missing(self) -> str:
        """What to install, or what else keeps it from running here; empty if nothing does."""

    @abstractmethod
    def version(self) -> str:
        """Which compiler, and which system or machine, ran it."""

    @abstractmethod
    def answers(self, jobs: Sequence[Job], engine_c: Path, folder: Path) -> list[Answer]:
        """Run the jobs; `engine_c` has their kernels, `folder` is for what is made. Raises JudgeError."""


@dataclass(frozen=True)
class ThisPython(Judge):
    """The engine of this Python, with loops over waves in instructions of one kind."""

    path: int

    def missing(self) -> str:
        return _no_path(self.path)

    def version(self) -> str:
        return f"Python {sys.version.partition(' ')[0]}"

    def answers(self, jobs: Sequence[Job], engine_c: Path, folder: Path) -> list[Answer]:
        native.use_simd(native.SIMD[self.path])
        try:
            return [run_here(job) for job in jobs]
        finally:
            native.use_simd()


@dataclass(frozen=True)
class Program(Judge):
    """A program that a C compiler made, started by another one where it is for another system or processor."""

    compiler: str
    flags: tuple[str, ...]
    target: str = ""
    path: int = 0
    launcher: str = ""

    def missing(self) -> str:
        return _no_compiler(self.compiler) or _no_launcher(self.launcher) or _no_path(self.path)

    def version(self) -> str:
        return ", ".join(version_of(tool) for tool in (self.compiler, self.launcher) if tool)

    def answers(self, jobs: Sequence[Job], engine_c: Path, folder: Path) -> list[Answer]:
        suffix = ".exe" if "windows" in self.target else ""
        program = compile_runner(self.compiler, self.target, self.flags, engine_c, folder, suffix)
        files = [(folder / f"{i}.job", folder / f"{i}.result") for i in range(len(jobs))]
        for job, (given, _) in zip(jobs, files, strict=True):
            given.write_bytes(job.to_bytes(self.path))
        launcher = [_found(self.launcher)] if self.launcher else []
        command = [*launcher, str(program), *(file.name for pair in files for file in pair)]
        in_wine = self.launcher == "wine64"
        own = os.environ | (wine_environment(folder / "wine") if in_wine else {})
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=own)
        if in_wine:
            end_wine(folder / "wine")
        if done.returncode != 0:
            raise JudgeError(f"{' '.join(command[:2])} ended with {done.returncode}: {done.stderr.strip()[-300:]}")
        return [Answer.from_bytes(result.read_bytes()) for _, result in files]


@dataclass(frozen=True)
class Module(Judge):
    """A module of WebAssembly."""

    runtime: str
    flags: tuple[str, ...]

    def missing(self) -> str:
        return _no_compiler(ZIG) or _no_launcher(self.runtime)

    def version(self) -> str:
        return f"{version_of(ZIG)}, {version_of(self.runtime)}"

    def answers(self, jobs: Sequence[Job], engine_c: Path, folder: Path) -> list[Answer]:
        module = compile_runner(ZIG, "wasm32-wasi", self.flags, engine_c, folder, ".wasm").read_bytes()
        asked = [job.to_bytes() for job in jobs]
        try:
            if self.runtime == "wasmtime":
                found = web_assembly.run(module, asked)
            else:
                found = chromium.run(module, asked, _found(self.runtime), folder)
        except (web_assembly.ModuleError, chromium.BrowserError) as problem:
            raise JudgeError(str(problem)) from None
        return [Answer.from_bytes(data) for data in found]


def judges() -> list[Judge]:
    """All of them, those too that cannot be run here."""
    wide = ("-DKEELBLOCKS_WIDE", "-fopenmp-simd", "-ftree-vectorize")
    native_code = ("-O3", "-march=native")
    lanes = (*wide, "-msimd128")
    found: list[Judge] = [ThisPython(f"engine, {name}", ("engine", name), path) for name, path in PATHS.items()]
    for compiler in ("gcc", "clang"):
        found += [Program(f"{compiler} {o}", (compiler, "glibc"), compiler, (o,)) for o in ("-O0", "-O2", "-O3", "-Os")]
        found.append(Program(f"{compiler} {' '.join(native_code)}", (compiler, "glibc"), compiler, native_code))
    found += [
        Program(f"clang, {name}", ("clang", "glibc", name), "clang", wide, path=path) for name, path in PATHS.items()
    ]
    found += [
        Program("zig -O3, musl", (ZIG, "musl"), ZIG, ("-O3",), "x86_64-linux-musl"),
        Program("Windows", (ZIG, "windows", "wine"), ZIG, ("-O3",), "x86_64-windows-gnu", launcher="wine64"),
        *(
            Program(f"Windows, {name}", (ZIG, "windows", "wine", name), ZIG, wide, "x86_64-windows-gnu", path, "wine64")
            for name, path in PATHS.items()
        ),
        Program("arm64", (ZIG, "arm64", "qemu"), ZIG, ("-O3",), "aarch64-linux-musl", launcher="qemu-aarch64"),
        Program("arm64, NEON", (ZIG, "arm64", "qemu"), ZIG, wide, "aarch64-linux-musl", launcher="qemu-aarch64"),
    ]
    for runtime in ("wasmtime", "chromium"):
        found += [
            Module(f"WebAssembly in {runtime}{name}", (ZIG, "wasm", runtime), runtime, flags)
            for name, flags in (("", ("-O3",)), (", SIMD", lanes))
        ]
    return found


@cache
def version_of(tool: str) -> str:
    """A tool and its version, in a few words."""
    if tool == "wasmtime":
        return f"wasmtime {importlib.metadata.version('wasmtime')}"
    if tool == ZIG:
        return f"zig {importlib.metadata.version('ziglang')}"
    said = subprocess.run([_found(tool), "--version"], capture_output=True, text=True, check=False).stdout
    number = re.search(r"\d+(\.\d+)+", re.sub(r"\(.*?\)", "", said))
    return f"{tool} {number[0]}" if number else tool


def _no_compiler(compiler: str) -> str:
    if compiler == ZIG:
        return "" if importlib.util.find_spec("ziglang") else "zig: pip install 'keelblocks[platforms]'"
    return "" if shutil.which(compiler) else f"{compiler}: apt-get install {compiler}"


def _no_launcher(launcher: str) -> str:
    if launcher == "wasmtime":
        return "" if importlib.util.find_spec("wasmtime") else "wasmtime: pip install 'keelblocks[test]'"
    if not launcher or _found(launcher):
        return ""
    return f"{launcher}: apt-get install {'qemu-user' if launcher == 'qemu-aarch64' else launcher}"


def _no_path(path: int) -> str:
    if path == 0:
        return ""
    try:
        there = native.use_simd(native.SIMD[path]) == native.SIMD[path]
    finally:
        native.use_simd()
    return "" if there else "a processor that has them, and an engine with wide paths"


def _found(tool: str) -> str:
    """The path of a program; empty if it is not there."""
    return wine() if tool == "wine64" else shutil.which(tool) or ""
