"""The engine's C, read: its functions, structs and names of constants."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pycparser import c_ast, c_generator, c_parser

from cython_kernels.plain_c.lanes.types import VOID, NotLaned, T, pointer, whole

HEADERS = {
    "stddef.h": "typedef unsigned long size_t; typedef long ptrdiff_t;\n",
    "string.h": "void *memcpy(void *, const void *, unsigned long); void *memset(void *, int, unsigned long);\n"
    "int memcmp(const void *, const void *, unsigned long); int strcmp(const char *, const char *);\n"
    "unsigned long strlen(const char *);\n",
    "math.h": "extern const double INFINITY; extern const double NAN; int isfinite(double); int isnan(double);\n"
    + "".join(f"double {f}(double);\n" for f in ["sqrt", "floor", "ceil", "trunc", "round", "fabs"])
    + "double copysign(double, double);\n",
    "stdlib.h": "void *calloc(unsigned long, unsigned long); void *malloc(unsigned long); void free(void *);\n",
}
"""What is read in the place of the C library's headers."""
_OPTIONS = [
    "-E", "-P", "-nostdinc", "-I.", "-U__GNUC__", "-U__clang__", "-U__SSE2__", "-U__x86_64__", "-U__aarch64__",
    "-D__attribute__(x)=", "-Dvolatile=", "-DNULL=((void*)0)",
]  # fmt: skip


@dataclass
class Function:
    """A function: its parameters in order, what it returns, its body."""

    name: str
    returns: T
    parameters: list[tuple[str, T]]
    body: c_ast.Compound


@dataclass
class Program:
    """What stands in the engine's C. keepers: which functions may put a pointer where it stays, as far as known."""

    functions: dict[str, Function] = field(default_factory=dict)
    structs: dict[str, list[tuple[str, T]]] = field(default_factory=dict)
    typedefs: dict[str, T] = field(default_factory=dict)
    constants: set[str] = field(default_factory=lambda: {"INFINITY", "NAN"})
    tags: dict[str, str] = field(default_factory=dict)
    keepers: dict[str, bool] = field(default_factory=dict)

    def type_of(self, node: Any) -> T:
        """The type of a declaration, as it is for one member."""
        if isinstance(node, c_ast.TypeDecl | c_ast.Typename | c_ast.Decl):
            return self.type_of(node.type)
        if isinstance(node, c_ast.PtrDecl):
            if isinstance(node.type, c_ast.FuncDecl):
                return pointer(T("f"))
            inner = self.type_of(node.type)
            return pointer(_constant(inner) if "const" in _qualifiers(node.type) else inner)
        if isinstance(node, c_ast.ArrayDecl):
            return T("a", of=self.type_of(node.type), size=c_generator.CGenerator().visit(node.dim))
        if isinstance(node, c_ast.Struct | c_ast.Union):
            return T("s", self.tags.get(node.name, node.name))
        if isinstance(node, c_ast.Enum):
            return whole("int")
        if isinstance(node, c_ast.FuncDecl):
            return T("f")
        if isinstance(node, c_ast.IdentifierType):
            name = " ".join(word for word in node.names if word not in ("signed",))
            if name in self.typedefs:
                return self.typedefs[name]
            if name in ("double", "float"):
                return T("d", name="" if name == "double" else "float")
            return VOID if name == "void" else whole(name)
        raise NotLaned(f"a type of {type(node).__name__}")


def _qualifiers(node: Any) -> list[str]:
    return list(getattr(node, "quals", None) or [])


def _constant(of: T) -> T:
    """What a pointer to what is constant leads to: whole numbers that are sizes and programs, one for all members."""
    return T("i", of.name, size="const") if of.kind == "i" else of


def preprocessed(text: str, compiler: Sequence[str]) -> str:
    """C without directives, as a compiler sees it, without its own headers and extensions."""
    with tempfile.TemporaryDirectory() as scratch:
        for name, content in HEADERS.items():
            Path(scratch, name).write_text(content, encoding="ascii")
        Path(scratch, "engine.c").write_text(text, encoding="utf-8")
        command = [*compiler, *_OPTIONS, "engine.c"]
        done = subprocess.run(command, cwd=scratch, capture_output=True, text=True, check=True)
    return done.stdout


def read(text: str) -> Program:
    """Read preprocessed C."""
    program = Program()
    tree = c_parser.CParser().parse(text)
    for node in tree.ext:
        if isinstance(node, c_ast.Typedef):
            inner = node.type.type if isinstance(node.type, c_ast.TypeDecl) else None
            if isinstance(inner, c_ast.Struct) and inner.name:
                program.tags[inner.name] = node.name
            _note_enum(program, node)
    for node in tree.ext:
        if isinstance(node, c_ast.Typedef):
            program.typedefs[node.name] = program.type_of(node.type)
            inner = getattr(node.type, "type", None)
            if isinstance(inner, c_ast.Struct) and inner.decls:
                _note_struct(program, inner)
        elif isinstance(node, c_ast.Decl):
            _note_enum(program, node)
            if isinstance(node.type, c_ast.Struct) and node.type.decls:
                _note_struct(program, node.type)
        elif isinstance(node, c_ast.FuncDef):
            _note_function(program, node)
    return program


def _note_enum(program: Program, node: Any) -> None:
    inner = node.type
    while inner is not None and not isinstance(inner, c_ast.Enum):
        inner = getattr(inner, "type", None)
    if inner is not None and inner.values:
        program.constants |= {item.name for item in inner.values.enumerators}


def _note_struct(program: Program, node: c_ast.Struct) -> None:
    name = program.tags.get(node.name, node.name)
    program.structs[name] = [(item.name, program.type_of(item.type)) for item in node.decls]


def _note_function(program: Program, node: c_ast.FuncDef) -> None:
    declared = node.decl.type
    parameters = []
    for item in declared.args.params if declared.args else []:
        if isinstance(item, c_ast.Decl):
            kind = program.type_of(item.type)
            parameters.append((item.name, pointer(kind.of) if kind.kind == "a" and kind.of else kind))
    returns = program.type_of(declared.type)
    program.functions[node.decl.name] = Function(node.decl.name, returns, parameters, node.body)
