"""Build the stub of FMUs with blocks written in Python: see python_stub.c. Linux on x86_64 alone has one.

Elsewhere tools load the wrapper of PythonFMU itself; for other processors PythonFMU has none. Nothing of Keelblocks is
imported here but its neighbours, because the build uses this file before anything is installed.
"""

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from cython_kernels.plain_c.compilers import BuildError, compiler, own_compiler
from cython_kernels.plain_c.platforms import Platform, find, local

from ..c_files import SOURCES
from .runtimes import PYTHON_STUB, fmi_headers, python_sources, replace

PLATFORM = find("x86_64-linux")[0]
FLAGS = [
    "-std=c99", "-O2", "-g0", "-fPIC", "-fvisibility=hidden", "-shared", f"-ffile-prefix-map={SOURCES}=runtime",
    "-s", "-Wl,--build-id=none", "-Wl,-Bsymbolic",
]  # fmt: skip


def build_python_stub(destination: Path, cache: Path, named: Sequence[Platform] = ()) -> None:
    """Compile the stub into `destination/x86_64-linux` if the runtime is built for that platform too.

    What was made before and is up to date is taken from `cache`. Raises BuildError without a compiler or if it refuses.
    """
    if PLATFORM not in (local(), *named):
        return
    command = compiler(PLATFORM, named)
    library = cache / ("own" if command == own_compiler() else "zig") / PLATFORM.name / PYTHON_STUB
    sources = [*python_sources(), *SOURCES.glob("python_stub*.c"), SOURCES / "resources.c"]
    if not library.exists() or library.stat().st_mtime < max(source.stat().st_mtime for source in sources):
        compile_python_stub(library, command)
    replace(library, destination / PLATFORM.name / PYTHON_STUB)


def compile_python_stub(library: Path, command: Sequence[str]) -> None:
    """Compile and link with this command. Raises BuildError if that fails."""
    library.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=library.parent) as scratch:
        includes = [f"-I{SOURCES}", f"-I{fmi_headers()}"]
        done = subprocess.run(
            [*command, *FLAGS, *includes, str(SOURCES / "python_stub.c"), "-o", PYTHON_STUB, "-ldl", "-lpthread"],
            cwd=scratch, stdout=sys.stderr, check=False,
        )  # fmt: skip
        if done.returncode:
            raise BuildError(f"compiling the stub of Python FMUs failed, see above: {' '.join(command)}")
        Path(scratch, PYTHON_STUB).replace(library)
