"""Bodies of functions as few kinds of statements: C's loops and jumps become loops, ifs and gotos forward."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from pycparser import c_ast

from cython_kernels.plain_c.lanes.reading import Function, Program
from cython_kernels.plain_c.lanes.types import NotLaned, T


@dataclass(eq=False)
class Statement:
    """live: the variables whose values are needed from here on; after: from behind it on."""

    live: frozenset[str] = field(default=frozenset(), init=False)
    after: frozenset[str] = field(default=frozenset(), init=False)


@dataclass(eq=False)
class Set(Statement):
    """to = value; or a value alone, for what it does."""

    to: Any
    value: Any


@dataclass(eq=False)
class If(Statement):
    """A choice."""

    condition: Any
    then: list[Statement]
    other: list[Statement]
    other_live: frozenset[str] = field(default=frozenset(), init=False)


@dataclass(eq=False)
class Loop(Statement):
    """A loop that only gotos leave."""

    body: list[Statement]


@dataclass(eq=False)
class Goto(Statement):
    """A jump forward."""

    label: str


@dataclass(eq=False)
class Label(Statement):
    """Where gotos lead. place: in the order of the text."""

    name: str
    place: int = 0


@dataclass(eq=False)
class Return(Statement):
    """The end, with what is returned."""

    value: Any


@dataclass
class Body:
    """A body: statements, local variables with their types for one member."""

    statements: list[Statement]
    variables: dict[str, T]


class Lowering:
    """Makes a `Body` of what was parsed."""

    def __init__(self, program: Program, function: Function) -> None:
        self.program, self.function = program, function
        self.variables: dict[str, T] = {}
        self.names = itertools.count(1)
        self.breaks: list[str] = []
        self.continues: list[str] = []

    def body(self) -> Body:
        """The whole body."""
        statements = list(self._all(self.function.body.block_items or []))
        for place, label in enumerate(s for s in every(statements) if isinstance(s, Label)):
            label.place = place
        return Body(statements, self.variables)

    def _all(self, nodes: list[Any]) -> Iterator[Statement]:
        for node in nodes:
            yield from self._one(node)

    def _block(self, node: Any) -> list[Statement]:
        return [] if node is None else list(self._one(node))

    def _label(self, kind: str) -> str:
        return f"{kind}{next(self.names)}_"

    def _one(self, node: Any) -> Iterator[Statement]:
        if isinstance(node, c_ast.Compound):
            yield from self._all(node.block_items or [])
        elif isinstance(node, c_ast.Decl):
            self.variables[node.name] = self.program.type_of(node.type)
            if node.init is not None:
                yield Set(c_ast.ID(node.name), node.init)
        elif isinstance(node, c_ast.Assignment):
            value = node.rvalue
            if node.op != "=":
                value = c_ast.BinaryOp(node.op[:-1], deepcopy(node.lvalue), node.rvalue)
            yield Set(node.lvalue, value)
        elif isinstance(node, c_ast.UnaryOp) and node.op in ("p++", "++"):
            yield Set(node.expr, c_ast.BinaryOp("+", deepcopy(node.expr), c_ast.Constant("int", "1")))
        elif isinstance(node, c_ast.If):
            yield If(node.cond, self._block(node.iftrue), self._block(node.iffalse))
        elif isinstance(node, c_ast.For | c_ast.While):
            yield from self._loop(node)
        elif isinstance(node, c_ast.DoWhile):
            if getattr(node.cond, "value", "") != "0":
                raise NotLaned("a loop that tests at its end")
            yield from self._one(node.stmt)
        elif isinstance(node, c_ast.Switch):
            yield from self._switch(node)
        elif isinstance(node, c_ast.Goto):
            yield Goto(node.name)
        elif isinstance(node, c_ast.Break):
            yield Goto(self.breaks[-1])
        elif isinstance(node, c_ast.Continue):
            yield Goto(self.continues[-1])
        elif isinstance(node, c_ast.Label):
            yield Label(node.name)
            yield from self._one(node.stmt)
        elif isinstance(node, c_ast.Return):
            yield Return(node.expr)
        elif isinstance(node, c_ast.EmptyStatement):
            return
        elif isinstance(node, c_ast.Cast | c_ast.FuncCall):
            yield Set(None, node)
        else:
            raise NotLaned(f"a statement of {type(node).__name__}")

    def _loop(self, node: Any) -> Iterator[Statement]:
        end, again = self._label("B"), self._label("C")
        if isinstance(node, c_ast.For) and node.init is not None:
            yield from self._all(node.init.decls if isinstance(node.init, c_ast.DeclList) else [node.init])
        self.breaks.append(end)
        self.continues.append(again)
        body: list[Statement] = []
        if node.cond is not None and getattr(node.cond, "value", "") != "1":
            body.append(If(c_ast.UnaryOp("!", node.cond), [Goto(end)], []))
        body += self._one(node.stmt)
        body.append(Label(again))
        if isinstance(node, c_ast.For) and node.next is not None:
            body += self._one(node.next)
        self.breaks.pop()
        self.continues.pop()
        yield Loop(body)
        yield Label(end)

    def _switch(self, node: c_ast.Switch) -> Iterator[Statement]:
        end = self._label("S")
        name = f"chosen{next(self.names)}_"
        self.variables[name] = T("i", "int")
        yield Set(c_ast.ID(name), node.cond)
        self.breaks.append(end)
        cases = self._cases(node.stmt.block_items)
        self.breaks.pop()
        other = next((body for values, body in cases if not values), [])
        chain: list[Statement] = other
        for values, body in reversed([case for case in cases if case[0]]):
            chain = [self._case(name, values, body, chain)]
        yield from chain
        yield Label(end)

    def _cases(self, nodes: list[Any]) -> list[tuple[list[Any], list[Statement]]]:
        cases: list[tuple[list[Any], list[Statement]]] = []
        values: list[Any] = []
        for node in nodes:
            if isinstance(node, c_ast.Case):
                values.append(node.expr)
            elif not isinstance(node, c_ast.Default):
                raise NotLaned("a statement of a switch in no case")
            body = [s for item in node.stmts or [] for s in self._one(item)]
            if body:
                if not isinstance(body[-1], Goto):
                    raise NotLaned("a case that goes on into the next one")
                cases.append((values if isinstance(node, c_ast.Case) else [], body))
                values = []
        return cases

    def _case(self, name: str, values: list[Any], body: list[Statement], chain: list[Statement]) -> Statement:
        """Cases of one body are asked one by one."""
        condition: Any = None
        for value in values:
            one = c_ast.BinaryOp("==", c_ast.ID(name), value)
            condition = one if condition is None else c_ast.BinaryOp("|", condition, one)
        return If(condition, body, chain)


def every(statements: list[Statement]) -> Iterator[Statement]:
    """All statements, those within others after these, in the order of the text."""
    for statement in statements:
        yield statement
        if isinstance(statement, If):
            yield from every(statement.then)
            yield from every(statement.other)
        elif isinstance(statement, Loop):
            yield from every(statement.body)


def expressions(node: Any) -> Iterator[Any]:
    """All nodes of an expression but for names of functions and of members."""
    if node is None:
        return
    yield node
    if isinstance(node, c_ast.StructRef):
        yield from expressions(node.name)
    elif isinstance(node, c_ast.FuncCall):
        yield from expressions(node.args)
    else:
        for _, child in node.children():
            yield from expressions(child)
