"""The declarations of a library and the views of its kernels; what is wrong in them, with its place."""

from __future__ import annotations

import importlib
import re
import sys
import traceback
from collections.abc import Iterable
from pathlib import Path
from typing import NoReturn

from blocks.errors import KeelblocksError, LibraryError
from blocks.kernel_views.source import Source, ViewError, package_of
from blocks.kernel_views.write import Made, made_from
from blocks.libraries.manifest import digest_of, text_of
from blocks.libraries.messages import placed, problem, refuse
from blocks.libraries.package import Library
from blocks.model.block import REGISTERED
from blocks.problems import Problem


def views_of(library: Library) -> Made:
    """Import the package, and make views and entries of what it declares. Raises LibraryError."""
    if sys.path[:1] != [str(library.root)]:
        sys.path.insert(0, str(library.root))
    try:
        module = importlib.import_module(library.name)
    except (Exception, SystemExit) as wrong:  # whatever the user's module raises
        _refuse_import(library, wrong)
    where = Path(str(module.__file__)).resolve()
    if where.parent != library.folder:
        raise LibraryError(f"Python has imported another {library.name}, {where}: give that up, or build it instead")
    _refuse_in_init(library)
    try:
        made = made_from(Source(library.root, library.name, library.name, ()))
    except ViewError as wrong:
        if wrong.__cause__ is not None:
            _refuse_import(library, wrong.__cause__)
        refuse([_in_view(library, str(wrong), wrong.problems)])
    if not made.kernels:
        raise LibraryError(f'{library.name} declares no block with a kernel: give a class kernel = "…"')
    return made


def _refuse_in_init(library: Library) -> None:
    """A kernel finds its view by the module of the declaration."""
    for cls in list(REGISTERED.values()):
        own = package_of(cls) == library.name and "kernel" in vars(cls)
        if own and Path(str(sys.modules[cls.__module__].__file__)).name == "__init__.py":
            what = "has a kernel: declare it in a module of its own, and import it here"
            refuse([_in_view(library, f"{cls.__name__} {what}", (Problem("error", LibraryError.code, what),))])


def sources_of(library: Library, made: Made) -> dict[str, str]:
    """Digests of the kernels, and of the declarations of the blocks that have them."""
    classes = {base for cls, _ in made.kernels.values() for base in cls.__mro__ if package_of(base) == library.name}
    modules: Iterable[Path] = (Path(str(sys.modules[cls.__module__].__file__)) for cls in classes)
    files = {*modules, *(path for path in library.folder.rglob("*.pxd") if library.built not in path.parents)}
    return {path.relative_to(library.folder).as_posix(): digest_of(text_of(path)) for path in sorted(files)}


def _in_view(library: Library, message: str, problems: tuple[Problem, ...]) -> Problem:
    if problems[0].line is not None:
        found = problems[0]
        return problem(Path(found.file), found.line or 1, found.message, found.column, found.end_column)
    if (found := placed(library, message)).line is not None:
        return found
    named = re.match(r"\w+", message)
    for path in sorted(library.folder.rglob("*.py")):  # of a class as a whole
        lines = path.read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines, 1):
            if named and re.match(rf"class {named[0]}\b", line):
                return problem(path, number, message)
    return Problem("error", LibraryError.code, message)


def _refuse_import(library: Library, wrong: BaseException) -> NoReturn:
    """Raise LibraryError for what the import of the package raised, at the last line of it that was reached."""
    what = str(wrong) if isinstance(wrong, KeelblocksError) else f"{type(wrong).__name__}: {wrong}"
    if isinstance(wrong, SyntaxError) and wrong.filename and Path(wrong.filename).is_relative_to(library.folder):
        end = wrong.end_offset if wrong.end_lineno == wrong.lineno and (wrong.end_offset or 0) > 0 else None
        what = f"{type(wrong).__name__}: {wrong.msg}"
        refuse([problem(Path(wrong.filename), wrong.lineno or 1, what, wrong.offset, end)])
    steps = [
        step for step in traceback.extract_tb(wrong.__traceback__) if Path(step.filename).is_relative_to(library.folder)
    ]
    if not steps:
        raise LibraryError(f"{library.name} cannot be imported: {what}") from None
    refuse([problem(Path(steps[-1].filename), steps[-1].lineno or 1, what)])
