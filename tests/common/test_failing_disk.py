"""Whatever fails while a file is written, and whenever: the old one or the new one is there, and an error says why.

Every open, write, fsync, close and rename fails once, with and without a file that is to be replaced; and from every
write on the disk is full.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import failing_disk
import pytest
from c_host import COMPILER, MISSING

pytestmark = pytest.mark.skipif(MISSING or sys.platform != "linux", reason="needs a C compiler, and Linux")
SHIM = Path(failing_disk.__file__).with_suffix(".c")


@pytest.fixture(scope="session")
def failing(tmp_path_factory):
    """The library to be preloaded."""
    library = tmp_path_factory.mktemp("disk") / "failing_disk.so"
    strict = ["-Wall", "-Wextra", "-Werror", "-O1", "-fPIC", "-shared"]
    subprocess.run([*COMPILER, *strict, str(SHIM), "-o", str(library), "-ldl"], check=True)
    return library


def said(failing, group, folder):
    """What is wrong with the savers of a group, and that all were tried."""
    sources = os.pathsep.join([str(SHIM.parent), os.environ["PYTHONPATH"]])
    environment = os.environ | {"LD_PRELOAD": str(failing), "PYTHONPATH": sources}
    command = [sys.executable, str(SHIM.with_suffix(".py")), group, str(folder)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.splitlines()


LONG = [pytest.param(name, marks=pytest.mark.slow) for name in ("results", "studies", "exports")]


@pytest.mark.parametrize("group", ["figures", *LONG])
def test_the_old_file_or_the_new_one_never_neither(failing, group, tmp_path):
    assert said(failing, group, tmp_path) == ["done"]


def test_a_saver_that_writes_in_place_is_seen(failing, tmp_path):
    wrong = "\n".join(said(failing, "careless", tmp_path))
    assert "careless: write 1 of an old file: neither the old nor the new" in wrong
    assert "careless: write 1 of no old file: OSError: [Errno 28] No space left on device" in wrong
