"""Whether a kernel has the functions that its declaration asks for, whether they have the form, and sizes their names.

A function that is spelt otherwise would be left out without a word, and what it computes would stay as it is.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping

from blocks.kernel_views.declarations import title
from blocks.kernel_views.functions import ROLES, Function, Kernel
from blocks.kernel_views.groups import WORDS, Form, groups_of, overrides
from blocks.kernel_views.source import Source, ViewError
from blocks.model.block import Block
from blocks.model.derived import names_in

Kernels = Mapping[str, tuple[type[Block], Kernel]]

_ANY = re.compile(r"^cp?def\b[^(\n]*?\b(\w+)\(([^)]*)\)", re.M)
_OWN_VIEW = re.compile(r"\s*(?:const\s+)?\w*View\s*\*\s*\w+\s*,\s*double\s+\w+\s*,?\s*")
_WANTED = {"y": ("outputs",), "dx": ("derivatives",), "z": ("update",), "g": ("crossings", "jumps"), "w": ("setup",)}
"""The functions of which one computes a group."""


def refuse_other_forms(source: Source, found: Kernels, functions: Mapping[str, Function]) -> None:
    """Raise ViewError for what is meant as a function of a kernel and is not read as one."""
    for file, text in source.kernel_files():
        for match in _ANY.finditer(text):
            name, arguments = match.groups()
            if name in functions or not _OWN_VIEW.fullmatch(arguments):
                continue
            for kernel, role in _meant(name, found):
                line = text.count("\n", 0, match.start()) + 1
                raise ViewError(
                    f"{name} ({file}, line {line}) is not read as the {role} of the kernel '{kernel}': write "
                    f"'{_form(found[kernel][0], kernel, role)}', or give what is none of its functions another name"
                )


def _meant(name: str, found: Kernels) -> Iterator[tuple[str, str]]:
    for kernel in found:
        if name.startswith(f"{kernel}_"):
            for role in difflib.get_close_matches(name.removeprefix(f"{kernel}_"), ROLES, 1, 0.75):
                yield kernel, role


def _form(cls: type[Block], kernel: str, role: str) -> str:
    return f"cdef inline void {kernel}_{role}(const {title(cls)}View* b, double t) noexcept nogil:"


def refuse_what_does_not_fit(found: Kernels) -> None:
    """Raise ViewError where a declaration and its kernels do not agree on what is computed."""
    for cls in dict.fromkeys(cls for cls, _ in found.values()):
        own = {name: kernel for name, (other, kernel) in found.items() if other is cls}
        groups = groups_of(cls)
        _refuse_unknown_sizes(cls)
        for letter, roles in _WANTED.items():
            members = ", ".join(member.name for member in groups[letter].members)
            kind = WORDS[letter if letter != "dx" else "x"]
            having = [kernel[role] for kernel in own.values() for role in roles if role in kernel]
            if members and not having:
                raise ViewError(
                    f"{title(cls)} declares the {kind} {members}, but its kernel '{next(iter(own))}' has no "
                    f"{' and no '.join(roles)}: "
                    f"write '{_form(cls, next(iter(own)), roles[0])}'"
                )
            if having and groups[letter].form is Form.EMPTY:
                raise ViewError(
                    f"{having[0].name} ({having[0].place}) has nothing to compute: {title(cls)} declares no {kind}"
                )


def _refuse_unknown_sizes(cls: type[Block]) -> None:
    """Every size in a shape is one of `sizes`, and each of these follows from a port or parameter."""
    ports = [*cls.declared_inputs.values(), *cls.declared_outputs.values()]
    signals = [port.signal for port in ports] + [state.signal for state in cls.declared_states.values()]
    shapes = [signal.shape or () for signal in signals] + [p.shape for p in cls.parameters.values()]
    known = {name for shape in shapes for name in shape if isinstance(name, str)}
    for size in cls.sizes:
        if size not in known and not overrides(cls, "known_sizes"):
            raise ViewError(
                f"{cls.__name__}.sizes names '{size}', which is in the shape of none of its ports, states and "
                f"parameters; these have {', '.join(sorted(known)) or 'no sizes with names'}"
            )
    shaped = {name: item.shape for name, item in cls.derived_constants.items()}
    shaped |= {name: item.shape for name, item in cls.crossings.items()}
    for item, shape in shaped.items():
        for name in (name for dimension in shape for name in names_in(dimension)):
            if name not in cls.sizes:
                raise ViewError(
                    f"{cls.__name__}.{item} has the size '{name}', which is not among "
                    f"{cls.__name__}.sizes = {cls.sizes!r}"
                )
