"""Cut a script down to what some of its classes need.

A script that defines blocks mostly goes on to build a diagram, to run it and to export it. None of that may happen
again where the FMU runs, so only the statements travel that the classes need, at the lines where they stand.
"""

from __future__ import annotations

import ast
import symtable
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_IMPORTS = (ast.Import, ast.ImportFrom)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True)
class _Statement:
    """One statement of a script: its lines, and the names it gives a value to, reads, and changes the value of."""

    first: int
    last: int
    bound: frozenset[str]
    read: frozenset[str]
    changed: frozenset[str]
    always: bool


def needed_part(source: str, names: Iterable[str]) -> str:
    """The script with every line blank that the definitions of `names` do not need, directly or through others.

    A statement is needed if it gives a needed name its value or changes that value in place (`TABLE[0] = 1.0`,
    `TABLE.append(1.0)`). Raises SyntaxError if the source is no Python.
    """
    tree = ast.parse(source)
    statements = [_statement(node) for node in tree.body]
    imported = {
        name for s, node in zip(statements, tree.body, strict=True) if isinstance(node, _IMPORTS) for name in s.bound
    }
    needed = set(names)
    kept: set[int] = set()
    growing = True
    while growing:
        growing = False
        for number, one in enumerate(statements):
            wanted = one.always or one.bound & needed or (one.changed - imported) & needed
            if wanted and number not in kept:
                kept.add(number)
                needed |= one.read | one.bound
                growing = True
    lines = {n for number in kept for n in range(statements[number].first, statements[number].last + 1)}
    text = source.splitlines(keepends=True)
    return "".join(line if number in lines else "\n" for number, line in enumerate(text, start=1)).rstrip() + "\n"


def _statement(node: ast.stmt) -> _Statement:
    decorators = node.decorator_list if isinstance(node, _DEFINITIONS) else []
    first = min([node.lineno, *(d.lineno for d in decorators)])
    table = symtable.symtable(ast.unparse(node), "script", "exec")
    bound = {s.get_name() for s in table.get_symbols() if s.is_assigned() or s.is_imported() or s.is_namespace()}
    read = {s.get_name() for s in table.get_symbols() if s.is_referenced()}
    for inner in _inside(table):
        read |= {s.get_name() for s in inner.get_symbols() if s.is_global() and s.is_referenced()}
    always = isinstance(node, ast.ImportFrom) and (
        node.module == "__future__" or any(alias.name == "*" for alias in node.names)
    )
    return _Statement(
        first, node.end_lineno or first, frozenset(bound), frozenset(read), frozenset(_changed(node)), always
    )


def _inside(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    """The scopes within a scope."""
    for child in table.get_children():
        yield child
        yield from _inside(child)


def _changed(node: ast.stmt) -> Iterator[str]:
    """Names whose values a statement changes in place, not counting what functions and classes in it do later."""
    if isinstance(node, _DEFINITIONS):
        return
    targets: list[ast.expr] = []
    if isinstance(node, ast.Assign):
        targets = node.targets
    elif isinstance(node, (ast.AugAssign, ast.AnnAssign)):
        targets = [node.target]
    elif isinstance(node, ast.Delete):
        targets = node.targets
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        targets = [node.value.func]
    for target in targets:
        root: ast.expr = target
        while isinstance(root, (ast.Attribute, ast.Subscript)):
            root = root.value
        if isinstance(root, ast.Name) and root is not target:
            yield root.id
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt):
            yield from _changed(child)
        elif isinstance(child, ast.ExceptHandler):
            for inner in child.body:
                yield from _changed(inner)
