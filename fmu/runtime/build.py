"""Build the FMU runtime: the FMI front doors over the engine, one shared library that serves every exported model.

Nothing of Keelblocks is imported here but its neighbours, because the build uses this file before anything is
installed: `build_backend.runtime_build` loads it.
"""

import importlib.util
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from .compilers import BuildError, compiler, own_compiler
from .deflated import NAME as DEFLATED
from .deflated import deflated_ahead
from .platform_table import Platform, local

SOURCES = Path(__file__).resolve().parent
TRANSLATION_UNIT = SOURCES / "keelblocks.c"
"""The one file to compile: it includes the others, and `engine.c`."""

# How the engine is compiled, here and as an extension module. One rounding per operation, so that an FMU computes what
# the engine in Python computes, to the last bit. Not vectorised: kernels write a few numbers each, and a wide load of
# numbers just written one by one has to wait for them (store forwarding). gcc and clang know all of these.
ENGINE_FLAGS = ["-O3", "-ffp-contract=off", "-fno-math-errno", "-fno-tree-vectorize", "-fno-tree-slp-vectorize"]
FLAGS = ["-std=c99", *ENGINE_FLAGS, "-fPIC", "-fvisibility=hidden", "-shared"]

# Small, and with nothing of the machine that builds: no symbols but those of FMI, no debugging, no paths, no build id.
_SMALL = ["-g0", "-ffunction-sections", "-fdata-sections", f"-ffile-prefix-map={SOURCES}=runtime"]
# A quarter smaller than -O3 and a twentieth slower: what is declared inline is inlined where it is small. Nothing
# unwinds the stack of C, but zig's threads for Windows say how.
_COMPACT = ["-Os", "-mllvm", "-inlinehint-threshold=150"]
_NEVER_UNWOUND = ["-fno-unwind-tables", "-fno-asynchronous-unwind-tables"]
_SMALLER = {
    ".so": [*_COMPACT, *_NEVER_UNWOUND],
    ".dll": _COMPACT,
    ".dylib": [*_COMPACT, *_NEVER_UNWOUND],
}
_LINK = {
    # -Bsymbolic: where a tool loads FMUs with RTLD_GLOBAL, each still calls its own functions
    ".so": ["-s", "-Wl,--gc-sections", "-Wl,--build-id=none", "-Wl,-Bsymbolic"],
    ".dll": ["-s", "-Wl,--gc-sections"],
    ".dylib": ["-Wl,-dead_strip", "-Wl,-install_name,@rpath/keelblocks.dylib"],
}


def fmi_platform() -> tuple[str, str]:
    """What FMI 2.0 calls this machine's platform, and how libraries end there."""
    return local().fmi2, local().suffix


def fmi_headers() -> Path:
    """The folder of the FMI headers, which FMPy brings. Raises FileNotFoundError if it does not."""
    spec = importlib.util.find_spec("fmpy")
    for place in (spec.submodule_search_locations or []) if spec else []:
        if Path(place, "c-code", "fmi2Functions.h").is_file():
            return Path(place, "c-code")
    raise FileNotFoundError("the FMI headers come with FMPy: pip install fmpy")


def build_runtimes(engine_c: Path, destination: Path, cache: Path, named: Sequence[Platform] = ()) -> None:
    """Compile the runtime for this machine and the named platforms.

    `destination` then has a folder `<platform>/keelblocks.*` for each of these, beside the library what it deflates to,
    and no other folders, which could be of older sources. What was made before and is up to date is taken from `cache`.
    `engine_c` is the engine as `cython_kernels.standalone` wrote it. Raises BuildError without a compiler or if it
    refuses.
    """
    chosen = [*named] if local() in named else [local(), *named]
    for platform in chosen:
        command = compiler(platform, named)
        made_by = "own" if command == own_compiler() else "zig"
        library = cache / made_by / platform.name / f"keelblocks{platform.suffix}"
        sources = [engine_c, *SOURCES.glob("*.py"), *SOURCES.glob("*.[ch]")]
        if not library.exists() or library.stat().st_mtime < max(source.stat().st_mtime for source in sources):
            compile_runtime(engine_c, library, platform, command)
        replace(library, destination / platform.name / library.name)
        deflated = library.with_name(DEFLATED)
        deflated.write_bytes(deflated_ahead(library.read_bytes()))
        replace(deflated, destination / platform.name / DEFLATED)
    for old in destination.iterdir():
        if old.is_dir() and old.name not in {platform.name for platform in chosen}:
            shutil.rmtree(old)


def compile_runtime(engine_c: Path, library: Path, platform: Platform, command: Sequence[str]) -> None:
    """Compile and link with this command. Raises BuildError if that fails."""
    library.parent.mkdir(parents=True, exist_ok=True)
    small = _SMALLER[platform.suffix] if "ziglang" in command else []
    strip = ["-s"] if platform.suffix == ".dylib" and "ziglang" in command else []  # Apple's linker has none
    with tempfile.TemporaryDirectory(dir=library.parent) as scratch:
        # in a folder of its own, with a bare name: zig writes the name into the file, and other files beside it
        done = subprocess.run(
            [
                *command, *FLAGS, *small, *_SMALL, *_LINK[platform.suffix], *strip, f"-I{engine_c.resolve().parent}",
                f"-I{SOURCES}", "-isystem", str(fmi_headers()), str(TRANSLATION_UNIT), "-o", library.name, "-lm",
            ],
            cwd=scratch, stdout=sys.stderr, check=False,
        )  # fmt: skip
        if done.returncode:
            raise BuildError(f"compiling the FMU runtime for {platform.name} failed, see above: {' '.join(command)}")
        Path(scratch, library.name).replace(library)


def replace(source: Path, target: Path) -> None:
    """Copy a file unless it is there, at once, so that a process that has the old one open keeps it."""
    content = source.read_bytes()
    if target.exists() and target.read_bytes() == content:
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as scratch:
        shutil.copy2(source, scratch)
        Path(scratch, source.name).replace(target)
