"""setuptools as the build backend of Keelblocks, with one thing more: it asks for zig where that has to compile.

That is on a machine without a C compiler, and for platforms named in $KEELBLOCKS_PLATFORMS. `python build_backend.py`
prints what that needs from PyPI, one requirement a line, for environments that are prepared by hand.
"""

import importlib
import sys
import types
from pathlib import Path

from setuptools import build_meta
from setuptools.build_meta import *  # noqa: F403


def runtime_build(module: str) -> types.ModuleType:
    """A module that builds the FMU runtime, `fmu/runtime/build/<module>.py`, from a package of its own.

    As `fmu.runtime.build.<module>` it could not be imported yet: `fmu` needs what is only there when Keelblocks is
    installed.
    """
    package = types.ModuleType("fmu_runtime_build")
    package.__path__ = [str(Path(__file__).resolve().parent / "fmu" / "runtime")]
    sys.modules.setdefault(package.__name__, package)
    return importlib.import_module(f"{package.__name__}.build.{module}")


def _requirements() -> list[str]:
    """What the build needs from PyPI beside what pyproject.toml says."""
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    return importlib.import_module("cython_kernels.plain_c.compilers").requirements()


def only_declarations() -> None:
    """Let modules of `blocks` be imported where nothing is compiled and numpy is all that is installed.

    Declarations need no more. Packages that do, for what they export, are empty.
    """
    root = Path(__file__).resolve().parent
    for folder in (root / "blocks", *(path.parent for path in root.glob("blocks/*/__init__.py"))):
        package = types.ModuleType(".".join(folder.relative_to(root).parts))
        package.__path__ = [str(folder)]
        sys.modules[package.__name__] = package
    # what methods of declarations compute with; whether it is compiled already makes no difference here
    sys.modules["cython_kernels.elementary"] = types.ModuleType("cython_kernels.elementary")


def get_requires_for_build_wheel(config_settings=None):
    """PEP 517."""
    return build_meta.get_requires_for_build_wheel(config_settings) + _requirements()


def get_requires_for_build_editable(config_settings=None):
    """PEP 660."""
    return build_meta.get_requires_for_build_editable(config_settings) + _requirements()


if __name__ == "__main__":
    print(*_requirements(), sep="\n")
