"""The engine in WebAssembly with kernels of compiled libraries: a module of its own, compiled by zig when asked for.

It is kept in the user's cache, by all that it is made of.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import subprocess
import tempfile
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from blocks.errors import ExportError
from blocks.files.cache import kept
from cython_kernels.plain_c.compilers import ZIG, zig
from cython_kernels.plain_c.engine_parts import EngineC
from cython_kernels.plain_c.platforms import WEBASSEMBLY
from fmu.runtime import ENGINE_C, check_kernels
from fmu.runtime.c_files import SOURCES, WIDE_PATHS
from fmu.runtime.compiled_libraries import CompiledLibrary
from fmu.runtime.webassembly.kernels import without_notes
from fmu.runtime.webassembly.options import DOOR, FLAGS, LINK

_LINKING = ("libraries.h", "linked_libraries.c")


def module_with(libraries: Sequence[CompiledLibrary], kernels: Collection[str]) -> bytes:
    """The module with these kernels of the engine and all of these libraries.

    Raises ExportError, which names the library, if ziglang is not there or refuses its C.
    """
    names = ", ".join(library.name for library in libraries)
    if importlib.util.find_spec("ziglang") is None:
        raise ExportError(
            f"kernels of {names} need a module of WebAssembly of their own, compiled by zig: pip install '{ZIG}'"
        )
    files = _files(libraries, kernels)
    command = [*zig(WEBASSEMBLY), *FLAGS, DOOR.name, *(_unit(library) for library in libraries), *LINK, "-s"]
    everything = [importlib.metadata.version("ziglang"), *command[1:], *files, *files.values()]
    digest = hashlib.sha256("\0".join(everything).encode()).hexdigest()
    return kept(f"webassembly/{digest[:32]}.wasm", lambda: _compiled(command, files, names))


def _unit(library: CompiledLibrary) -> str:
    return f"{library.name}_library.c"


def _files(libraries: Sequence[CompiledLibrary], kernels: Collection[str]) -> dict[str, str]:
    """What is compiled, by name."""
    engine = EngineC(ENGINE_C.read_text(encoding="utf-8"))
    check_kernels("the C of the engine", kernels, engine.kernels)
    functions = {library.name: f"{library.name}_library" for library in libraries}
    declared = "".join(f"const struct KernelLibrary* {function}(void);\n" for function in functions.values())
    linked = " ".join(f"{function}," for function in functions.values())
    files = {path.name: path.read_text(encoding="utf-8") for path in (WIDE_PATHS, *(SOURCES / n for n in _LINKING))}
    files["engine.c"] = engine.only(kernels)
    files[DOOR.name] = (
        f"struct KernelLibrary;\n{declared}#define KB_LINKED_LIBRARIES {linked}\n{DOOR.read_text(encoding='utf-8')}"
    )
    for library in libraries:
        files[_unit(library)] = f"#define KEELBLOCKS_LIBRARY {functions[library.name]}\n{library.c_source}"
    return files


def _compiled(command: Sequence[str], files: Mapping[str, str], names: str) -> bytes:
    with tempfile.TemporaryDirectory() as scratch:
        for name, text in files.items():
            Path(scratch, name).write_text(text, encoding="utf-8")
        done = subprocess.run(
            [*command, "-o", "engine.wasm"],
            cwd=scratch, capture_output=True, encoding="utf-8", errors="replace", check=False,
        )  # fmt: skip
        if done.returncode:
            said = [line for line in done.stderr.splitlines() if "error" in line] or done.stderr.splitlines()[-1:]
            raise ExportError(
                f"{names} cannot be compiled for WebAssembly ({said[0] if said else 'zig says no more'}): mend its "
                f"kernels and build it again, or run the plan in Python"
            )
        return without_notes(Path(scratch, "engine.wasm").read_bytes())
