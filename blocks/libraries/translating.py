"""From kernels to plain C, by Cython."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

from blocks.errors import LibraryError
from blocks.kernel_views.write import Made, write_files
from blocks.libraries.manifest import KERNELS
from blocks.libraries.messages import placed, refuse, refuse_cython
from blocks.libraries.package import Library
from blocks.libraries.table import START, cython_of
from cython_kernels.plain_c.standalone import DIRECTIVES, Form, StandaloneError, extract

CYTHON = "cython>=3.0.12,<3.4"
MODULE = "kernels_of_library"
BANNER = """\
/* The kernels of the library {name}, written by `keelblocks build` from its .pxd files, where they are edited.
 *
 * C99 that needs the C library only. Compile it with -ffp-contract=off (one rounding per operation) to get the numbers
 * that the engine in Python gets, bit for bit.
 */
"""
_PLACE = re.compile(r'(/\* |# *line \d+ |#line \d+ )"([^"\n]+)"')


def check_cython() -> None:
    """Raise LibraryError if there is no Cython."""
    if importlib.util.find_spec("Cython") is None:
        raise LibraryError("building a library needs Cython: pip install 'keelblocks[build]'")


def translated(library: Library, made: Made, work: Path) -> str:
    """What Cython makes of the kernels, with files named as seen from the library's root. Raises LibraryError.

    work: a folder for what is made on the way, which stays, so that what is as it was keeps its time.
    """
    package = work / library.name
    module = work / f"{MODULE}.pyx"
    try:
        write_files(package, made.files | {Path("__init__.py"): ""})
        module.write_text(cython_of(library.name, made), encoding="utf-8")
    except OSError as problem:
        raise LibraryError(f"cannot write {problem.filename or work}: {problem.strerror or problem}") from None
    directives = ",".join(f"{name}={value}" for name, value in DIRECTIVES.items())
    includes = [f"-I{folder}" for folder in (work, library.root, KERNELS.parent)]
    command = [sys.executable, "-m", "cython", "-3", "-X", directives, *includes, str(module), "-o", f"{MODULE}.c"]
    done = subprocess.run(
        [*command[:-1], str(work / f"{MODULE}.c")],
        cwd=library.root, capture_output=True, text=True, encoding="utf-8", check=False,
        env=os.environ | {"PYTHONIOENCODING": "utf-8"},
    )  # fmt: skip
    if done.returncode != 0:
        refuse_cython(done.stderr, library)
    return _with_places(Path(work, f"{MODULE}.c").read_text(encoding="utf-8"), library, work)


def plain_c(library: Library, c_source: str, form: Form = Form.COMPILED) -> str:
    """The plain C in what Cython wrote. Raises LibraryError if a kernel needs Python."""
    try:
        return extract(c_source, below=START, root=library.root, form=form, banner=BANNER.format(name=library.name))
    except StandaloneError as problem:
        refuse([placed(library, str(problem))])


def _with_places(c_source: str, library: Library, work: Path) -> str:
    """C whose files are named the same on every machine."""

    def place(match: re.Match[str]) -> str:
        path = Path(os.path.normpath(library.root / match[2]))
        for root in (work, library.root, KERNELS.parent):
            if path.is_relative_to(root):
                return f'{match[1]}"{path.relative_to(root).as_posix()}"'
        return f'{match[1]}"{path.name}"'

    return _PLACE.sub(place, c_source)
