"""What a module imports, and the same module with its imports of carried modules turned to where those are carried."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from importlib.util import resolve_name


def imported_names(source: str, package: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """(module, names taken from it) of every import in a module, wherever it stands, relative ones resolved.

    `package` is the package that the module is in, "" for none. Imports for type checkers only are left out. Raises
    SyntaxError if the source is no Python, and ImportError for a relative import that leads nowhere.
    """
    waiting: list[ast.AST] = [ast.parse(source)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, ()
        elif isinstance(node, ast.ImportFrom):
            name = "." * node.level + (node.module or "")
            yield resolve_name(name, package) if node.level else name, tuple(alias.name for alias in node.names)
        elif isinstance(node, ast.If) and _is_for_type_checkers(node.test):
            waiting += node.orelse
        else:
            waiting += ast.iter_child_nodes(node)


def _is_for_type_checkers(test: ast.expr) -> bool:
    name = test.id if isinstance(test, ast.Name) else test.attr if isinstance(test, ast.Attribute) else ""
    return name == "TYPE_CHECKING"


def moved_imports(source: str, home: str, carried: Collection[str]) -> str:
    """A module whose absolute imports of the top-level modules `carried` lead into the package `home`.

    `import a.b` becomes `from home import a; import home.a.b`, `from a.b import c` becomes `from home.a.b import c`;
    relative imports stay what they are. Lines keep their numbers.
    """
    lines = [line.encode() for line in source.splitlines(keepends=True)]
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, (ast.Import, ast.ImportFrom))]
    # From the end, so that the places of those before stay right.
    for node in sorted(nodes, key=lambda n: (n.lineno, n.col_offset), reverse=True):
        statements = list(_moved(node, home, carried))
        if statements:
            _replace(lines, node, "; ".join(ast.unparse(s) for s in statements).encode())
    return b"".join(lines).decode()


def _moved(node: ast.Import | ast.ImportFrom, home: str, carried: Collection[str]) -> Iterator[ast.stmt]:
    """The statements that stand for an import; none if it can stay."""
    if isinstance(node, ast.ImportFrom):
        if not node.level and node.module and node.module.partition(".")[0] in carried:
            yield ast.ImportFrom(module=f"{home}.{node.module}", names=node.names, level=0)
        return
    if not any(alias.name.partition(".")[0] in carried for alias in node.names):
        return
    for alias in node.names:
        top, _, rest = alias.name.partition(".")
        if top not in carried:
            yield ast.Import(names=[alias])
        elif alias.asname:
            yield ast.Import(names=[ast.alias(name=f"{home}.{alias.name}", asname=alias.asname)])
        else:
            yield ast.ImportFrom(module=home, names=[ast.alias(name=top)], level=0)
            if rest:
                yield ast.Import(names=[ast.alias(name=f"{home}.{alias.name}")])


def _replace(lines: list[bytes], node: ast.Import | ast.ImportFrom, text: bytes) -> None:
    """Put a text of one line where a statement stands, and empty lines where the rest of it stood."""
    first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
    before, after = lines[first][: node.col_offset], lines[last][node.end_col_offset :]
    lines[first : last + 1] = [before + text + after, *[b"\n"] * (last - first)]
