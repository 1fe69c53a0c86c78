"""Where what can be made again is kept."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from blocks.files.cache import cache_folder


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="for systems that go by XDG")
def test_a_relative_folder_does_not_count(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "keelblocks"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert cache_folder() == Path.home() / ".cache" / "keelblocks"
