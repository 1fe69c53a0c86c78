"""sources/buildDescription.xml: how the C of an FMU is compiled, by each of the compilers that it was tried with.

Tools take the first of the build configurations (FMI 3.0, fmi3BuildDescription.xsd) or choose by platform, so gcc
stands first, for any platform. `python -m benchmarks.compilers` tries all of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from cython_kernels.plain_c.compilers import ENGINE_FLAGS

NO_FILES = "KEELBLOCKS_NO_FILES"
"""Defined where there is no file system: the resources are compiled in."""


@dataclass(frozen=True)
class Compiler:
    """A compiler that makes what the binaries compute. command: as one calls it, without a version; options: beside the
    files; platform: FMI's tuple, if it makes code for one of these only; no_files: the target has no file system."""

    command: str
    options: tuple[str, ...]
    description: str
    platform: str = ""
    no_files: bool = False


_CORTEX_M4 = ("-mcpu=cortex-m4", "-mthumb", "-Os", "-ffp-contract=off", "-fno-math-errno")
COMPILERS = (
    Compiler("gcc", tuple(ENGINE_FLAGS), "GNU C, for any platform"),
    Compiler("clang", tuple(ENGINE_FLAGS), "Clang, for any platform"),
    Compiler("zig cc", (*ENGINE_FLAGS, "-fno-sanitize=undefined"), "Zig, for any platform that -target names"),
    Compiler("tcc", (), "Tiny C: compiled at once, runs slowly", "x86_64-linux"),
    Compiler("musl-gcc", tuple(ENGINE_FLAGS), "GNU C with the C library musl", "x86_64-linux"),
    Compiler("x86_64-w64-mingw32-gcc", tuple(ENGINE_FLAGS), "GNU C of MinGW-w64", "x86_64-windows"),
    Compiler("emcc", ("-O3", "-ffp-contract=off", "-fno-math-errno"), "Emscripten, WebAssembly", no_files=True),
    Compiler("arm-none-eabi-gcc", _CORTEX_M4, "GNU C for Arm without an operating system: a Cortex-M4", no_files=True),
)
"""In the order in which the description has them."""


def build_description(identifier: str, major: str, compiled: Iterable[str]) -> str:
    """The text of buildDescription.xml for a model identifier, a major version of FMI and the files to compile."""
    root = ET.Element("fmiBuildDescription", fmiVersion="3.0")
    names = tuple(compiled)
    for compiler in COMPILERS:
        platform = {"platform": compiler.platform} if compiler.platform else {}
        configuration = ET.SubElement(
            root, "BuildConfiguration",
            {"modelIdentifier": identifier, **platform, "description": compiler.description},
        )  # fmt: skip
        options = {"compilerOptions": " ".join(compiler.options)} if compiler.options else {}
        files = ET.SubElement(
            configuration, "SourceFileSet", {"language": "C99", "compiler": compiler.command, **options}
        )
        for name in names:
            ET.SubElement(files, "SourceFile", name=name)
        _define(
            files,
            f"FMI{major}_OVERRIDE_FUNCTION_PREFIX",
            "functions without prefix, for a shared library; leave it out to link statically",
        )
        if compiler.no_files:
            _define(files, NO_FILES, "the resources are compiled in, since there is no file system")
        ET.SubElement(configuration, "Library", name="m", external="true", description="the C library's mathematics")
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _define(files: ET.Element, name: str, description: str) -> None:
    ET.SubElement(files, "PreprocessorDefinition", name=name, value="1", description=description)
