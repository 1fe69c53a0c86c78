"""What stands in studio/assets is what the sources give, byte for byte, and says whose code it holds."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from studio.assets import PARTS, asset, is_built

pytestmark = pytest.mark.skipif(not is_built(), reason="the pages are not built here: `make studio` does that")

WEB = Path(__file__).parents[2] / "studio" / "web"


def test_equal_sources_give_equal_bytes(tmp_path):
    if shutil.which("node") is None or not (WEB / "node_modules" / "esbuild").is_dir():
        pytest.skip("there is no Node.js here, or `make studio` was not run in this clone")
    subprocess.run(["node", WEB / "build.mjs", tmp_path / "once"], check=True)
    subprocess.run(["node", WEB / "build.mjs", tmp_path / "twice"], check=True)
    for name in PARTS:
        content = (tmp_path / "once" / name).read_bytes()
        assert content == (tmp_path / "twice" / name).read_bytes()
        assert content.decode() == asset(name), f"{name} is older than its sources: `make studio`"


def test_licences_of_what_is_bundled():
    text = asset("licences.txt")
    assert "uplot 1.6" in text
    assert "MIT" in text
