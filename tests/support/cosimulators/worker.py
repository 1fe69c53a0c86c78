"""What the programs in this folder share: they read jobs from a file of JSON and answer each with a line of it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

Rows = list[list[float]]


def main(run: Callable[[dict[str, Any]], Rows]) -> None:
    """Run all jobs; a job that fails is answered by its message, and the next one goes on."""
    answers = Path(sys.argv[2])
    with answers.open("w", encoding="utf-8") as output:
        for job in json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")):
            try:
                answer: dict[str, Any] = {"rows": run(job)}
            except Exception as problem:
                answer = {"problem": f"{type(problem).__name__}: {problem}"}
            print(json.dumps(answer), file=output, flush=True)
