"""What tests of compiled plans share: a cache that is not the user's, in which each plan is compiled once."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from blocks.compiled import building
from blocks.errors import SimulationError
from cython_kernels import engine as native


@pytest.fixture(scope="session")
def shared_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of it, for all processes of one session of tests."""
    own = tmp_path_factory.getbasetemp()
    return (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "cache"


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
