"""What the engine for WebAssembly is compiled of, and how.

Nothing of Keelblocks but its neighbours is imported here: the build uses this file before anything is installed.
"""

from cython_kernels.plain_c.compilers import ENGINE_FLAGS

from ..c_files import SOURCES

DOOR = SOURCES / "webassembly.c"
_VECTORS = ["-msimd128", "-fopenmp-simd", "-DKEELBLOCKS_WIDE", "-I."]
_FASTER = ["-mllvm", "-inline-threshold=500"]  # by a twentieth, for a fiftieth more bytes
FLAGS = ["-std=c99", *ENGINE_FLAGS, "-g0", *_VECTORS, *_FASTER]
LINK = ["-mexec-model=reactor"]  # with the names of functions, by which the build knows those of a kernel
