"""The text of a file of views: what the kernels of one module of declarations see."""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Iterator, Sequence

from blocks.kernel_views.declarations import file_of, snake, title, views_module, with_article
from blocks.kernel_views.groups import LETTERS, READ_ONLY, TYPES, WORDS, Form, Group, Member, constants_of, groups_of
from blocks.model.block import Block
from blocks.model.derived import in_c

_RAW = {
    "u": "const double** u",
    "y": "double** y",
    "p": "const double** p",
    "w": "double* w",
    "x": "const double* x",
    "dx": "double* dx",
    "z": "double* z",
    "g": "double* g",
    "n": "const int* n",
}
_ELEMENTS = {letter: "const double" if letter in READ_ONLY else "double" for letter in LETTERS}
_BESIDE, _WIDTH = 44, 120


def view_file(classes: Sequence[type[Block]], among: Sequence[type[Block]]) -> str:
    """The file for the classes of one module; `among` are all that have views."""
    ancestors = {(cls, base): _conversion(cls, base) for cls in classes for base in _bases(cls, among)}
    needed = dict.fromkeys(
        base for (_, base), text in ancestors.items() if text and views_module(base) != views_module(classes[0])
    )
    imports = [f"from {views_module(base)} cimport *" for base in needed]
    parts = [
        f'"""What the kernels of {file_of(classes[0])} see, by name. '
        'Made from there by the build: edit the declarations."""\n',
        "\n".join([*dict.fromkeys(imports), "from cython_kernels.view cimport View"]) + "\n",
    ]
    for cls in classes:
        parts += _constants(cls)
        parts += _structs(cls)
        parts.append(_view(cls))
        if is_computed(cls):
            parts.append(_computed(cls))
    parts += ancestors.values()
    return "\n".join(part for part in parts if part)


def is_computed(cls: type[Block]) -> bool:
    """Whether the view is made at each call; others are laid over the engine's."""
    return any(group.form is Form.COMPUTED for group in groups_of(cls).values())


def _bases(cls: type[Block], among: Sequence[type[Block]]) -> Iterator[type[Block]]:
    for base in cls.__mro__[1:]:
        if base in among:
            yield base


def _constants(cls: type[Block]) -> Iterator[str]:
    for about, names in constants_of(cls):
        lines = [f"    {name} = {i}" for i, name in enumerate(names)]
        yield "\n".join([f"cdef enum:  # choices of {about}, by name", *lines]) + "\n"


def _structs(cls: type[Block]) -> Iterator[str]:
    for group in groups_of(cls).values():
        if group.form in (Form.EMPTY, Form.RAW):
            continue
        about = f"{WORDS[group.letter]} of {title(cls)}"
        yield _struct(title(cls) + TYPES[group.letter], about, [(_field(group, m), m.comment()) for m in group.members])


def _struct(name: str, about: str, fields: list[tuple[str, str]]) -> str:
    lines = [f"ctypedef struct {name}:  # {about}, by name"]
    for declaration, comment in fields:
        beside = textwrap.wrap(comment, _WIDTH - _BESIDE - 2) or [""]
        lines.append(f"{'    ' + declaration:<{_BESIDE - 1}} # {beside[0]}" if comment else f"    {declaration}")
        lines += [f"{'':<{_BESIDE}}# {more}" for more in beside[1:]]
    return "\n".join(lines) + "\n"


def _field(group: Group, member: Member) -> str:
    element = _ELEMENTS[group.letter]
    if group.form is Form.NUMBERS:
        return f"int {member.c_name}"
    if group.form is Form.ARRAYS:
        count = 1
        for dimension in member.shape:
            count *= int(dimension)
        return f"{element} {member.c_name}[{count}]"
    return f"{element}* {member.c_name}"


def _view(cls: type[Block]) -> str:
    fields = [(_member(cls, group), "") for group in groups_of(cls).values()]
    fields += [
        ("int* fault", "set to a number from 1 to stop the run with that message of `faults`"),
        ("unsigned int key", "hash of the block's name: tells random streams of equal seed apart"),
        ("void* context", ""),
    ]
    return _struct(f"{title(cls)}View", f"what the kernels see of {title(cls)}", fields)


def _member(cls: type[Block], group: Group) -> str:
    letter, form = group.letter, group.form
    if form is Form.RAW:
        return _RAW[letter]
    if form is Form.EMPTY:
        return f"const void* {letter}"
    name = title(cls) + TYPES[letter]
    if form is Form.COMPUTED:
        return f"{name} {letter}"
    return f"const {name}* {letter}" if form in (Form.POINTERS, Form.NUMBERS) else f"{name}* {letter}"


def _computed(cls: type[Block]) -> str:
    """The function that makes a view whose members have no fixed places."""
    lines = [
        f"cdef inline {title(cls)}View {snake(cls)}_view(const View* b) noexcept nogil:",
        '    """What the engine gives, with names."""',
        f"    cdef {title(cls)}View named",
    ]
    groups = groups_of(cls)
    for group in groups.values():
        letter = group.letter
        if group.form is not Form.COMPUTED:
            lines.append(f"    named.{letter} = {_cast(cls, group)}b.{letter}")
            continue
        before: Member | None = None
        for member in group.members:
            at = f"&b.{letter}[0]" if before is None else f"named.{letter}.{before.c_name} + {_length(cls, before)}"
            lines.append(f"    named.{letter}.{member.c_name} = {at}")
            before = member
    lines += ["    named.fault = &b.fault[0]", "    named.key = +b.key", "    named.context = b.context"]
    return "\n".join([*lines, "    return named"]) + "\n"


def _cast(cls: type[Block], group: Group) -> str:
    if group.form is Form.RAW:
        return ""
    if group.form is Form.EMPTY:
        return "<const void*>"
    return f"<{_member(cls, group).removesuffix(group.letter).rstrip()}>"


def _length(cls: type[Block], member: Member) -> str:
    """How many numbers a member has, in terms of the engine's sizes."""
    factors = []
    for dimension in member.shape:
        text = in_c(dimension, "\0")
        for i, size in enumerate(cls.sizes):
            text = re.sub(rf"\0{size}\b", f"b.n[{i}]", text)
        factors.append(f"({text})" if " " in text and len(member.shape) > 1 else text)
    return " * ".join(factors) or "1"


def _conversion(cls: type[Block], base: type[Block]) -> str:
    """The function from the view of a class to that of an ancestor, by name; nothing where there cannot be one."""
    own, wanted = groups_of(cls), groups_of(base)
    lines = [
        f"cdef inline {title(base)}View {conversion_name(cls, base)}(const {title(cls)}View* b) noexcept nogil:",
        f'    """What of it is {with_article(title(base))}."""',
        f"    cdef {title(base)}View named",
    ]
    for letter in LETTERS:
        have, want = own[letter], wanted[letter]
        if want.form is Form.EMPTY:
            lines.append(f"    named.{letter} = NULL")
        elif want.form is Form.RAW or have.form is Form.RAW:
            if have.form is not want.form:
                return ""
            lines.append(f"    named.{letter} = b.{letter}")
        elif want.form is Form.COMPUTED:
            lines += [f"    named.{letter}.{m.c_name} = &b.{letter}.{m.c_name}[0]" for m in want.members]
        else:
            flat = want.form is Form.ARRAYS
            have_all, want_all = ([(m.name, m.shape if flat else ()) for m in group.members] for group in (have, want))
            first = have_all.index(want_all[0]) if want_all[0] in have_all else 0
            if have_all[first : first + len(want_all)] != want_all:
                return ""
            at = f"b.{letter}.{want.members[0].c_name}"
            if have.form in (Form.POINTERS, Form.NUMBERS):
                at = f"&{at}"
            elif have.form is Form.ARRAYS:  # not from the member, which is shorter than what is read through the view
                before = sum(math.prod(int(size) for size in member.shape) for member in have.members[:first])
                at = f"(<double*>b.{letter} + {before})" if before else f"b.{letter}"
            lines.append(f"    named.{letter} = {_cast(base, want)}{at}")
    lines += ["    named.fault = &b.fault[0]", "    named.key = +b.key", "    named.context = b.context"]
    return "\n".join([*lines, "    return named"]) + "\n"


def conversion_name(cls: type[Block], base: type[Block]) -> str:
    """What the function from one view to the other is called: `foil_as_foil_set`."""
    return f"{snake(cls)}_as_{snake(base)}"
