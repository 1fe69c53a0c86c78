"""The package itself: it loads what it offers when that is asked for."""

import ast
import importlib
import importlib.util
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import blocks
from blocks import Block, library
from blocks.model.block import FAMILIES
from blocks.moved import MOVED, RENAMED


def test_nothing_heavy_is_loaded_before_it_is_asked_for() -> None:
    code = "import sys, blocks; print(sorted({'numpy', 'xarray', 'pydantic', 'blocks.block'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_what_it_offers_is_there_and_so_are_its_modules() -> None:
    everything: dict[str, object] = {}
    exec("from blocks import *", everything)
    assert set(dir(blocks)) == set(everything) - {"__builtins__"}
    code = "import blocks; print(blocks.errors.KeelblocksError is blocks.KeelblocksError, blocks.dynamics.__name__)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "True blocks.dynamics\n"


def test_a_name_that_it_does_not_have_is_told_with_the_nearest() -> None:
    with pytest.raises(AttributeError, match="module 'blocks' has no attribute 'simulat'") as caught:
        blocks.simulat  # noqa: B018
    assert (caught.value.name, caught.value.obj) == ("simulat", blocks)  # from which Python finds the nearest


@pytest.mark.parametrize("old", ["blocks.declare", "blocks.settings", "blocks.swarm_result", "blocks.vehicle"])
def test_a_module_that_has_moved_is_the_same_under_its_old_name_and_says_so(
    old: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    new = importlib.import_module(MOVED[old])
    monkeypatch.delitem(sys.modules, old, raising=False)
    spec = new.__spec__
    with pytest.warns(DeprecationWarning, match=rf"{old} has moved to {MOVED[old]}; the old name goes in version 0\.3"):
        assert importlib.import_module(old) is new
    assert new.__spec__ is spec


def test_everything_that_has_moved_is_where_the_table_says() -> None:
    assert set(RENAMED) <= {name.removeprefix("blocks.") for name in MOVED}
    for old, new in MOVED.items():
        assert importlib.util.find_spec(new), old
        assert not (Path(blocks.__file__).parent / f"{old.removeprefix('blocks.')}.py").exists(), old


def test_a_pickle_that_names_an_old_module_is_read() -> None:
    with pytest.warns(DeprecationWarning, match="blocks.calculated has moved"):
        assert pickle.loads(b"cblocks.calculated\nCalculatedParameter\n.").__module__ == "blocks.model.calculated"


@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_offers_the_blocks_that_its_modules_declare_and_editors_know_them(family: str) -> None:
    package = importlib.import_module(f"blocks.{family}")
    declared = {cls.__name__ for name, cls in library().items() if name.startswith(f"{family}.")}
    assert declared <= set(package.__all__)
    assert all(vars(package)[name].__name__ == name for name in package.__all__)
    listed = ast.parse(Path(package.__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
    named = {alias.asname for node in listed.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert named == set(package.__all__)


def test_base_classes_that_authors_take_are_offered_besides() -> None:
    from blocks.dynamics import Vessel
    from blocks.environment import IrregularSea
    from blocks.navigation import local_position

    assert issubclass(Vessel, Block)
    assert issubclass(IrregularSea, Block)
    assert callable(local_position)
