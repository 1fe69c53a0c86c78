"""Branch coverage of the C engine: `make coverage` builds with counters, runs the tests and prints the table.

python -m engine_coverage prepare     put runtimes that count into build/coverage/site, and forget older counts
python -m engine_coverage             the table of what has been counted since
python -m engine_coverage --missing   and each line of which a branch has not run
"""

from __future__ import annotations

import sys
from pathlib import Path

from engine_coverage.counts import count_files, lines
from engine_coverage.report import LEAST, report
from engine_coverage.runtime import install_counting_runtimes

ROOT = Path(__file__).resolve().parents[3]
BUILD = ROOT / "build" / "coverage"


def main(arguments: list[str]) -> int:
    """The exit code: 1 if too little of the engine ran."""
    if "prepare" in arguments:
        install_counting_runtimes(BUILD / "site", BUILD / "runtimes")
        for path in count_files(BUILD):
            path.unlink()
        return 0
    covered = report(lines(count_files(BUILD), ROOT), missing="--missing" in arguments)
    return 0 if covered >= LEAST else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
