"""What tests of studies share: plans that are compiled once for all of them, and members by the engine or by code."""

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
    """A folder for compiled plans, which all processes of one session of tests share."""
    own = tmp_path_factory.getbasetemp()
    return (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "compiled-plans"


@pytest.fixture
def can_compile(shared_cache: Path, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether something compiles C here, as it does into the shared folder, in processes that are started too."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(shared_cache))
    monkeypatch.setenv("LOCALAPPDATA", str(shared_cache))
    monkeypatch.setattr(native, "CHECKED_BUILD", False)  # on which "auto" stays with the engine
    try:
        building.compiler()
    except SimulationError:
        return False
    return True


@pytest.fixture
def _compiling(can_compile: bool) -> None:
    """Skip where nothing compiles C."""
    if not can_compile:
        pytest.skip(WHY_NOT)


@pytest.fixture(params=[False, True], ids=["engine", "lanes"])
def compiled(request: pytest.FixtureRequest) -> bool:
    """Whether members are run by the engine or by compiled code, side by side: nothing of a study depends on it."""
    if request.param:
        request.getfixturevalue("_compiling")
    return bool(request.param)
