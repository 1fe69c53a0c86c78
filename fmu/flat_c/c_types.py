"""Types of expressions in C, as far as operations on doubles are to be told from others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pycparser import c_ast


@dataclass(frozen=True)
class Kind:
    """base: "d" for double, "i" for whole numbers, else the name of a struct; depth: of pointers and arrays to it."""

    base: str
    depth: int = 0

    @property
    def is_double(self) -> bool:
        """Whether it is a number that floating-point operations are made on."""
        return self.base == "d" and self.depth == 0

    def at(self, more: int) -> Kind:
        """What a pointer to it is, or what it leads to with -1."""
        return Kind(self.base, max(0, self.depth + more))


WHOLE = Kind("i")
_COMPARES = ("<", ">", "<=", ">=", "==", "!=", "&&", "||")


class Types:
    """What a translation unit declares."""

    def __init__(self, tree: c_ast.FileAST) -> None:
        self.named: dict[str, Kind] = {}
        self.members: dict[str, dict[str, Kind]] = {}
        self.functions: dict[str, c_ast.FuncDef] = {}
        self.globals: dict[str, c_ast.Decl] = {}
        for node in tree.ext:
            if isinstance(node, c_ast.Typedef):
                self.named[node.name] = self.of(node.type)
            elif isinstance(node, c_ast.FuncDef):
                self.functions[node.decl.name] = node
            elif isinstance(node, c_ast.Decl):
                self.of(node.type)
                if node.name:
                    self.globals[node.name] = node

    def of(self, node: Any) -> Kind:
        """The type of a declaration."""
        if isinstance(node, c_ast.TypeDecl | c_ast.Typename | c_ast.Decl):
            return self.of(node.type)
        if isinstance(node, c_ast.PtrDecl | c_ast.ArrayDecl):
            return self.of(node.type).at(1)
        if isinstance(node, c_ast.FuncDecl):
            return self.of(node.type)
        if isinstance(node, c_ast.Struct | c_ast.Union):
            name = node.name or f"unnamed {id(node)}"
            if node.decls:
                self.members[name] = {item.name: self.of(item.type) for item in node.decls}
            return Kind(name)
        if isinstance(node, c_ast.IdentifierType):
            if node.names[-1] in self.named:
                return self.named[node.names[-1]]
            return Kind("d") if node.names[-1] in ("double", "float") else WHOLE
        return WHOLE

    def of_expression(self, node: Any, names: dict[str, Kind]) -> Kind:
        """The type of an expression, with the types of what is declared around it."""
        if isinstance(node, c_ast.Constant):
            return Kind("d") if node.type in ("double", "float") else WHOLE
        if isinstance(node, c_ast.ID):
            if node.name in names:
                return names[node.name]
            return self.of(self.globals[node.name].type) if node.name in self.globals else WHOLE
        if isinstance(node, c_ast.StructRef):
            held = self.of_expression(node.name, names)
            return self.members.get(held.base, {}).get(node.field.name, WHOLE)
        if isinstance(node, c_ast.ArrayRef):
            return self.of_expression(node.name, names).at(-1)
        if isinstance(node, c_ast.UnaryOp):
            inner = self.of_expression(node.expr, names)
            return {"&": inner.at(1), "*": inner.at(-1), "!": WHOLE, "sizeof": WHOLE}.get(node.op, inner)
        if isinstance(node, c_ast.Cast):
            return self.of(node.to_type)
        if isinstance(node, c_ast.TernaryOp):
            return self.of_expression(node.iftrue, names)
        if isinstance(node, c_ast.FuncCall):
            called = self.functions.get(getattr(node.name, "name", ""))
            return self.of(called.decl.type) if called else WHOLE
        if isinstance(node, c_ast.BinaryOp):
            if node.op in _COMPARES:
                return WHOLE
            left, right = self.of_expression(node.left, names), self.of_expression(node.right, names)
            if left.depth or right.depth:
                return left if left.depth else right
            return left if left.base == "d" else right
        return WHOLE
