"""A kernel that never returns fails its test after a limit, and the suite goes on."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from c_host import COMPILER, MISSING

pytestmark = pytest.mark.skipif(MISSING, reason="needs a C compiler")

ROOT = Path(__file__).resolve().parents[2]
ENDLESS = "void endless(void) { volatile int going = 1; while (going) {} }"
TESTS = """
import ctypes

def test_before(): pass

def test_endless():
    ctypes.PyDLL({library!r}).endless()  # which holds the interpreter, as an update of a kernel may

def test_after(): pass
"""


@pytest.mark.slow
def test_a_loop_without_an_end_fails_after_a_limit(tmp_path: Path) -> None:
    """With the settings of this project, but a limit of one second; with workers another one does the rest."""
    source, library = tmp_path / "endless.c", tmp_path / "endless.so"
    source.write_text(ENDLESS)
    subprocess.run([*COMPILER, "-shared", "-fPIC", str(source), "-o", str(library)], check=True)
    (tmp_path / "test_it.py").write_text(TESTS.format(library=str(library)))
    settings = ["-c", str(ROOT / "pyproject.toml"), "--rootdir", str(tmp_path), "-p", "no:cacheprovider"]
    settings += ["-o", "faulthandler_timeout=1", "test_it.py"]
    begun = [
        subprocess.Popen(
            [sys.executable, "-m", "pytest", "-v", "-n", workers, *settings],
            cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )
        for workers in "01"
    ]  # fmt: skip
    alone, shared = (each.communicate(timeout=120)[0] for each in begun)
    assert [each.returncode for each in begun] == [1, 1]
    for told in (alone, shared):
        assert "Timeout (0:00:01)!" in told
        assert "in test_endless" in told  # the lines that it hangs in
    assert "crashed while running 'test_it.py::test_endless'" in shared
    assert "1 failed, 2 passed" in shared
