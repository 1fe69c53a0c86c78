"""A cache for compiled plans that these tests share, so that each plan is compiled once."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from libraries import WHY_NOT

from blocks.compiled import building
from blocks.errors import SimulationError
from cython_kernels import engine as native


@pytest.fixture(scope="session")
def shared_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of it, for all processes of the tests."""
    own = tmp_path_factory.getbasetemp()
    return (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "cache"


@pytest.fixture(autouse=True)
def _own_cache(shared_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not the user's. Skips where nothing compiles C."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(shared_cache))
    monkeypatch.setenv("LOCALAPPDATA", str(shared_cache))
    monkeypatch.setattr(native, "CHECKED_BUILD", False)  # on which "auto" stays with the engine
    try:
        building.compiler()
    except SimulationError:
        pytest.skip(WHY_NOT)


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of the test's own, with nothing in it: its folder for plans."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "cache"))
    return tmp_path / "cache" / "keelblocks" / "plans"
