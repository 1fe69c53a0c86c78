"""The text of a file of entries: the functions that the engine calls, from its own view to that with names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from blocks.kernel_views.declarations import file_of, snake, title, views_module
from blocks.kernel_views.functions import Function, Kernel
from blocks.kernel_views.view_file import conversion_name, is_computed
from blocks.model.block import Block


def entry_name(function: Function) -> str:
    """What the engine calls for a function of a kernel."""
    return f"{function.name}_entry"


def entry_file(kernels: Sequence[tuple[type[Block], Kernel]], among: Sequence[type[Block]]) -> str:
    """The file for the kernels of one module of declarations; "" if it has none."""

    imports: dict[str, dict[str, None]] = {"cython_kernels.view": {"View": None}}
    parts = []
    for cls, kernel in kernels:
        for function in kernel.values():
            imports.setdefault(function.module, {})[function.name] = None
            parts.append("\n".join(_entry(cls, function, imports, among)) + "\n")
    if not parts:
        return ""
    about = f'"""How the engine calls the kernels of {file_of(kernels[0][0])}. Made by the build."""\n'
    return "\n".join([about, "\n".join(_imports(imports)) + "\n", *parts])


def _entry(
    cls: type[Block], function: Function, imports: dict[str, dict[str, None]], among: Sequence[type[Block]]
) -> Iterator[str]:
    views = imports.setdefault(views_module(cls), {})
    yield f"cdef inline void {entry_name(function)}(const View* b, double t) noexcept nogil:"
    base = next(base for base in among if f"{title(base)}View" == function.view)
    views[f"{title(cls)}View"] = None
    if is_computed(cls):
        views[f"{snake(cls)}_view"] = None
        yield f"    cdef {title(cls)}View named = {snake(cls)}_view(b)"
        seen = "&named"
    else:
        seen = f"<const {title(cls)}View*>b"
    if base is not cls:
        imports.setdefault(views_module(base), {})[f"{title(base)}View"] = None
        views[conversion_name(cls, base)] = None
        yield f"    cdef {title(base)}View {snake(base)} = {conversion_name(cls, base)}({seen})"
        seen = f"&{snake(base)}"
    yield f"    {function.name}({seen}, t)"


def _imports(names: dict[str, dict[str, None]]) -> Iterator[str]:
    for module in sorted(names):
        for name in sorted(names[module]):
            yield f"from {module} cimport {name}"
