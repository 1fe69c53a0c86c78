"""Builds the compiled parts; everything else stands in pyproject.toml."""

from Cython.Build import cythonize
from setuptools import Extension, setup

DIRECTIVES = {
    "language_level": "3",
    "cdivision": True,
    "boundscheck": False,
    "wraparound": False,
    "initializedcheck": False,
}
# One rounding per operation, so that the engine in Python and in an FMU agree to the last bit.
FLAGS = ["-O3", "-g0", "-ffp-contract=off"]

setup(
    ext_modules=cythonize(
        [Extension("cython_kernels.engine", ["cython_kernels/engine.pyx"], extra_compile_args=FLAGS)],
        build_dir="build/cython",
        compiler_directives=DIRECTIVES,
    ),
)
