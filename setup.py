"""Builds the compiled parts; everything else stands in pyproject.toml.

    engine.pyx  -> cython_kernels/engine.*.so        the engine for Python
    native.pyx  -> engine.c                          the same engine as C without Python ...
    engine.c    -> fmu/runtime/binaries/*/           ... and the runtime that every exported FMU carries

KEELBLOCKS_CHECKED=1 in the environment makes a checked build: see cython_kernels/checked.pxd.
"""

import os
import runpy
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT))

from cython_kernels.standalone import DIRECTIVES, generate  # noqa: E402

CHECKED = os.environ.get("KEELBLOCKS_CHECKED", "0") == "1"
BUILD = "build/checked" if CHECKED else "build"
RUNTIME = runpy.run_path(str(ROOT / "fmu/runtime/build.py"))
FLAGS = ["-O1", "-g", "-ffp-contract=off", "-fno-math-errno"] if CHECKED else ["-g0", *RUNTIME["ENGINE_FLAGS"]]


class BuildAll(build_ext):
    """The extension module, then the FMU runtime beside it."""

    def run(self) -> None:
        super().run()
        engine_c = ROOT / BUILD / "standalone" / "engine.c"
        sources = [path for pattern in ("*.py", "*.p[yx][xd]") for path in ROOT.glob(f"cython_kernels/{pattern}")]
        if not engine_c.exists() or engine_c.stat().st_mtime < max(path.stat().st_mtime for path in sources):
            generate(engine_c.parent)
        binaries = Path("" if self.inplace else self.build_lib, "fmu/runtime/binaries")
        RUNTIME["build_runtime"](engine_c, binaries)


setup(
    cmdclass={"build_ext": BuildAll},
    options={"build": {"build_base": BUILD}},
    ext_modules=cythonize(
        [
            Extension(
                "cython_kernels.engine",
                ["cython_kernels/engine.pyx"],
                define_macros=[("KEELBLOCKS_CHECKED", "1")] if CHECKED else [],
                extra_compile_args=FLAGS,
            )
        ],
        build_dir=f"{BUILD}/cython",
        compiler_directives=DIRECTIVES | ({"boundscheck": True, "initializedcheck": True} if CHECKED else {}),
    ),
)
