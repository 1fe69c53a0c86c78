"""Kernels stand in rooms, and what one room takes from another goes one way only."""

from __future__ import annotations

import importlib
import re
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from blocks.block import Block

ROOT = Path(__file__).parents[2] / "cython_kernels"
FAMILIES = {"basic", "control", "dynamics", "environment", "guidance", "navigation", "power", "sensors", "thrust"}
NEIGHBOURS = {
    ("environment", "sensors"),  # a wandering current is the Gauss-Markov process of the instruments
    ("power", "thrust"),  # the torque of a shaft is that of its propeller
    ("sensors", "navigation"),  # a satellite receiver has a tangent plane
}
"""Families that may take from another one."""
MAY_TAKE_FROM = {
    "mathematics": {"mathematics"},
    "view": set(),
    "views": {"views", "view"},
    **{family: {family, "mathematics", "view", "views"} for family in FAMILIES},
    "entries": {*FAMILIES, "view", "views"},
    "registry": {*FAMILIES, "entries", "view"},
    "core": {"core", "mathematics", "registry", "view"},
    "elementary": {"mathematics"},
    "libraries": {"view"},
    "engine": {"core", "libraries", "mathematics", "registry", "view"},
    **{program: {"core", "mathematics", "registry", "view"} for program in ("native", "swarm")},
}
"""What each room, or file beside the rooms, may cimport from."""
CIMPORT = re.compile(r"^\s*(?:from\s+(\S+)\s+)?cimport\b\s*(\S*)", re.M)
TEXT = re.compile(r'""".*?"""|#[^\n]*', re.S)


def taken_by(path: Path) -> set[str]:
    """The files of Keelblocks that one cimports from, as `room.file`."""
    found = CIMPORT.findall(TEXT.sub("", path.read_text(encoding="utf-8")))
    modules = {source or name for source, name in found}
    return {name.removeprefix("cython_kernels.") for name in modules if name.startswith(("cython_kernels", "."))}


@cache
def files() -> dict[str, set[str]]:
    """Every file with declarations or code, and what it takes from which others; engine.pyx is `engine`."""
    paths = sorted(path for path in ROOT.rglob("*.p[yx][xd]") if path.stem != "__init__")
    assert len(paths) > 100
    return {".".join(path.relative_to(ROOT).with_suffix("").parts): taken_by(path) for path in paths}


def room(name: str) -> str:
    return name.partition(".")[0]


def test_what_rooms_take_from_each_other_goes_one_way() -> None:
    found = files()
    assert {room(name) for name in found} == MAY_TAKE_FROM.keys()
    assert sorted(f"{name} from {other}" for name, others in found.items() for other in others - found.keys()) == []
    between = {(name, other) for name, others in found.items() for other in others}
    wrong = {pair for pair in between if room(pair[1]) not in MAY_TAKE_FROM[room(pair[0])]}
    neighbours = {pair for pair in wrong if (room(pair[0]), room(pair[1])) in NEIGHBOURS}
    assert sorted(f"{name} may not cimport {other}" for name, other in wrong - neighbours) == []
    assert {(room(name), room(other)) for name, other in neighbours} == NEIGHBOURS


def test_no_file_takes_from_itself_by_way_of_others() -> None:
    TopologicalSorter(files()).prepare()  # raises CycleError, which names them


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_a_kernel_stands_in_the_file_of_its_block(family: str) -> None:
    library = importlib.import_module(f"blocks.{family}")
    offered = [getattr(library, name) for name in library.__all__]
    kinds = [kind for kind in offered if isinstance(kind, type) and issubclass(kind, Block) and kind.kernel]
    assert kinds
    places = {kind.__name__: f"{family}.{kind.__module__.rpartition('.')[2]}" for kind in kinds}
    assert {name: place for name, place in places.items() if place not in files()} == {}
