"""From the C of a plan to a library of this machine, kept between processes by all that it is made of."""

from __future__ import annotations

import functools
import hashlib
import os
import shlex
import threading
import time as clock
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import cython_kernels
from blocks.compiled import shelf, times
from blocks.compiled.flags import flags
from blocks.compiled.source import functions_of, source_of
from blocks.compiled.structure import Structure
from blocks.errors import LibraryError, SimulationError
from blocks.libraries.c_compiler import CompilerError, made_by
from blocks.libraries.compiling import commands_for, compiler_digest
from cython_kernels.plain_c.compilers import link_options
from cython_kernels.plain_c.generated import ENGINE_C, LANES_C
from cython_kernels.plain_c.platforms import local

WIDE_PATHS = Path(cython_kernels.__file__).resolve().parent / "mathematics" / "wide_paths.h"

_locks: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)


@dataclass(frozen=True)
class Built:
    """The library of a plan. seconds: how long it took to compile; 0 where it was there."""

    path: Path
    seconds: float = 0.0


def built(structure: Structure, write: Callable[[Structure], str] = source_of, options: tuple[str, ...] = ()) -> Built:
    """The shared library of a plan, from the cache or compiled now. Raises SimulationError if it cannot be compiled.

    write: makes the C of it. options: for the compiler, besides `flags`; another C of the same plan needs others.
    Threads that want the same plan wait for each other. Processes do not: each writes the same file as a whole, and the
    last one stays.
    """
    command = compiler()
    name = _name(structure, command, options)
    with _locks[name]:
        if (path := shelf.find(name)) is not None:
            return Built(path)
        began = clock.perf_counter()
        content = _compiled(write(structure), command, options)
        spent = clock.perf_counter() - began
        times.note(structure, spent, together=bool(options))
        try:
            return Built(shelf.put(name, content), spent)
        except OSError as problem:
            raise _refused(command, f"nowhere can its library be kept: {problem.strerror or problem}") from None


def found(structure: Structure, options: tuple[str, ...] = ()) -> Path | None:
    """The library of a plan if the cache has it. Raises SimulationError if there is no compiler that it could be of."""
    return shelf.find(_name(structure, compiler(), options))


def forget(structure: Structure, options: tuple[str, ...] = ()) -> None:
    """Take the library of a plan out of the cache: it cannot be opened."""
    shelf.drop(_name(structure, compiler(), options))


def compiler() -> list[str]:
    """This machine's compiler, or zig. Raises SimulationError if there is neither."""
    try:
        return _compiler(os.environ.get("CC", ""), os.environ.get("PATH", ""))
    except LibraryError as problem:
        raise SimulationError(
            f"a plan cannot be compiled: {problem}; or run it without `compiled`, with the same numbers",
            code="no-compiler",
        ) from None


@functools.lru_cache(maxsize=4)
def _compiler(named: str, path: str) -> list[str]:
    """By what decides it in the environment."""
    return commands_for(local(), named=False)[0]


@functools.lru_cache(maxsize=4)
def _digest_of_compiler(command: tuple[str, ...]) -> str:
    """Of what compiles and how. Raises SimulationError if it cannot be started."""
    try:
        return "\0".join([compiler_digest(command), *flags()])
    except CompilerError as problem:
        raise _refused(list(command), problem.why) from None


def _name(structure: Structure, command: list[str], options: tuple[str, ...]) -> str:
    """Of the library in the cache: by the plan, the engine, the compiler and how it is called."""
    has = [f"{kernel}: {sorted(functions_of(kernel))}" for kernel in structure.kernels]  # those of libraries may change
    made_of = [structure.digest, *has, _digest_of_sources(), _digest_of_compiler(tuple(command)), *options]
    return hashlib.sha256("\0".join(made_of).encode()).hexdigest()[:32] + local().suffix


@functools.lru_cache(maxsize=1)
def _digest_of_sources() -> str:
    """Of all that is not of the plan: the engine, and what writes calls."""
    own = [LANES_C, *sorted(Path(__file__).parent.glob("*.py"))]
    try:
        return hashlib.sha256(b"\0".join(path.read_bytes() for path in [ENGINE_C, WIDE_PATHS, *own])).hexdigest()
    except OSError as problem:
        raise SimulationError(
            f"a plan cannot be compiled: this build of Keelblocks lacks the C of its engine ({problem.filename})"
        ) from None


def _compiled(text: str, command: list[str], options: tuple[str, ...]) -> bytes:
    name = f"plan{local().suffix}"
    files = {WIDE_PATHS.name: WIDE_PATHS.read_bytes(), "plan.c": text.encode()}
    try:
        line = [*command, "plan.c", "-o", name, *flags(), *options, *link_options(local(), command, "plan"), "-lm"]
        return made_by(line, files, name)
    except CompilerError as problem:
        raise _refused(command, problem.why) from None


def _refused(command: list[str], why: str) -> SimulationError:
    return SimulationError(
        f"a plan cannot be compiled: {shlex.join(command)}: {why}; name another compiler in $CC, or run it without "
        "`compiled`, with the same numbers",
        code="no-compiler",
    )
