"""Source-code FMUs: the engine and the FMI functions as C99, for tools and targets that compile FMUs themselves.

The C is that of the binaries, with the engine's statements tidied: `sources/engine.c` holds the engine with the kernels
of the model, the other files the FMI functions. Only `fmu.c` is to be compiled; it includes the rest. The model is in
the resources, as it is with binaries.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from pathlib import Path
from xml.etree import ElementTree as ET

from blocks.errors import ExportError
from cython_kernels.plain_c.compilers import ENGINE_FLAGS
from fmu import runtime
from fmu.runtime.c_files import TRANSLATION_UNIT, c_files
from fmu.runtime.engine_parts import EngineC

COMPILED = "fmu.c"
"""The file to compile, for `<SourceFiles>` of FMI 2.0's model description."""

_MAIN = """\
/* The FMU '{identifier}' for FMI {fmi}: compile this file; it includes the others, and the headers of FMI.
 *
 * C99 that needs the C library only. With the option -ffp-contract=off, one rounding per operation, it computes what
 * the binaries of Keelblocks compute. The names of the functions begin with the model identifier, as the standard has
 * it for source code, unless FMI{major}_OVERRIDE_FUNCTION_PREFIX is defined, which it is for a shared library.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef FMI{major}_FUNCTION_PREFIX
#define FMI{major}_FUNCTION_PREFIX {identifier}_
#endif

#ifdef __GNUC__ /* gcc and clang: what versions of FMI share is not all used by each */
#pragma GCC diagnostic ignored "-Wunused-function"
#endif

#include "{unit}"
"""


def source_files(identifier: str, fmi: str, kernels: Collection[str]) -> dict[str, bytes]:
    """The files of `sources` in the FMU of a model identifier, by their paths, for FMI "2.0" or "3.0".

    kernels: those of the model. Among the files is buildDescription.xml, which is FMI 3.0's. FMI 2.0 lists `COMPILED`
    in its model description instead. Raises ExportError if this installation of Keelblocks lacks the C files, or a
    kernel in them.
    """
    major = fmi.partition(".")[0]
    try:
        engine = _engine(runtime.READABLE_ENGINE_C, runtime.READABLE_ENGINE_C.stat().st_mtime_ns)
        runtime.check_kernels("the C of the FMU runtime", kernels, engine.kernels)
        files = c_files(major, engine.only(kernels))
    except OSError as problem:
        raise ExportError(
            f"the C file {Path(problem.filename).name} of the FMU runtime cannot be read: {problem.strerror}; "
            "build it with `make build`, or install Keelblocks anew"
        ) from None
    files[COMPILED] = _MAIN.format(identifier=identifier, fmi=fmi, major=major, unit=TRANSLATION_UNIT.name)
    files["buildDescription.xml"] = _build_description(identifier, major)
    return {f"sources/{name}": text.encode() for name, text in sorted(files.items())}


@lru_cache(maxsize=1)
def _engine(path: Path, _time: int) -> EngineC:
    """The engine's C in a file of this time."""
    return EngineC(path.read_text(encoding="utf-8"))


def _build_description(identifier: str, major: str) -> str:
    root = ET.Element("fmiBuildDescription", fmiVersion="3.0")
    configuration = ET.SubElement(root, "BuildConfiguration", modelIdentifier=identifier)
    options = {"compiler": "gcc", "compilerOptions": " ".join(ENGINE_FLAGS)}
    files = ET.SubElement(configuration, "SourceFileSet", {"language": "C99", **options})
    ET.SubElement(files, "SourceFile", name=COMPILED)
    ET.SubElement(
        files,
        "PreprocessorDefinition",
        name=f"FMI{major}_OVERRIDE_FUNCTION_PREFIX",
        value="1",
        description="functions without prefix, for a shared library; leave it out to link statically",
    )
    ET.SubElement(configuration, "Library", name="m", external="true", description="the C library's mathematics")
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'
