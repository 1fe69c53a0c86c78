"""Source-code FMUs: the engine and the FMI functions as C99, for tools and targets that compile FMUs themselves.

The C is that of the binaries: `sources/engine.c` holds the engine with every kernel, the other files the FMI functions.
Only `fmu.c` is to be compiled; it includes the rest. The model is in the resources, as it is with binaries.
"""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

from blocks.errors import ExportError
from fmu import runtime
from fmu.runtime.build import ENGINE_FLAGS, SOURCES, TRANSLATION_UNIT

COMPILED = "fmu.c"
"""The file to compile, for `<SourceFiles>` of FMI 2.0's model description."""

_INCLUDE = re.compile(r'^#include "([^"]+)"[^\n]*\n', re.M)
_STANDARD = re.compile(r"fmi\d(?:Functions|FunctionTypes|TypesPlatform|PlatformTypes)\.h")  # of the importing tool
_FRONT_DOORS = {"2": "fmi2.c", "3": "fmi3.c"}
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


def source_files(identifier: str, fmi: str) -> dict[str, bytes]:
    """The files of `sources` in the FMU of a model identifier, by their paths, for FMI "2.0" or "3.0".

    Among them is buildDescription.xml, which is FMI 3.0's. FMI 2.0 lists `COMPILED` in its model description instead.
    Raises ExportError if this installation of Keelblocks lacks the C files.
    """
    major = fmi.partition(".")[0]
    files = {COMPILED: _MAIN.format(identifier=identifier, fmi=fmi, major=major, unit=TRANSLATION_UNIT.name)}
    missing = [TRANSLATION_UNIT.name]
    while missing:
        name = missing.pop(0)
        files[name] = _one_version_of(_read(name), major)
        used = [file for file in _INCLUDE.findall(files[name]) if not _STANDARD.fullmatch(file)]
        missing += [file for file in used if file not in files]
    files["buildDescription.xml"] = _build_description(identifier, major)
    return {f"sources/{name}": text.encode() for name, text in sorted(files.items())}


def _read(name: str) -> str:
    path = runtime.ENGINE_C if name == runtime.ENGINE_C.name else SOURCES / name
    try:
        return path.read_text(encoding="utf-8")
    except OSError as problem:
        raise ExportError(
            f"the C file {name} of the FMU runtime cannot be read: {problem.strerror or problem}; "
            "build it with `make build`, or install Keelblocks anew"
        ) from None


def _one_version_of(text: str, major: str) -> str:
    """C without the functions of other versions of FMI: a tool for one version has the headers of that one."""
    others = {name for version, name in _FRONT_DOORS.items() if version != major}
    return _INCLUDE.sub(lambda match: "" if match[1] in others else match[0], text)


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
