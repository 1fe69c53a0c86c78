"""The functions of kernels, found in the `.pxd` files: which there are, where, and what view each of them takes."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from blocks.kernel_views.declarations import kernels_of, title, with_article
from blocks.kernel_views.source import Source, ViewError, kernels_package
from blocks.model.block import Block

ROLES = ("setup", "start", "outputs", "derivatives", "update", "crossings", "jumps")
"""The kinds of functions, in the order of the registry."""

_FUNCTION = re.compile(
    rf"^cdef inline void (\w+)_({'|'.join(ROLES)})\(\s*const (\w*View)\s*\* *\w+, double t\s*\)", re.M
)


@dataclass(frozen=True)
class Function:
    """A function of a kernel."""

    name: str
    kernel: str
    role: str
    view: str
    file: Path
    line: int

    @property
    def module(self) -> str:
        """Where it is cimported from."""
        return ".".join(self.file.with_suffix("").parts)

    @property
    def place(self) -> str:
        """Where it is, for messages."""
        return f"{self.file}, line {self.line}"


Kernel = Mapping[str, Function]
"""The functions of one kernel by role."""


def functions_in(source: Source) -> dict[str, Function]:
    """All functions of kernels by name. Raises ViewError if two have the same."""
    found: dict[str, Function] = {}
    for file, text in source.kernel_files():
        for match in _FUNCTION.finditer(text):
            kernel, role, view = match.groups()
            line = text.count("\n", 0, match.start()) + 1
            function = Function(f"{kernel}_{role}", kernel, role, view, file, line)
            if function.name in found:
                raise ViewError(
                    f"{function.name} is in {found[function.name].place} and in {function.place}: "
                    f"a kernel has one function of a kind"
                )
            found[function.name] = function
    return found


def kernels(classes: Sequence[type[Block]], functions: Mapping[str, Function]) -> dict[str, tuple[type[Block], Kernel]]:
    """Every kernel with the class that it belongs to and its functions by role. Raises ViewError."""
    found: dict[str, tuple[type[Block], Kernel]] = {}
    for cls in classes:
        for name in kernels_of(cls):
            if name in found:
                raise ViewError(
                    f"{title(cls)} and {title(found[name][0])} both name the kernel '{name}': a kernel sees the "
                    f"declaration of one class; give the other one its own, and functions that call what is shared"
                )
            found[name] = cls, _functions_of(cls, name, functions, found)
    _refuse_unclaimed(functions, found)
    return found


def _functions_of(
    cls: type[Block], name: str, functions: Mapping[str, Function], others: Mapping[str, object]
) -> Kernel:
    found = {role: functions[f"{name}_{role}"] for role in ROLES if f"{name}_{role}" in functions}
    if not found:
        near = _near(name, sorted({function.kernel for function in functions.values()} - set(others)))
        raise ViewError(
            f"{title(cls)} has the kernel '{name}', but no .pxd file in {kernels_package(cls)} has one of its "
            f"functions, such as 'cdef inline void {name}_outputs(const {title(cls)}View* b, double t) "
            f"noexcept nogil:'{near}"
        )
    views = {f"{title(base)}View" for base in cls.__mro__ if issubclass(base, Block) and base is not Block}
    for function in found.values():
        if function.view not in views:
            raise ViewError(
                f"{function.name} ({function.place}) takes {with_article(function.view)}, but the kernel '{name}' "
                f"is that of {title(cls)}, which sees {with_article(title(cls))}View"
            )
    return found


def _near(name: str, valid: Iterable[str]) -> str:
    """A near miss if there is one; not the list of all that there are."""
    found = difflib.get_close_matches(name, [*valid], 1)
    return f"; did you mean '{found[0]}'?" if found else ""


def _refuse_unclaimed(functions: Mapping[str, Function], found: Mapping[str, tuple[type[Block], Kernel]]) -> None:
    claimed = {function.name for _, kernel in found.values() for function in kernel.values()}
    for function in functions.values():
        if function.name not in claimed:
            raise ViewError(
                f"{function.name} ({function.place}) looks like the {function.role} of a kernel '{function.kernel}', "
                f"but no block has such a kernel. If several kernels share it, let it take other arguments, or end "
                f"its name in another word{_near(function.kernel, found)}"
            )
