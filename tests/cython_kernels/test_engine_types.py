"""The types that `engine.pyi` states are those of everything that the compiled module has."""

from __future__ import annotations

import ast
from pathlib import Path

import cython_kernels
from cython_kernels import engine

TYPES = ast.parse(Path(cython_kernels.__file__).with_name("engine.pyi").read_text(encoding="utf-8"))


def _names(body: list[ast.stmt]) -> set[str]:
    assigned = {s.target.id for s in body if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name)}
    defined = {s.name for s in body if isinstance(s, ast.FunctionDef | ast.ClassDef)}
    return {name for name in assigned | defined if not name.startswith("_")}


def _public(thing: object) -> set[str]:
    return {name for name in vars(thing) if not name.startswith("_")}


def test_module_has_what_its_types_say():
    assert _public(engine) - {"np"} == _names(TYPES.body)


def test_engine_has_what_its_types_say():
    (stated,) = [s for s in TYPES.body if isinstance(s, ast.ClassDef) and s.name == "Engine"]
    assert _public(engine.Engine) == _names(stated.body)
