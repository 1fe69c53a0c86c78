"""The tests of a mutant."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from mutants.noticing import Test
from mutants.plugin import TESTS
from mutants.tree import environment

LIMIT = 60
"""Seconds for one test; more is a loop without an end."""


def killed_by(tree: Path, number: int, tests: Sequence[Test]) -> str:
    """Run tests with a mutant until one fails: its name, "" if none does.

    One that takes far too long, or ends the process, has noticed, too.
    """
    files = sorted({one.file for one in tests})
    with tempfile.NamedTemporaryFile("w", suffix=".json", delete=False) as stream:
        json.dump([one.name for one in tests], stream)
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "mutants.plugin", "-p", "no:cacheprovider",
               "-o", f"faulthandler_timeout={LIMIT}", *files]  # fmt: skip
    limit = 5 * LIMIT + 10.0 * sum(one.seconds for one in tests)
    try:
        done = subprocess.run(
            command, cwd=tree, env=environment(tree, number) | {TESTS: stream.name}, capture_output=True, text=True,
            errors="replace", timeout=limit, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"no end after {limit:.0f} s"
    finally:
        Path(stream.name).unlink()
    if done.returncode == 0:
        return ""
    if done.returncode == 5:
        raise RuntimeError(f"none of the tests of mutant {number} was found:\n{done.stdout[-2000:]}")
    found = re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
    return found.group(1) if found else f"the end of the process, {done.returncode}"
