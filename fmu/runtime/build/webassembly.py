"""Build the engine for WebAssembly: one module with every kernel, for pages and programs. It is no platform of FMI.

Loops over waves are vectors, of two numbers. Nothing of Keelblocks is imported here but its neighbours, because the
build uses this file before anything is installed.
"""

from collections.abc import Sequence
from pathlib import Path

from cython_kernels.plain_c.compilers import BuildError, compiler
from cython_kernels.plain_c.engine_parts import EngineC, finder
from cython_kernels.plain_c.platforms import WEBASSEMBLY, Platform

from ..c_files import WIDE_PATHS
from ..webassembly.kernels import with_table
from ..webassembly.options import DOOR, FLAGS, LINK
from .linking import Toolchain
from .runtimes import MODULE, python_sources, replace


def build_webassembly(engine_c: Path, destination: Path, cache: Path, named: Sequence[Platform] = ()) -> None:
    """Build the module, `destination/wasm32/engine.wasm`, if the platform is named.

    What was made before and is up to date is taken from `cache`. `engine_c` is the engine as
    `cython_kernels.plain_c.standalone` wrote it. Raises BuildError without zig, or if it refuses.
    """
    if WEBASSEMBLY not in named:
        return
    folder = cache / "zig" / WEBASSEMBLY.name
    module = folder / MODULE
    sources = [*python_sources(), *DOOR.parents[1].glob("webassembly/*.py"), DOOR, WIDE_PATHS]
    newest = max(path.stat().st_mtime for path in (engine_c, *sources))
    if not module.exists() or module.stat().st_mtime < newest:
        engine = EngineC(engine_c.read_text(encoding="utf-8"))
        compile_webassembly(engine, module, compiler(WEBASSEMBLY, named))
    replace(module, destination / WEBASSEMBLY.name / MODULE)


def compile_webassembly(engine: EngineC, module: Path, command: Sequence[str]) -> None:
    """Compile and link the module with this command. Raises BuildError if that fails."""
    files = {
        DOOR.name: DOOR.read_text(encoding="utf-8"),
        "engine.c": engine.with_finders(),
        WIDE_PATHS.name: WIDE_PATHS.read_text(encoding="utf-8"),
    }
    toolchain = Toolchain([*command, *FLAGS], WEBASSEMBLY.name, module.parent / "objects")
    linked = toolchain.link([*toolchain.compile({"engine": files}).values()], MODULE, LINK)
    owned = {kernel: (finder(kernel), functions) for kernel, functions in engine.owned().items()}
    try:
        content = with_table(linked, owned)
    except ValueError as problem:
        raise BuildError(f"building for WebAssembly failed: {problem}") from None
    made = module.with_name(f"new.{MODULE}")
    made.write_bytes(content)
    made.replace(module)
