"""The command where its output cannot be written: to a reader who has gone, and to a disk that is full."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-c", "from blocks.cli import main; main()"]
FULL = Path("/dev/full")

# What is written by rich, by this package and by click.
COMMANDS = [["list"], ["list", "--json"], ["--help"]]


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_a_reader_who_has_gone_is_no_error(arguments: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run([*COMMAND, *arguments], stdout=writing, stderr=subprocess.PIPE, text=True, check=False)
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full")
@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_a_full_disk_is_a_message(arguments: list[str]) -> None:
    with FULL.open("w") as full:
        done = subprocess.run([*COMMAND, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "Error: cannot write to standard output: No space left on device\n")
