"""A copy of the working tree in which every mutant of a sample is compiled in, and chosen by an environment variable.

Kernels are compiled once for the whole sample, without optimization, and not once for each mutant.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path

from cython_kernels.plain_c.compilers import own_compiler
from mutants.mutant import KERNELS, Mutant
from mutants.statements import with_second_form

SWITCH = "keelblocks_mutants"
"""The module, and the header, that say which mutant is chosen, and keep which have been come by."""
CHOSEN = "KEELBLOCKS_MUTANT"
CAME_BY = "KEELBLOCKS_MUTANTS_CAME_BY"
"""A folder for what processes that tests start come by."""
_LEFT_OUT = {".git", ".venv", "__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache"}
_LEFT_OUT_ABOVE = {"build", "dist"}

_PYTHON = f'''"""Which mutant is chosen, and which have been come by."""

import mmap
import os


def _memory():
    folder = os.environ.get("{CAME_BY}")
    if not folder:
        return bytearray(SIZE)
    with open(os.path.join(folder, f"{{os.getpid()}}.python"), "w+b") as stream:  # tells however the process ends
        stream.truncate(SIZE)
        return mmap.mmap(stream.fileno(), SIZE)


reached = _memory()
_chosen = int(os.environ.get("{CHOSEN}", "0"))


def mutant(number):
    reached[number] = 1
    return number == _chosen
'''
_HEADER = f"""#ifndef KEELBLOCKS_MUTANTS_H
#define KEELBLOCKS_MUTANTS_H
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((visibility("default"))) unsigned char keelblocks_reached[SIZE];
static int keelblocks_chosen;

__attribute__((constructor)) static void keelblocks_begin(void)
{{
    const char *given = getenv("{CHOSEN}");
    keelblocks_chosen = given ? atoi(given) : 0;
}}

__attribute__((destructor)) static void keelblocks_tell(void)
{{
    const char *folder = getenv("{CAME_BY}");
    char name[4096];
    FILE *stream;
    if (!folder || snprintf(name, sizeof name, "%s/%ld.engine", folder, (long)getpid()) >= (int)sizeof name)
        return;
    if ((stream = fopen(name, "wb"))) {{
        fwrite(keelblocks_reached, 1, sizeof keelblocks_reached, stream);
        fclose(stream);
    }}
}}

static inline int keelblocks_mutant(int number)
{{
    keelblocks_reached[number] = 1;
    return number == keelblocks_chosen;
}}
#endif
"""
_IN_PYTHON = f"""try:
    from {SWITCH} import mutant as _mutant
except ImportError:  # in an FMU, which is by itself
    def _mutant(number): return False
"""
_IN_CYTHON = f"""cdef extern from "{SWITCH}.h" nogil:
    bint _mutant "keelblocks_mutant"(int number)
"""


def make_tree(root: Path, tree: Path, mutants: Sequence[Mutant]) -> None:
    """Copy `root` to `tree` with the mutants, numbered from 1, and compile its engine. Those that C refuses go.

    Raises RuntimeError if what is left does not compile.
    """
    shutil.rmtree(tree, ignore_errors=True)
    _copy(root, tree)
    size = str(len(mutants) + 1)
    (tree / f"{SWITCH}.py").write_text(_PYTHON.replace("SIZE", size))
    (tree / KERNELS / f"{SWITCH}.h").write_text(_HEADER.replace("SIZE", size))
    _write(root, tree, {number: one for number, one in enumerate(mutants, 1) if not one.is_kernel})


def link_tests(root: Path, tree: Path) -> None:
    """Take the tests as they are now."""
    shutil.rmtree(tree / "tests", ignore_errors=True)
    _copy(root / "tests", tree / "tests")


def build_engine(root: Path, tree: Path, mutants: Sequence[Mutant]) -> set[int]:
    """Compile the kernels with their mutants; the numbers of those that do not compile, which are left out."""
    left = {number: one for number, one in enumerate(mutants, 1) if one.is_kernel}
    refused: set[int] = set()
    if not left:
        return refused
    for _ in range(20):
        _write(root, tree, left)
        said = _compiled(tree)
        if not said:
            return refused
        wrong = _blamed(tree, said) & left.keys()
        if not wrong:
            raise RuntimeError(said[-3000:])
        refused |= wrong
        for number in wrong:
            gone = left.pop(number).statement.path
            if not any(one.statement.path == gone for one in left.values()):
                shutil.copy2(root / gone, tree / gone)
    raise RuntimeError("too many mutants do not compile")


def environment(tree: Path, chosen: int = 0) -> dict[str, str]:
    """For processes that run in the tree."""
    paths = os.pathsep.join([str(tree), str(tree / "tests" / "support"), str(Path(__file__).parents[1])])
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    return {**os.environ, **threads, CHOSEN: str(chosen), "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"}


def _copy(root: Path, tree: Path) -> None:
    """What an edit does not reach, unlike links."""

    def left_out(folder: str, names: list[str]) -> set[str]:
        also = _LEFT_OUT_ABOVE if Path(folder) == root else set()
        return {name for name in names if name in _LEFT_OUT | also}

    shutil.copytree(root, tree, ignore=left_out)


def _write(root: Path, tree: Path, mutants: dict[int, Mutant]) -> None:
    by_file: dict[str, dict[int, Mutant]] = {}
    for number, one in mutants.items():
        by_file.setdefault(one.statement.path, {})[number] = one
    for name, several in by_file.items():
        text = (root / name).read_text(encoding="utf-8")
        changes = [change for number, one in several.items()
                   for change in with_second_form(one.statement, one.edit, number)]  # fmt: skip
        for start, end, new in sorted(changes, reverse=True):
            text = text[:start] + new + text[end:]
        at = _behind_the_head(text, python=name.endswith(".py"))
        switch = _IN_PYTHON if name.endswith(".py") else _IN_CYTHON
        (tree / name).write_text(text[:at] + switch + text[at:], encoding="utf-8")


def _behind_the_head(text: str, *, python: bool) -> int:
    """The place behind the docstring, and imports from the future."""
    if not python:
        return _line(text, text.index('"""', text.index('"""') + 3))
    body = ast.parse(text).body
    head = 0
    for node in body:
        docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not docstring and not (isinstance(node, ast.ImportFrom) and node.module == "__future__"):
            break
        head = node.end_lineno or 0
    return sum(len(line) for line in text.splitlines(keepends=True)[:head])


def _line(text: str, at: int) -> int:
    return text.index("\n", at) + 1


def _compiled(tree: Path) -> str:
    """Compile the engine of the tree; "" or what Cython and C say of errors."""
    build = tree / "build"
    script = (
        "from Cython.Build import cythonize; from setuptools import Extension; "
        f"from {KERNELS}.plain_c.standalone import DIRECTIVES; "
        f"cythonize([Extension('{KERNELS}.engine', ['{KERNELS}/engine.pyx'])], build_dir='build', quiet=True, "
        "force=True, compiler_directives=DIRECTIVES)"
    )
    made = subprocess.run(
        [sys.executable, "-c", script], cwd=tree, env=environment(tree), capture_output=True, text=True, check=False
    )
    if made.returncode:
        return made.stdout + made.stderr
    (library,) = (tree / KERNELS).glob("engine.*.so")
    library.unlink()
    flags = ["-O0", "-g0", "-w", "-fPIC", "-fopenmp-simd", "-ffp-contract=off", "-fno-math-errno", "-shared"]
    headers = sorted({path.parent for path in (tree / KERNELS).rglob("*.h")})
    folders = [f"-I{folder}" for folder in [*headers, sysconfig.get_path("include")]]
    source = build / KERNELS / "engine.c"
    made = subprocess.run(
        [*own_compiler(), *flags, "-DKEELBLOCKS_WIDE=1", *folders, str(source), "-o", str(library), "-lm"],
        cwd=tree, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return made.stderr if made.returncode else ""


def _blamed(tree: Path, said: str) -> set[int]:
    """The mutants in the statements that errors stand in."""
    found: set[int] = set()
    for name, row in re.findall(r"^([\w/.]+\.p[xy][xd]):(\d+):\d+: ", said, re.MULTILINE):
        lines = (tree / name).read_text(encoding="utf-8").splitlines()
        for at in range(int(row) - 1, max(int(row) - 12, -1), -1):  # a statement may have several lines
            if numbers := re.findall(r"_mutant\((\d+)\)", lines[at]):
                found |= {int(number) for number in numbers}
                break
    return found
