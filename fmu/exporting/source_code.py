"""Source-code FMUs: the engine and the FMI functions as C99, for tools and targets that compile FMUs themselves.

The C is that of the binaries, with the engine's statements tidied: `sources/engine.c` holds the engine with the kernels
of the model, the other files the FMI functions. Only `fmu.c` is to be compiled; it includes the rest,
but for compiled libraries, each of which is a file by itself. The model is in
the resources, as it is with binaries, and once more as C, for targets without files.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from blocks.errors import ExportError
from cython_kernels.plain_c.engine_parts import LIBRARIES, EngineC
from fmu import runtime
from fmu.exporting.build_description import build_description
from fmu.exporting.resources_in_c import resources_in_c
from fmu.runtime.c_files import MODEL_IN_C, TRANSLATION_UNIT, c_files
from fmu.runtime.compiled_libraries import CompiledLibrary

COMPILED = "fmu.c"
"""The file to compile, for `<SourceFiles>` of FMI 2.0's model description."""

_MAIN = """\
/* The FMU '{identifier}' for FMI {fmi}: compile this file; it includes the others, and the headers of FMI.
 *
 * C99 that needs the C library only. With the option -ffp-contract=off, one rounding per operation, it computes what
 * the binaries of Keelblocks compute. The names of the functions begin with the model identifier, as the standard has
 * it for source code, unless FMI{major}_OVERRIDE_FUNCTION_PREFIX is defined, which it is for a shared library.
 *
 * The model is read from the resources; if KEELBLOCKS_NO_FILES is defined, it is compiled in, no file is opened, and
 * the location of the resources that an instance is given is not looked at.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef FMI{major}_FUNCTION_PREFIX
#define FMI{major}_FUNCTION_PREFIX {identifier}_
#endif

#ifdef __GNUC__ /* gcc and clang: what versions of FMI share is not all used by each */
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
{linked}
#include "{unit}"
"""

_LIBRARY = """\
/* Kernels of {title}, to be compiled by itself and linked. */
#define KEELBLOCKS_LIBRARY {function}

#ifdef __GNUC__
#pragma GCC diagnostic ignored "-Wunused-function"
#endif

"""


def compiled_files(libraries: Iterable[CompiledLibrary]) -> tuple[str, ...]:
    """The files that a compiler is given: `COMPILED`, and one for each library."""
    return COMPILED, *(_library_file(library) for library in libraries)


def source_files(
    identifier: str,
    fmi: str,
    kernels: Collection[str],
    libraries: Sequence[CompiledLibrary] = (),
    resources: Mapping[str, bytes] | None = None,
) -> dict[str, bytes]:
    """The files of `sources` in the FMU of a model identifier, by their paths, for FMI "2.0" or "3.0".

    kernels: those of the model; libraries: those that it has others of, to be linked in; resources: the files that the
    runtime reads, by their names, to be there as C, too. Among the files is
    buildDescription.xml, which is FMI 3.0's. FMI 2.0 lists what is compiled in its model description instead.
    Raises ExportError if this installation of Keelblocks lacks the C files, or a kernel in them.
    """
    major = fmi.partition(".")[0]
    try:
        engine = _engine(runtime.READABLE_ENGINE_C, runtime.READABLE_ENGINE_C.stat().st_mtime_ns)
        own = {*kernels} - {LIBRARIES}
        runtime.check_kernels("the C of the FMU runtime", own, engine.kernels)
        files = c_files(major, engine.only(own))
    except OSError as problem:
        raise ExportError(
            f"the C file {Path(problem.filename).name} of the FMU runtime cannot be read: {problem.strerror}; "
            "build it with `make build`, or install Keelblocks anew"
        ) from None
    linked = _linked(identifier, libraries) if libraries else ""
    files[COMPILED] = _MAIN.format(
        identifier=identifier, fmi=fmi, major=major, unit=TRANSLATION_UNIT.name, linked=linked
    )
    for library in libraries:
        head = _LIBRARY.format(title=library.title, function=_function(identifier, library))
        files[_library_file(library)] = head + library.c_source
    if resources is not None:
        files[MODEL_IN_C] = resources_in_c(resources)
    files["buildDescription.xml"] = build_description(identifier, major, compiled_files(libraries))
    return {f"sources/{name}": text.encode() for name, text in sorted(files.items())}


@lru_cache(maxsize=1)
def _engine(path: Path, _time: int) -> EngineC:
    """The engine's C in a file of this time."""
    return EngineC(path.read_text(encoding="utf-8"))


def _library_file(library: CompiledLibrary) -> str:
    return f"{library.name}_library.c"


def _function(identifier: str, library: CompiledLibrary) -> str:
    """The name of the function that gives a library: of its own in each FMU, since several may be in one program."""
    return f"{identifier}_{library.name}_library"


def _linked(identifier: str, libraries: Iterable[CompiledLibrary]) -> str:
    names = [_function(identifier, library) for library in libraries]
    declared = "".join(f"const struct KernelLibrary* {name}(void);\n" for name in names)
    return f"\nstruct KernelLibrary;\n{declared}#define KB_LINKED_LIBRARIES {' '.join(f'{name},' for name in names)}\n"
