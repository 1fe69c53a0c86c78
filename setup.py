"""Builds the compiled parts; everything else stands in pyproject.toml.

    engine.pyx       -> cython_kernels/engine.*.so        the engine for Python
    swarm.pyx        -> cython_kernels/swarm.*.so         many plans at once, over OpenMP threads
    libraries.pyx    -> cython_kernels/libraries.*.so     the kernels of compiled libraries, by name
    elementary.pyx   -> cython_kernels/elementary.*.so    its elementary functions for Python, as ufuncs
    native.pyx       -> cython_kernels/generated/engine.c   the same engine as C without Python ...
    engine.c         -> cython_kernels/generated/lanes.c    ... and that for several members at once
    engine.c         -> fmu/runtime/binaries/*/           ... and the runtimes that exported FMUs carry
    engine.c         -> fmu/runtime/binaries/wasm32/      ... and the engine for WebAssembly, where that is named
    arrangement.pyx  -> blocks/drawing/arrangement.*.so   the search for a good order of what is drawn ...
    simplex.pyx      -> blocks/drawing/simplex.*.so       ... and for where it stands
    frame.pyx        -> blocks/live/ardupilot/frame.*.so  servo packets in, lines of JSON out
    declarations     -> blocks/*/*.pyi                    stubs for editors, in wheels; see blocks/editors/stubs.py
    examples/        -> blocks/ready/examples/            in wheels; see blocks/ready/examples.py

In the environment: KEELBLOCKS_CHECKED=1 makes a checked build, see cython_kernels/core/checked.pxd;
KEELBLOCKS_COVERAGE=1 one whose engine counts the branches that run, see tests/support/engine_coverage;
KEELBLOCKS_QUICK=1 one that is soon there and runs slowly, with the same numbers;
KEELBLOCKS_RELEASE=1 one that fails where the pages of studio/ are not built;
KEELBLOCKS_PLATFORMS names platforms to build the FMU runtime for beside this one, or all: see
cython_kernels/plain_c/compilers.py. A build that names this platform too is portable: zig compiles its runtime and its
engine for the oldest C library, instead of cc.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import numpy
from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command import egg_info
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.errors import PlatformError

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT))

from build_backend import runtime_build  # noqa: E402
from cython_kernels.plain_c import compilers  # noqa: E402
from cython_kernels.plain_c.lanes.writing import generate_lanes  # noqa: E402
from cython_kernels.plain_c.standalone import DIRECTIVES, generate  # noqa: E402

# From the declarations of the blocks: what kernels see by name, and what editors know of the families.
for made in ("kernel_views", "editors"):
    if subprocess.run([sys.executable, str(ROOT / "blocks" / made)], cwd=ROOT).returncode != 0:
        sys.exit(1)

runtime = runtime_build("runtimes")

try:
    NAMED = compilers.named_platforms()
except compilers.BuildError as problem:
    sys.exit(f"error: {problem}")
HERE = compilers.local()
CHECKED = os.environ.get("KEELBLOCKS_CHECKED", "0") == "1"
COVERAGE = os.environ.get("KEELBLOCKS_COVERAGE", "0") == "1"
PORTABLE = HERE in NAMED and sys.platform == "linux"
KINDS = {"checked": CHECKED, "coverage": COVERAGE, "portable": PORTABLE, "quick": runtime.QUICK}
BUILD = next((f"build/{kind}" for kind, wanted in KINDS.items() if wanted), "build")
FLAGS = ["-O1", "-g", "-ffp-contract=off", "-fno-math-errno"] if CHECKED else ["-g0", *runtime.ENGINE_FLAGS]
# Branches as they are written, and counts that threads share.
COUNTED = ["-O0", "--coverage", "-fprofile-update=atomic", "-ffp-contract=off", "-fno-math-errno"]
ENGINE, LINK = (COUNTED, ["--coverage"]) if COVERAGE else (FLAGS, [])
# What zig makes runs on one thread: it brings no OpenMP, and the machine may have none.
OPENMP = ["-fopenmp"] if not PORTABLE and compilers.own_compiler() and compilers.accepts("-fopenmp") else []
compilers.keep_zig_cache(ROOT / "build" / "zig")


def check_pages() -> None:
    """Pages are built by Node.js, before this: a release without them would be broken, a clone has none at first."""
    if (ROOT / "studio" / "assets" / "page.js").is_file():
        return
    what = "the pages of `keelblocks share` are not built: `make studio` does that, with Node.js 20 or later"
    if "sdist" in sys.argv or (ROOT / "PKG-INFO").is_file() or os.environ.get("KEELBLOCKS_RELEASE") == "1":
        sys.exit(f"error: {what}; a release has them")
    print(f"note: {what}; all else works without")


check_pages()


class BuildPython(build_py):
    """The modules, and stubs beside them, which in the source folder would hide what is being written."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            subprocess.run([sys.executable, ROOT / "blocks/editors", self.build_lib], check=True)
            self.copy_examples(Path(self.build_lib, "blocks", "ready", "examples"))

    def copy_examples(self, folder: Path) -> None:
        """The examples, without what is made when they are used, where `blocks/ready/examples.py` finds them."""
        made = shutil.ignore_patterns(".keelblocks", "__keelblocks__", "__pycache__", "*.py[co]", "results", "*.so")
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(ROOT / "examples", folder, ignore=made)


GENERATED = ("engine.c", "readable/engine.c", "lanes.c")
"""The C of the engine: as it is compiled, for people, and for several members at once."""


class BuildAll(build_ext):
    """The extension module, then the FMU runtimes beside it."""

    def run(self) -> None:
        try:
            if self.inplace:
                self.write_entry_points()
            super().run()
            self.build_fmu_runtimes()
        except compilers.BuildError as problem:
            raise PlatformError(str(problem)) from None

    def write_entry_points(self) -> None:
        """What stands in pyproject.toml, where the source folder is used without being installed."""
        metadata = self.get_finalized_command("egg_info")
        folder = Path(metadata.egg_info)
        folder.mkdir(exist_ok=True)
        egg_info.write_pkg_info(metadata, "PKG-INFO", str(folder / "PKG-INFO"))
        egg_info.write_entries(metadata, "entry_points.txt", str(folder / "entry_points.txt"))

    def build_extensions(self) -> None:
        if self.compiler.compiler_type == "unix" and (PORTABLE or not compilers.own_compiler()):
            self.compile_with_zig()
        super().build_extensions()

    def compile_with_zig(self) -> None:
        """Without the options that Python was built with: some name folders of that machine."""
        zig = compilers.compiler(HERE, NAMED)
        headers = Path(sysconfig.get_path("include")).parent  # where Debian's pyconfig.h looks for the real one
        # Not -bundle, for which zig's linker writes a file of zeros: Python opens either kind.
        shared = ["-dynamiclib", "-undefined", "dynamic_lookup"] if sys.platform == "darwin" else ["-shared", "-s"]
        self.compiler.set_executables(
            compiler_so=[*zig, "-fPIC", "-fwrapv", "-DNDEBUG", f"-idirafter{headers}"], linker_so=[*zig, *shared]
        )

    def build_fmu_runtimes(self) -> None:
        engine_c = ROOT / BUILD / "standalone" / "engine.c"
        sources = [path for pattern in ("*.py", "*.p[yx][xd]") for path in ROOT.glob(f"cython_kernels/**/{pattern}")]
        newest = max(path.stat().st_mtime for path in [*sources, *ROOT.glob("cython_kernels/plain_c/lanes/*.h")])
        made = [engine_c.parent / name for name in GENERATED]
        if not all(path.exists() and path.stat().st_mtime >= newest for path in made):
            generate(engine_c.parent)
            generate_lanes(engine_c, compilers.compiler(HERE, NAMED))
        root = Path("" if self.inplace else self.build_lib)
        for name in GENERATED:
            runtime.replace(engine_c.parent / name, root / "cython_kernels" / "generated" / name)
        folder = root / "fmu" / "runtime"
        runtime.build_runtimes(engine_c, folder / "binaries", ROOT / BUILD / "runtime", NAMED)
        module = runtime_build("webassembly")
        module.build_webassembly(engine_c, folder / "binaries", ROOT / BUILD / "runtime", NAMED)
        stub = runtime_build("python_stub")
        stub.build_python_stub(folder / "binaries", ROOT / BUILD / "runtime", NAMED)


setup(
    cmdclass={"build_py": BuildPython, "build_ext": BuildAll},
    options={
        "build": {"build_base": BUILD},
        "bdist_wheel": {"plat_name": f"manylinux_2_17_{HERE.name.partition('-')[0]}"} if PORTABLE else {},
    },
    ext_modules=cythonize(
        [
            Extension(
                "cython_kernels.engine",
                ["cython_kernels/engine.pyx"],
                define_macros=[
                    ("KEELBLOCKS_GUARDS", "1"),
                    *([] if COVERAGE else [("KEELBLOCKS_CHECKED" if CHECKED else "KEELBLOCKS_WIDE", "1")]),
                ],
                include_dirs=["cython_kernels/mathematics"],
                depends=["cython_kernels/mathematics/wide_paths.h"],
                extra_compile_args=[*ENGINE, "-fopenmp-simd"],  # vectors where wide_paths.pxd wants them, nowhere else
                extra_link_args=LINK,
            ),
            Extension("cython_kernels.libraries", ["cython_kernels/libraries.pyx"], extra_compile_args=ENGINE),
            Extension(
                "cython_kernels.swarm",
                ["cython_kernels/swarm.pyx"],
                extra_compile_args=[*ENGINE, *OPENMP],
                extra_link_args=[*OPENMP, *LINK],
            ),
            Extension(
                "cython_kernels.elementary",
                ["cython_kernels/elementary.pyx"],
                include_dirs=[numpy.get_include()],
                define_macros=[("NPY_NO_DEPRECATED_API", "NPY_1_7_API_VERSION")],
                extra_compile_args=ENGINE,
                extra_link_args=LINK,
            ),
            *(
                Extension(name, [f"{name.replace('.', '/')}.pyx"], extra_compile_args=FLAGS)
                for name in ("blocks.drawing.arrangement", "blocks.drawing.simplex", "blocks.live.ardupilot.frame")
            ),
        ],
        build_dir=f"{BUILD}/cython",
        emit_linenums=COVERAGE,
        compiler_directives=DIRECTIVES | ({"boundscheck": True, "initializedcheck": True} if CHECKED else {}),
    ),
)
