"""Compiled plans of these tests are not kept where the user's are."""

from __future__ import annotations

from pathlib import Path

import pytest
from libraries import WHY_NOT


@pytest.fixture(autouse=True)
def _own_cache(can_compile: bool) -> None:
    """The one that tests share. Skips where nothing compiles C."""
    if not can_compile:
        pytest.skip(WHY_NOT)


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of the test's own, with nothing in it: its folder for plans."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "cache"))
    return tmp_path / "cache" / "keelblocks" / "plans"
