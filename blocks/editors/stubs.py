"""Stubs of the modules that declare blocks, in which constructors have names, types, defaults and words.

    python -m blocks.editors FOLDER my_blocks       writes FOLDER/my_blocks.pyi

`Block.__init__` takes what its class declares, which no type checker reads from declarations. So the build puts beside
each module of the library that declares blocks a stub: the module without what its functions do, and with an `__init__`
for each of its blocks. Declarations need numpy and nothing that is compiled, so the build can do this.
"""

from __future__ import annotations

import ast
import importlib
import types
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from blocks.model.block import FAMILIES, Block
from blocks.model.calculated import CalculatedParameter
from blocks.model.declare import Input, Output, Parameter, State
from blocks.signal import Signal

_KINDS = (Input, Output, Parameter, State, CalculatedParameter)
_IMPORTS = """
from collections.abc import Mapping, Sequence
from typing import Literal
from blocks.model.calculated import CalculatedParameter
from blocks.model.declare import Input, Output, Parameter, Quantities, Quantity, State
"""

PACKAGE = Path(__file__).resolve().parents[1]


def write_stubs(folder: Path, modules: Iterable[str] = ()) -> list[Path]:
    """Write below a folder the stubs of these modules, or of those that declare the library; returns their paths."""
    written = []
    for name in modules or family_modules():
        text = stub_of(importlib.import_module(name))
        if text:
            path = folder.joinpath(*name.split(".")).with_suffix(".pyi")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            written.append(path)
    return written


def stub_of(module: types.ModuleType) -> str:
    """The text of a module's stub; empty if it declares no block that can be made."""
    tree: ast.Module = _Outlines().visit(ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8")))
    blocks = [node for node in tree.body if isinstance(node, ast.ClassDef) and _can_be_made(node, module)]
    if not blocks:
        return ""
    for node in blocks:
        _declare(node, getattr(module, node.name))
    body = _needed([_typed(node, module) for node in tree.body])
    words = ast.Expr(ast.Constant(f"Made from the declarations in {module.__name__}."))
    return ast.unparse(ast.Module([words, *ast.parse(_IMPORTS).body, *body], [])) + "\n"


def _can_be_made(node: ast.ClassDef, module: types.ModuleType) -> bool:
    cls = getattr(module, node.name)
    return isinstance(cls, type) and issubclass(cls, Block) and all(word.arg != "abstract" for word in node.keywords)


def _declare(node: ast.ClassDef, cls: type[Block]) -> None:
    """Put into a class what its instances have, and its constructor; what every block has they have from the base."""
    own = {name: kind for name, item in vars(cls).items() for kind in _KINDS if isinstance(item, kind)}
    machinery = {*own, *cls.derived_constants, *cls.crossings, *dir(Block)} - {"__init__"}
    node.body = [item for item in node.body if not _made(item) & machinery]
    lines = []
    for name, kind in own.items():
        lines += [f"{name}: {kind.__name__}", repr(_words(vars(cls)[name]))]
    for name, parameter in cls.all_parameters().items():
        if not hasattr(cls, name):  # period, offset and initial values
            lines += [f"{name}: Parameter", repr(_words(parameter))]
    node.body += ast.parse("\n".join(lines)).body
    if cls.__init__ is Block.__init__:
        node.body.append(_constructor(cls))


def _constructor(cls: type[Block]) -> ast.stmt:
    known = cls.all_parameters()
    arguments, optional = ["self"], False
    for name in cls.positional:
        optional = optional or not known[name].required
        arguments.append(_argument(known[name], optional))
    others = {other: known[name] for other, name in cls.aliases.items() if name in known}
    twice = [parameter.name for parameter in others.values()]
    named = [_argument(p, not p.required or name in twice) for name, p in known.items() if name not in cls.positional]
    named += [f"{other}: {parameter.hint()} = ..." for other, parameter in others.items()]
    arguments += ["*", *named] if named else []
    doc = "".join(["Args:", *(f"\n    {name}: {_words(parameter)}" for name, parameter in known.items())])
    return ast.parse(f"def __init__({', '.join(arguments)}) -> None:\n    {doc!r}\n    ...").body[0]


def _argument(parameter: Parameter, optional: bool) -> str:
    default: Any = parameter.default
    shown = repr(default) if isinstance(default, (str, bool, int, float)) else "..."
    return f"{parameter.name}: {parameter.hint()}" + (f" = {shown}" if optional else "")


def _words(item: Any) -> str:
    """What a parameter or a port is, in one line."""
    carrier = getattr(item, "signal", item)
    unit = carrier.unit if isinstance(carrier.unit, str) and carrier.unit != "1" else ""
    limits = item.range_text() if isinstance(item, Parameter) else ""
    return ", ".join(part for part in (item.doc, "×".join(map(str, carrier.shape)), unit, limits) if part)


def _made(node: ast.stmt) -> set[str]:
    """The names that a statement in a class or a module makes."""
    if isinstance(node, ast.FunctionDef):
        return {node.name}
    if isinstance(node, (ast.Assign, ast.AnnAssign)):
        return {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
    return set()


def _typed(node: ast.stmt, module: types.ModuleType) -> ast.stmt:
    """A signal by its type: an assignment of a call is an alias in a stub."""
    (name,) = _made(node) if isinstance(node, ast.Assign) and len(_made(node)) == 1 else ("",)
    return ast.parse(f"{name}: Signal").body[0] if isinstance(getattr(module, name, None), Signal) else node


def _needed(body: list[ast.stmt]) -> list[ast.stmt]:
    """Without imports and private names that only declarations and bodies of functions speak of, and without what is
    set on something that there is."""
    body = [node for node in body if not isinstance(node, ast.Assign) or _made(node)]
    read = {n.id for node in body for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    for node in body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            node.names = [alias for alias in node.names if (alias.asname or alias.name.partition(".")[0]) in read]
    kept = [node for node in body if getattr(node, "names", True)]
    kept = [node for node in kept if not _made(node) or any(n in read or n[0] != "_" for n in _made(node))]
    return kept if len(kept) == len(body) else _needed(kept)


class _Outlines(ast.NodeTransformer):
    """A module without its words, and its functions without what they do: editors have that from the module itself."""

    def visit_Module(self, node: ast.Module) -> ast.AST:
        return self._without_words(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return self._without_words(node)

    def _without_words(self, node: ast.Module | ast.ClassDef) -> ast.AST:
        if ast.get_docstring(node) is not None:
            del node.body[0]
        self.generic_visit(node)
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | None:
        return None if node.module == "__future__" else node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.body = [ast.Expr(ast.Constant(...))]
        return node


def family_modules(*families: str) -> Iterator[str]:
    """The modules of families, or of all, in which blocks are declared, by name."""
    for family in families or FAMILIES:
        for path in sorted((PACKAGE / family).rglob("*.py")):
            if path.name != "__init__.py":
                yield ".".join(("blocks", *path.relative_to(PACKAGE).with_suffix("").parts))
