"""What tests of studies share: members by the engine or by code."""

from __future__ import annotations

import pytest
from libraries import WHY_NOT


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
