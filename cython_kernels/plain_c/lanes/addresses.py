"""Where addresses go: which local variables others may reach by a pointer, and which pointers surely lead somewhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from pycparser import c_ast

from cython_kernels.plain_c.lanes.reading import Program
from cython_kernels.plain_c.lanes.statements import Set, Statement, every, expressions
from cython_kernels.plain_c.lanes.types import T

_PATH = re.compile(r"\w+(?:(?:->|\.)\w+|\[\d+\])*")
_WORD = re.compile(r"\w+")


def type_of(node: Any, types: Mapping[str, T], program: Program) -> T | None:
    """The type of an expression for one member, if it is a place, an address or a call."""
    if isinstance(node, c_ast.ID):
        return types.get(node.name)
    if isinstance(node, c_ast.StructRef):
        struct = type_of(node.name, types, program)
        struct = struct.of if struct is not None and node.type == "->" else struct
        return dict(program.structs.get(struct.name, ())).get(node.field.name) if struct is not None else None
    if isinstance(node, c_ast.ArrayRef) or (isinstance(node, c_ast.UnaryOp) and node.op == "*"):
        inner = type_of(node.name if isinstance(node, c_ast.ArrayRef) else node.expr, types, program)
        return inner.of if inner is not None else None
    if isinstance(node, c_ast.FuncCall):
        function = program.functions.get(getattr(node.name, "name", ""))
        return function.returns if function is not None else None
    if isinstance(node, c_ast.Cast):
        return program.type_of(node.to_type)
    if isinstance(node, c_ast.UnaryOp) and node.op == "&":
        of = type_of(node.expr, types, program)
        return T("p", of=of) if of is not None else None
    if isinstance(node, c_ast.BinaryOp):
        found = (type_of(side, types, program) for side in (node.left, node.right))
        return next((kind for kind in found if kind is not None and kind.kind in "pa"), None)
    return None


def base(node: Any) -> str:
    """The variable that a place is in; "" if a pointer leads there."""
    while isinstance(node, c_ast.ArrayRef) or (isinstance(node, c_ast.StructRef) and node.type == "."):
        node = node.name
    return node.name if isinstance(node, c_ast.ID) else ""


def keeps_pointers(program: Program, name: str) -> bool:
    """Whether a function, or one that it calls, may put a pointer where it stays."""
    known = program.keepers.get(name)
    if known is None:
        program.keepers[name] = False
        function = program.functions.get(name)
        known = program.keepers[name] = function is not None and (
            any(kind.kind == "p" and kind.of is not None and kind.of.kind == "p" for _, kind in function.parameters)
            or _puts_a_pointer(program, function.body)
        )
    return known


def _puts_a_pointer(program: Program, node: Any) -> bool:
    pointers = {name for members in program.structs.values() for name, kind in members if kind.kind in "ps"}
    ahead = [node]
    while ahead:
        node = ahead.pop()
        if isinstance(node, c_ast.Assignment) and not isinstance(node.lvalue, c_ast.ID):
            to = node.lvalue
            while isinstance(to, c_ast.ArrayRef):
                to = to.name
            if isinstance(to, c_ast.StructRef) and to.field.name in pointers:
                return True
        if isinstance(node, c_ast.FuncCall) and keeps_pointers(program, getattr(node.name, "name", "")):
            return True
        ahead += [child for _, child in node.children()]
    return False


def reached(statements: list[Statement], types: Mapping[str, T], program: Program) -> frozenset[str]:
    """Local variables of which an address is kept: what stands in them may be read by a pointer at any time."""
    found: set[str] = set()
    for s in every(statements):
        if isinstance(s, Set):
            found |= _addresses(s.value, types, program) if s.to is not None else set()
            for call in (n for n in expressions(s.value) if isinstance(n, c_ast.FuncCall)):
                if keeps_pointers(program, getattr(call.name, "name", "")):
                    found |= _of_arguments(call, types, program)
    return frozenset(found & types.keys())


def _addresses(node: Any, types: Mapping[str, T], program: Program) -> set[str]:
    """Variables of which the address may be in a value."""
    if isinstance(node, c_ast.UnaryOp) and node.op == "&":
        return {base(node.expr)}
    if isinstance(node, c_ast.ID | c_ast.StructRef | c_ast.ArrayRef):
        kind = type_of(node, types, program)
        return {base(node)} if kind is not None and kind.kind == "a" else set()
    if isinstance(node, c_ast.Cast):
        return _addresses(node.expr, types, program)
    if isinstance(node, c_ast.BinaryOp):
        return _addresses(node.left, types, program) | _addresses(node.right, types, program)
    if isinstance(node, c_ast.FuncCall):
        kind = type_of(node, types, program)
        return _of_arguments(node, types, program) if kind is not None and kind.kind in "ps" else set()
    return set()


def _of_arguments(call: c_ast.FuncCall, types: Mapping[str, T], program: Program) -> set[str]:
    found: set[str] = set()
    return found.union(*(_addresses(item, types, program) for item in (call.args.exprs if call.args else [])))


class Followed:
    """Pointers that were followed on every way to here, and up to which element.

    What was followed may be followed again although no member is meant; another pointer may lead nowhere then.
    """

    def __init__(self) -> None:
        self._levels: list[dict[str, int]] = [{}]

    def note(self, pointer: str, index: int) -> None:
        """A pointer is followed here."""
        if _PATH.fullmatch(pointer):
            self._levels[-1][pointer] = max(index, self._levels[-1].get(pointer, 0))

    def has(self, pointer: str, index: int) -> bool:
        """Whether it surely leads to this element."""
        return any(level.get(pointer, -1) >= index for level in self._levels)

    def enter(self) -> None:
        """A block begins."""
        self._levels.append({})

    def leave(self) -> None:
        """It ends."""
        self._levels.pop()

    def meet(self) -> None:
        """Some come here who were not on the way through this block."""
        self._levels[-1].clear()

    def forget(self, name: str) -> None:
        """A variable has another value now."""
        for level in self._levels:
            for pointer in [pointer for pointer in level if name in _WORD.findall(pointer)]:
                del level[pointer]

    def forget_all(self) -> None:
        """Any pointer may be another one now."""
        for level in self._levels:
            level.clear()

    def forget_what_changes(self, statements: Iterable[Statement], types: Mapping[str, T], program: Program) -> None:
        """Some statements may have been done."""
        for s in statements:
            if not isinstance(s, Set):
                continue
            if any(
                isinstance(n, c_ast.FuncCall) and keeps_pointers(program, getattr(n.name, "name", ""))
                for n in expressions(s.value)
            ):
                self.forget_all()
            if s.to is None:
                continue
            kind = type_of(s.to, types, program)
            if kind is None or kind.kind in "psa":
                if base(s.to):
                    self.forget(base(s.to))
                else:
                    self.forget_all()
