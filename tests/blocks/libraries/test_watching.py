"""`keelblocks build --watch`: a line for each change, errors as ever, and an end by Ctrl-C."""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from libraries import NAME

from blocks.cli.library import _watch
from blocks.errors import LibraryError
from blocks.libraries import watching
from blocks.libraries.package import Library


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C of a child is another thing there")
def test_each_change_is_built_until_ctrl_c(built_library: Library, tmp_path: Path) -> None:
    pytest.importorskip("watchfiles", reason="needs watchfiles: pip install 'keelblocks[build]'")
    shutil.copytree(built_library.root, tmp_path / NAME)
    kernel = tmp_path / NAME / NAME / "drag.pxd"
    command = [sys.executable, "-u", "-m", "blocks.cli", "build", NAME, "--watch"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        said = iter(process.stdout.readline, "")
        assert next(said).endswith("; Ctrl-C ends it\n")
        assert re.fullmatch(rf"\d\d:\d\d:\d\d  {NAME}: is up to date \(\d+\.\d s\)\n", next(said))
        part = kernel.with_suffix(".part")  # put there at once: emptied and written, it may be seen as two changes
        part.write_text(kernel.read_text(encoding="utf-8").replace("b.u.speed", "b.u.sped"), encoding="utf-8")
        part.replace(kernel)
        assert re.fullmatch(rf"\d\d:\d\d:\d\d  {NAME}: failed \(\d+\.\d s\)\n", next(said))
        process.send_signal(signal.SIGINT)
        assert [*said] == ["stopped\n"]
        assert process.stderr.read().startswith(f"Error: {NAME}/{NAME}/drag.pxd:10: drag_outputs takes b.u.sped, which")
        assert process.wait() == 0


def test_what_watching_needs_is_told_before_anything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(watching.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(LibraryError, match=r"needs watchfiles: pip install 'keelblocks\[build\]'"):
        _watch(Library("lib", tmp_path), [])
    assert capsys.readouterr().out == ""
