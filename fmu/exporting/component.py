"""FMUs of FMI 3.0 with a component of WebAssembly in them, as the draft FMI-LS-WASM has it.

zig compiles the C of a source-code FMU with `runtime/c/component.c`, the model compiled in, since a component has no
file system: it imports the host's messages and nothing else. What was compiled is kept in the user's cache.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from blocks.errors import ExportError
from blocks.files.cache import kept
from cython_kernels.plain_c.compilers import ZIG, zig
from cython_kernels.plain_c.platforms import WEBASSEMBLY
from fmu.exporting.build_description import NO_FILES
from fmu.exporting.manifest import manifest
from fmu.runtime.build.runtimes import fmi_headers
from fmu.runtime.c_files import SOURCES, WIDE_PATHS
from fmu.runtime.webassembly.component import component
from fmu.runtime.webassembly.interfaces import CO_SIMULATION, MODEL_EXCHANGE, VERSION
from fmu.runtime.webassembly.kernels import without_notes
from fmu.runtime.webassembly.options import FLAGS, LINK

PLATFORM = "wasm32-wasip2"
"""The folder below `binaries` that the draft has for components."""
MANIFEST = "extra/org.modelica.fmi-ls-wasm/manifest.xml"
_STANDARD = ("org.modelica.fmi-ls-wasm", VERSION, "FMI Layered Standard for WebAssembly")
_DOOR = ("component.c", "component_values.c")
_INTERFACES = {"cs": CO_SIMULATION, "me": MODEL_EXCHANGE}
_DEFINED = {"cs": "-DCOMPONENT_CO_SIMULATION", "me": "-DCOMPONENT_MODEL_EXCHANGE"}
_MEMORY = "-Wl,--import-memory"  # so that functions of the host, which read it, are there before the module is


def component_files(identifier: str, interfaces: Sequence[str], sources: Mapping[str, bytes]) -> dict[str, bytes]:
    """The component of an FMU and its manifest, by their paths.

    sources: the files of its folder `sources`, for FMI 3.0, with the resources in C. Raises ExportError without zig, or
    if it refuses.
    """
    if importlib.util.find_spec("ziglang") is None:
        raise ExportError(f"a component of WebAssembly is compiled by zig when it is exported: pip install '{ZIG}'")
    files = {name.removeprefix("sources/"): content for name, content in sources.items() if not name.endswith(".xml")}
    files |= {name: (SOURCES / name).read_bytes() for name in _DOOR} | {WIDE_PATHS.name: WIDE_PATHS.read_bytes()}
    units = [_DOOR[0], *(name for name in files if name.endswith("_library.c"))]
    defined = [f"-D{NO_FILES}", "-DFMI3_OVERRIDE_FUNCTION_PREFIX", *(_DEFINED[name] for name in interfaces)]
    command = [*zig(WEBASSEMBLY), *FLAGS, *defined, *units, *LINK, _MEMORY, "-s", "-o", "fmu.wasm"]
    everything = [importlib.metadata.version("ziglang"), *command[1:], *files]
    digest = hashlib.sha256("\0".join(everything).encode() + b"\0".join(files.values())).hexdigest()
    module = kept(f"webassembly/fmu-{digest[:32]}.wasm", lambda: _compiled(command, files, identifier))
    offered = [_INTERFACES[name] for name in interfaces]
    return {f"binaries/{PLATFORM}/{identifier}.wasm": component(module, offered), MANIFEST: manifest(*_STANDARD)}


def _compiled(command: Sequence[str], files: Mapping[str, bytes], identifier: str) -> bytes:
    with tempfile.TemporaryDirectory() as scratch:
        for name, content in files.items():
            Path(scratch, name).write_bytes(content)
        done = subprocess.run(
            [*command, "-isystem", str(fmi_headers())],
            cwd=scratch, capture_output=True, encoding="utf-8", errors="replace", check=False,
        )  # fmt: skip
        if done.returncode:
            said = [line for line in done.stderr.splitlines() if "error" in line] or done.stderr.splitlines()[-1:]
            raise ExportError(
                f"'{identifier}' cannot be compiled for WebAssembly ({said[0] if said else 'zig says no more'}): leave "
                "the layered standard wasm out, or mend the kernels of its libraries"
            )
        return without_notes(Path(scratch, "fmu.wasm").read_bytes())
