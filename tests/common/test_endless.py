"""A kernel that never returns fails its test after a limit, and the suite goes on."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a compiler as cc")

ROOT = Path(__file__).resolve().parents[2]
ENDLESS = "void endless(void) { volatile int going = 1; while (going) {} }"
TESTS = """
import ctypes

def test_before(): pass

def test_endless():
    ctypes.PyDLL({library!r}).endless()  # which holds the interpreter, as an update of a kernel may

def test_after(): pass
"""


@pytest.mark.parametrize("workers", [0, 1])
def test_a_loop_without_an_end_fails_after_a_limit(tmp_path: Path, workers: int) -> None:
    """With the settings of this project, but a limit of one second; with workers another one does the rest."""
    compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
    source, library = tmp_path / "endless.c", tmp_path / "endless.so"
    source.write_text(ENDLESS)
    subprocess.run([compiler, "-shared", "-fPIC", str(source), "-o", str(library)], check=True)
    (tmp_path / "test_it.py").write_text(TESTS.format(library=str(library)))
    command = [sys.executable, "-m", "pytest", "-v", "-n", str(workers), "-c", str(ROOT / "pyproject.toml")]
    command += ["--rootdir", str(tmp_path), "-p", "no:cacheprovider", "-o", "faulthandler_timeout=1", "test_it.py"]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    told = ended.stdout + ended.stderr
    assert "Timeout (0:00:01)!" in told
    assert "in test_endless" in told  # the lines that it hangs in
    assert ended.returncode == 1
    if workers:
        assert "crashed while running 'test_it.py::test_endless'" in told
        assert "1 failed, 2 passed" in told
