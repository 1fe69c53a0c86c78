"""The types that the `.pyi` files state are those of everything that the compiled modules have."""

from __future__ import annotations

import ast
from pathlib import Path
from types import ModuleType

import pytest

from blocks.drawing import arrangement, searching, simplex

IMPORTED = {"Kind", "LinkKind", "NamedTuple"}


def _stated(body: list[ast.stmt]) -> set[str]:
    assigned = {s.target.id for s in body if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name)}
    aliases = {t.id for s in body if isinstance(s, ast.Assign) for t in s.targets if isinstance(t, ast.Name)}
    defined = {s.name for s in body if isinstance(s, ast.FunctionDef | ast.ClassDef)}
    return {name for name in assigned | aliases | defined if not name.startswith("_")}


def _types(module: ModuleType) -> list[ast.stmt]:
    return ast.parse(Path(searching.__file__).with_name(f"{module.__name__.rpartition('.')[2]}.pyi").read_text()).body


@pytest.mark.parametrize("module", [arrangement, simplex])
def test_a_module_has_what_its_types_say(module: ModuleType) -> None:
    assert {name for name in vars(module) if not name.startswith("_")} - IMPORTED == _stated(_types(module))


def test_an_arrangement_has_what_its_types_say() -> None:
    (stated,) = [s for s in _types(arrangement) if isinstance(s, ast.ClassDef)]
    assert {name for name in vars(arrangement.Arrangement) if not name.startswith("_")} == _stated(stated.body)


def test_an_arc_has_the_fields_that_its_types_say() -> None:
    (stated,) = [s for s in _types(simplex) if isinstance(s, ast.ClassDef)]
    assert set(simplex.Arc._fields) == _stated(stated.body)
