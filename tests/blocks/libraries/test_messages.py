"""What is wrong in a library is shown at the line of the user's file, whoever finds it."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from libraries import forgetting, needs_compiler

from blocks.errors import LibraryError
from blocks.libraries.building import build
from blocks.libraries.compiling import platforms_of
from blocks.libraries.making import new_library
from blocks.libraries.messages import refuse_c, refuse_cython
from blocks.libraries.package import Library, find_library

KERNEL, DECLARATION = "drag.pxd", "drag.py"
HALF = "cdef inline double half(\n    double x, double y\n) nogil:\n    return 0.5 * x * y\n\n\n"
HYPOT = "cdef inline double hypot(double x) noexcept nogil: return x"
VERBATIM = '''cdef extern from *:
    """
    static double fabs(double x) { return y; }
    """
    double fabs(double) noexcept nogil'''
HEADER = 'cdef extern from "nothere.h" nogil:\n    double fabs(double)'
C_SAYS = (HYPOT, VERBATIM, HEADER)
"""What the C compiler refuses, each in its own words."""
WRONG = {
    "a member that is not declared": (
        KERNEL, "b.u.speed", "b.u.sped", "b.u.sped",
        "drag_outputs takes b.u.sped, which is not among the inputs that Drag declares; did you mean 'speed'?",
    ),
    "no function of the kernel": (
        KERNEL, "drag_outputs", "drag_output", "class Drag(Block):",
        "Drag has the kernel 'drag', but no .pxd file in wrong has one of its functions, such as 'cdef inline void "
        "drag_outputs(const DragView* b, double t) noexcept nogil:'",
    ),
    "a name that Cython does not know": (
        KERNEL, "fabs(u)", "fabz(u)", "fabz", "undeclared name not builtin: fabz",
    ),
    "what needs Python": (
        KERNEL, "fabs(u)", "str(u)", "(",
        "Calling gil-requiring function not allowed without gil; a kernel can use numbers, C functions and other "
        "kernels' functions only, no Python",
    ),
    "a function that may raise": (
        KERNEL, "cdef inline void drag_outputs", f"{HALF}cdef inline void drag_outputs", "half",
        "half is not declared 'noexcept nogil', as all is that kernels call: write 'cdef inline double half(double x, "
        "double y) noexcept nogil:'",
    ),
    "a kernel that may raise": (
        KERNEL, " noexcept nogil:", " nogil:", "drag_outputs",
        "drag_outputs is not declared 'noexcept nogil', as all is that kernels call: write 'cdef inline void "
        "drag_outputs(const DragView* b, double t) noexcept nogil:'",
    ),
    "what only Cython's runtime does": (
        KERNEL, "    b.y.force", "    if u > 1e9: raise ValueError\n    b.y.force",
        "cdef inline void drag_outputs(const DragView* b, double t) noexcept nogil:",
        "drag_outputs needs Python: PyObject, a Python object",
    ),
    "what C does not take": (
        KERNEL, "from libc.math cimport fabs", f"from libc.math cimport fabs\n\n{HYPOT}", HYPOT,
        "conflicting types for .hypot.; have .double.double..|static declaration of .hypot. follows non-static .*",
    ),
    "what C does not take in C of one's own": (
        KERNEL, "from libc.math cimport fabs", VERBATIM, "static",
        "(.y. undeclared|use of undeclared identifier .y.).*",
    ),
    "a header that is not there": (
        KERNEL, "from libc.math cimport fabs", HEADER, '"', "'?nothere.h'?.*",
    ),
    "a name that Python does not know": (
        DECLARATION, 'Input(Speed, "', 'Inpt(Speed, "', 'speed = Inpt(Speed, "through the water, forward")',
        "NameError: name 'Inpt' is not defined",
    ),
    "what is no Python": (
        DECLARATION, "class Drag(Block):", "class Drag(Block) ->:", "->", "SyntaxError: invalid syntax",
    ),
    "a source that is not there": (
        DECLARATION, 'whole("speed",', 'whole("sped",', "class Drag(Block):",
        "Drag.force depends on 'sped', which is no input, state or parameter; did you mean 'speed'?",
    ),
    "what cannot be declared": (
        DECLARATION, "depends=", "feedthrough=('sped',), depends=", "class Drag(Block):",
        "Drag.force depends on 'sped', which is not an input; did you mean 'speed'?",
    ),
}  # fmt: skip
"""A file, what stands there, what is put in its place, what is marked then, and the message."""


@needs_compiler
@pytest.mark.parametrize("case", WRONG)
def test_an_error_is_shown_where_it_is(case: str, tmp_path: Path) -> None:
    file, old, new, marked, message = WRONG[case]
    library = find_library(str(new_library("wrong", tmp_path)))
    path = library.folder / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    called = "hypot(u)" if HYPOT in new else "half(u, u)" if HALF in new else "fabs(u)"
    path.write_text(text.replace(old, new).replace("fabs(u)", called), "utf-8")
    with forgetting(), pytest.raises(LibraryError) as refused:
        build(library, platforms_of(()))
    by_compiler = any(one in new for one in C_SAYS)
    problem, *further = refused.value.problems
    assert by_compiler or not further  # clang goes on to what follows from it
    assert re.fullmatch(message if by_compiler else re.escape(message), problem.message)
    assert None not in (problem.line, problem.column, problem.end_column)
    line = (tmp_path / problem.file).read_text(encoding="utf-8").splitlines()[problem.line - 1]
    assert line[problem.column - 1 : problem.end_column - 1] == marked
    assert str(refused.value).startswith(f"wrong/wrong/{Path(problem.file).name}:{problem.line}: ")  # as seen from here


def test_a_file_of_another_encoding_is_told(tmp_path: Path) -> None:
    library = find_library(str(new_library("wrong", tmp_path)))
    path = library.folder / "drag.pxd"
    path.write_bytes(path.read_bytes() + "\n# Größe\n".encode("latin-1"))
    with (
        forgetting(),
        pytest.raises(LibraryError, match=r"^wrong/wrong/drag.pxd:13: this is no UTF-8: "),
    ):
        build(library, platforms_of(()))


def test_a_kernel_has_a_module_for_its_view(tmp_path: Path) -> None:
    library = find_library(str(new_library("wrong", tmp_path)))
    shutil.copy(library.folder / "drag.py", library.folder / "__init__.py")
    with (
        forgetting(),
        pytest.raises(LibraryError, match=r"^wrong/wrong/__init__.py:8: Drag has a kernel: declare"),
    ):
        build(library, platforms_of(()))


def test_what_follows_from_an_error_is_not_told(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "drag.pxd").write_text("one\ntwo(\n\n", encoding="utf-8")
    library = Library("lib", tmp_path / "lib")
    said = (
        "warning: lib/drag.pxd:1:0: unused\n"
        "lib/drag.pxd:1:0: undeclared name\nlib/drag.pxd:1:2: Operation not allowed without gil\n"
        "lib/drag.pxd:4:0: Expected ')', found 'DEDENT'\n"
        "lib/__keelblocks__/cython/lib/entries/drag.pxd:8:4: 'drag_outputs' is not a function\n"
    )
    with pytest.raises(LibraryError) as refused:
        refuse_cython(said, library)
    assert str(refused.value) == "lib/drag.pxd:1: undeclared name\nlib/drag.pxd:2: Expected ')', found 'DEDENT'"
    with pytest.raises(LibraryError, match=r"^Cython cannot translate the kernels:\nout of memory$"):
        refuse_cython("out of memory\n", library)


@pytest.mark.parametrize("said", ["x.c: undefined reference to `two'\n", "ld.lld: error: undefined symbol: two\n"])
def test_a_function_that_is_nowhere_is_told_where_it_is_called(said: str, tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "drag.pxd").write_text("one\n    two()\n", encoding="utf-8")
    with pytest.raises(LibraryError) as refused:
        refuse_c(said, Library("lib", tmp_path / "lib"), "cc")
    assert str(refused.value) == (
        "lib/drag.pxd:2: 'two' is nowhere: a kernel can call what .pxd files define, and the C library"
    )
