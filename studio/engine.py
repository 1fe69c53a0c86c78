"""The engine that a page carries: with what its plans need, or the blocks that cannot go along, and the way out."""

from __future__ import annotations

from collections.abc import Iterable

from blocks.errors import ExportError
from blocks.plan import Plan
from blocks.plan.kernel import kernel_name
from cython_kernels import engine as native
from fmu.runtime.compiled_libraries import libraries_of
from fmu.runtime.webassembly.module import engine_module
from fmu.runtime.webassembly.with_libraries import module_with
from studio.errors import ShareError


def engine_for(plans: Iterable[Plan]) -> bytes:
    """The module of WebAssembly that runs these plans. Raises ShareError, naming what cannot run in a browser."""
    plans = list(plans)
    for plan in plans:
        _refuse(plan)
    kernels = {kernel_name(leaf.block) for plan in plans for leaf in plan.flat.leaves}
    compiled = [plan for plan in plans if plan.digests]
    try:
        if not compiled:
            return engine_module(kernels)
        libraries = {library.name: library for plan in compiled for library in libraries_of(plan)}
        return module_with(list(libraries.values()), {kernel for kernel in kernels if "." not in kernel})
    except ExportError as problem:
        raise ShareError(str(problem)) from None


def _refuse(plan: Plan) -> None:
    """Raise ShareError for blocks and solvers that run in Python only."""
    blocks = [plan.flat.leaves[number] for number in plan.python_blocks]
    foreign = [leaf.name for leaf in blocks if leaf.block.type_name().startswith("fmu.")]
    python = [leaf.name for leaf in blocks if leaf.name not in foreign]
    wrong = []
    if python:
        wrong.append(
            f"{_named(python, 'is', 'are')} written in Python, which a browser does not run; write {_it(python)} as a "
            "Formula, or as a block of a compiled library (docs/writing-blocks.md)"
        )
    if foreign:
        wrong.append(
            f"{_named(foreign, 'is an FMU', 'are FMUs')} from elsewhere, whose binary a browser does not run; put "
            f"blocks in the place of {_it(foreign)}, or hand on the result as .nc or .mcap"
        )
    if plan.settings.solver not in native.SOLVERS:
        wrong.append(
            f"the solver {plan.settings.solver} is SciPy's, which a browser does not run; choose "
            f"{', '.join(native.SOLVERS)}: keelblocks share … --solver dopri5"
        )
    if wrong:
        raise ShareError("this cannot be a page: " + "\nand ".join(wrong))


def _named(names: list[str], one: str, several: str) -> str:
    quoted = ", ".join(f"'{name}'" for name in names)
    return f"the block {quoted} {one}" if len(names) == 1 else f"the blocks {quoted} {several}"


def _it(names: list[str]) -> str:
    return "it" if len(names) == 1 else "them"
