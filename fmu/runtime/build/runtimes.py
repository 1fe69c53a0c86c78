"""Build the FMU runtime: the FMI front doors over the engine, a shared library that serves every exported model.

There is one for each version of FMI. Kernels are linked behind it in sections, of which an FMU gets those that it
needs. Nothing of Keelblocks is imported here but its neighbours, because the build uses this file before anything is
installed: `build_backend.runtime_build` loads it.
"""

import importlib.util
import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from cython_kernels.plain_c.compilers import ENGINE_FLAGS as SHIPPED_FLAGS
from cython_kernels.plain_c.compilers import compiler, link_options, own_compiler
from cython_kernels.plain_c.engine_parts import LIBRARIES, EngineC
from cython_kernels.plain_c.platforms import PLATFORMS, WEBASSEMBLY, Platform, local

from ..c_files import SOURCES, VERSIONS, WIDE_PATHS, c_files
from ..code_signature import can_be_signed
from ..stored import ALWAYS, file_name, stored
from .linking import Toolchain, section_starts
from .windows_library import WHAT_WINDOWS_LACKS, import_libraries

QUICK = os.environ.get("KEELBLOCKS_QUICK", "0") == "1"
"""A build that is soon there and runs slowly: the numbers are the same."""

ENGINE_FLAGS = ["-O0" if QUICK and flag == "-O3" else flag for flag in SHIPPED_FLAGS]
# Vectors where wide_paths.h wants them, nowhere else.
FLAGS = ["-std=c99", *ENGINE_FLAGS, "-DKEELBLOCKS_WIDE", "-I.", "-fopenmp-simd", "-fPIC", "-fvisibility=hidden"]

# Small, and with nothing of the machine that builds: no symbols but those of FMI, no debugging, no paths, no build id.
_SMALL = ["-g0", "-fdata-sections", f"-ffile-prefix-map={SOURCES}=runtime"]
# A quarter smaller than -O3 and a twentieth slower: what is declared inline is inlined where it is small. Nothing
# unwinds the stack of C, but zig's threads for Windows say how. What that takes of a kernel is in every FMU: kernels
# have none.
_COMPACT = ["-Os", "-mllvm", "-inlinehint-threshold=150"]
_NEVER_UNWOUND = ["-fno-unwind-tables", "-fno-asynchronous-unwind-tables"]
_SMALLER = {
    ".so": [*_COMPACT, *_NEVER_UNWOUND],
    ".dll": _COMPACT,
    ".dylib": [*_COMPACT, *_NEVER_UNWOUND],
}

COMPILERS = [SOURCES.parents[2] / "cython_kernels" / "plain_c" / name for name in ("compilers.py", "platforms.py")]

OPENING = ("opened_libraries.c", "libraries.h")
"""The C files of the section LIBRARIES."""

PYTHON_STUB = "python_stub.so"
"""What `python_stub.py` puts beside the runtimes."""
MODULE = "engine.wasm"
"""What `webassembly.py` puts beside them."""


def fmi_headers() -> Path:
    """The folder of the FMI headers, which FMPy brings. Raises FileNotFoundError if it does not."""
    spec = importlib.util.find_spec("fmpy")
    for place in (spec.submodule_search_locations or []) if spec else []:
        if Path(place, "c-code", "fmi2Functions.h").is_file():
            return Path(place, "c-code")
    raise FileNotFoundError("the FMI headers come with FMPy: pip install fmpy")


def python_sources() -> list[Path]:
    """What decides how the C is compiled: a change of it makes what was made before old."""
    return [*SOURCES.parent.glob("*.py"), *SOURCES.parent.glob("build/*.py"), *COMPILERS]


def build_runtimes(engine_c: Path, destination: Path, cache: Path, named: Sequence[Platform] = ()) -> None:
    """Build the runtimes for this machine and the named platforms.

    `destination` then has a folder `<platform>` for each of these, with a file for each version of FMI, and nothing
    else, which could be of older sources; what others build for named platforms stays. What was made before and is up
    to date is taken from `cache`. `engine_c` is the engine as `cython_kernels.plain_c.standalone` wrote it. Raises
    BuildError without a compiler or if it refuses.
    """
    chosen = [platform for platform in dict.fromkeys((local(), *named)) if platform != WEBASSEMBLY]
    newest = max(path.stat().st_mtime for path in (engine_c, *python_sources(), *SOURCES.glob("*.[ch]")))
    for platform in chosen:
        command = compiler(platform, named)
        folder = cache / ("own" if command == own_compiler() else "zig") / platform.name
        files = [folder / file_name(version) for version in VERSIONS]
        if not all(file.exists() and file.stat().st_mtime >= newest for file in files):
            compile_runtimes(EngineC(engine_c.read_text(encoding="utf-8")), folder, platform, command)
        for file in files:
            replace(file, destination / platform.name / file.name)
    for old in destination.iterdir():
        if old.is_dir() and old.name not in {platform.name for platform in (*chosen, *named)}:
            shutil.rmtree(old)
    for old in destination.glob("*/*"):
        if old.name not in (PYTHON_STUB, MODULE, *map(file_name, VERSIONS)):
            old.unlink()


def compile_runtimes(engine: EngineC, folder: Path, platform: Platform, command: Sequence[str]) -> None:
    """Compile, link and store the runtimes for a platform in a folder. Raises BuildError if the compiler refuses.

    Objects are kept there too: what is as it was is not compiled again.
    """
    zig = "ziglang" in command
    windows = zig and platform.suffix == ".dll"
    flags = [*FLAGS, *(_SMALLER[platform.suffix] if zig else []), *_SMALL, "-isystem", str(fmi_headers())]
    headers = {path.name: path.read_text(encoding="utf-8") for path in (SOURCES / "section.h", WIDE_PATHS)}
    opening = {name: Path(SOURCES, name).read_text(encoding="utf-8") for name in OPENING}
    sections = engine.sections()
    units = {_object(name): {f"{name}.c": engine.section(name), **headers} for name in sections}
    units[_object(LIBRARIES)] |= opening
    if windows:
        units["windows"] = {WHAT_WINDOWS_LACKS.name: WHAT_WINDOWS_LACKS.read_text(encoding="utf-8")}
    doors = {file_name(version): c_files(version, _engine(engine, platform, version)) | headers for version in VERSIONS}
    toolchain = Toolchain([*command, *flags], platform.name, folder / "objects")
    objects = toolchain.compile(doors | units, dict.fromkeys(units, _NEVER_UNWOUND if windows else ()))
    windows_own = import_libraries(folder / "import") if windows else []
    where_dlopen_is = ["-ldl"] if platform.suffix == ".so" else []  # glibc before 2.34; the C library alone, since
    options = [*link_options(platform, command, "keelblocks"), *windows_own, "-lm", *where_dlopen_is]
    for file in doors:
        order = [objects[name] for name in (file, *units)]
        library = toolchain.link(order, f"keelblocks{platform.suffix}", options)
        starts = section_starts(library, {name: objects[_object(name)].read_bytes() for name in sections})
        if platform not in PLATFORMS or not can_be_signed(library):
            starts = {}  # of other processors it is not known that no section has code that others call
        first = (ALWAYS, [] if starts else [*engine.kernels, LIBRARIES], 0)
        Path(folder, f"new.{file}").write_bytes(
            stored(library, [first, *((n, sections[n], at) for n, at in starts.items())])
        )
        Path(folder, f"new.{file}").replace(folder / file)


def _engine(engine: EngineC, platform: Platform, version: str) -> str:
    """The engine for a version of FMI, which knows where an FMU has the files of this platform."""
    folder = platform.folder(f"{version}.0")
    return f'#define KB_FOLDER "{folder}"\n#define KB_PLATFORM "{platform.name}"\n{engine.without_kernels()}'


def _object(section: str) -> str:
    return f"section_{section}"


def replace(source: Path, target: Path) -> None:
    """Copy a file unless it is there, at once, so that a process that has the old one open keeps it."""
    content = source.read_bytes()
    if target.exists() and target.read_bytes() == content:
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as scratch:
        shutil.copy2(source, scratch)
        Path(scratch, source.name).replace(target)
