"""From the C of a plan to a library of this machine, kept between processes by all that it is made of."""

from __future__ import annotations

import functools
import hashlib
import shlex
import subprocess
import tempfile
from pathlib import Path

import cython_kernels
from blocks.compiled.source import source_of
from blocks.compiled.structure import Structure
from blocks.errors import LibraryError, SimulationError
from blocks.files.cache import cache_folder, keep
from blocks.libraries.compiling import commands_for, compiler_digest
from cython_kernels.plain_c.compilers import ENGINE_FLAGS, link_options
from cython_kernels.plain_c.generated import ENGINE_C
from cython_kernels.plain_c.platforms import local

FLAGS = [
    "-std=c99", *ENGINE_FLAGS, "-DKEELBLOCKS_WIDE", "-I.", "-fopenmp-simd", "-fPIC", "-fvisibility=hidden", "-g0",
    "-fdata-sections", "-ffunction-sections", "-fno-strict-aliasing", "-w",
]  # fmt: skip
"""As the engine is compiled: the same numbers. What is a `View` here, a kernel sees as a struct of its names."""
WIDE_PATHS = Path(cython_kernels.__file__).resolve().parent / "mathematics" / "wide_paths.h"


def built(structure: Structure) -> Path:
    """The shared library of a plan, from the cache or compiled now. Raises SimulationError if it cannot be compiled."""
    command = compiler()
    made_of = [structure.digest, _digest_of_sources(), compiler_digest(command), *FLAGS]
    digest = hashlib.sha256("\0".join(made_of).encode()).hexdigest()
    name = f"plans/{digest[:32]}{local().suffix}"
    path = cache_folder() / name
    if path.is_file():
        return path
    content = _compiled(source_of(structure), command)
    return keep(name, content) or _beside(content)


def compiler() -> list[str]:
    """This machine's compiler, or zig. Raises SimulationError if there is neither."""
    try:
        return _compiler()
    except LibraryError as problem:
        raise SimulationError(f"a plan cannot be compiled: {problem}", code="no-compiler") from None


@functools.lru_cache(maxsize=1)
def _compiler() -> list[str]:
    return commands_for(local(), named=False)[0]


@functools.lru_cache(maxsize=1)
def _digest_of_sources() -> str:
    """Of all that is not of the plan: the engine, and what writes calls."""
    own = sorted(Path(__file__).parent.glob("*.py"))
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in [ENGINE_C, WIDE_PATHS, *own])).hexdigest()


def _compiled(text: str, command: list[str]) -> bytes:
    name = f"plan{local().suffix}"
    with tempfile.TemporaryDirectory() as scratch:
        Path(scratch, WIDE_PATHS.name).write_bytes(WIDE_PATHS.read_bytes())
        Path(scratch, "plan.c").write_text(text, encoding="utf-8")
        line = [*command, *FLAGS, "plan.c", "-o", name, *link_options(local(), command, "plan"), "-lm"]
        done = subprocess.run(line, cwd=scratch, capture_output=True, text=True, errors="replace", check=False)
        if done.returncode != 0:
            raise SimulationError(
                f"a plan cannot be compiled: {shlex.join(command)} refused its C: "
                f"{(done.stderr.strip().splitlines() or ['without a word'])[0]}; run it without `compiled`"
            )
        return Path(scratch, name).read_bytes()


_kept_open: list[tempfile.TemporaryDirectory[str]] = []


def _beside(content: bytes) -> Path:
    """A file for this process alone, where no cache can be written."""
    folder = tempfile.TemporaryDirectory()
    _kept_open.append(folder)
    path = Path(folder.name, f"plan{local().suffix}")
    path.write_bytes(content)
    return path
