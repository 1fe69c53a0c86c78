"""The tests of each mutant, several mutants at a time."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from mutants.noticing import Test
from mutants.plugin import TESTS
from mutants.tree import environment

KILLED, SURVIVED, UNREACHED = "killed", "survived", "no test comes by"


@dataclass(frozen=True)
class Outcome:
    """What became of a mutant, by which test, and how many tests ran of how many that come by it."""

    end: str
    by: str = ""
    ran: int = 0
    seconds: float = 0.0

    def as_data(self) -> dict[str, object]:
        """For JSON."""
        return asdict(self)


def run(tree: Path, number: int, tests: Sequence[Test]) -> Outcome:
    """Run them with the mutant until one fails. One that takes far too long, or ends the process, has noticed, too."""
    if not tests:
        return Outcome(UNREACHED)
    files = sorted({one.name.partition("::")[0] for one in tests})
    limit = 120.0 + 10.0 * sum(one.seconds for one in tests)
    with tempfile.NamedTemporaryFile("w", suffix=".json", delete=False) as stream:
        json.dump([one.name for one in tests], stream)
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "mutants.plugin", "-p", "no:cacheprovider",
               "-o", "faulthandler_timeout=60", "-o", "faulthandler_exit_on_timeout=true", *files]  # fmt: skip
    try:
        done = subprocess.run(
            command, cwd=tree, env=environment(tree, number) | {TESTS: stream.name}, capture_output=True, text=True,
            errors="replace", timeout=limit, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return Outcome(KILLED, f"nothing after {limit:.0f} s", len(tests), limit)
    finally:
        Path(stream.name).unlink()
    if done.returncode == 0:
        return Outcome(SURVIVED, "", len(tests), sum(one.seconds for one in tests))
    if done.returncode == 5:  # nothing was collected
        raise RuntimeError(done.stdout[-2000:])
    by = re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
    ended = (
        "the process ended" if done.returncode < 0 or done.returncode > 5 else f"pytest ended with {done.returncode}"
    )
    return Outcome(KILLED, by.group(1) if by else ended, len(tests))
