"""What the FMI front door costs, what an export takes, and the same model as FMUs of several kinds in four tools.

Needs a C compiler, and PythonFMU, libcosimpy and ecospy with tbb besides what Keelblocks needs.
"""

import sys
import tempfile
from pathlib import Path

from benchmarks.fmu import boundary, exporting, side_by_side
from benchmarks.report import arguments, show

ROUNDS = 30
TURNS = 9


def main() -> int:
    """Measure and print."""
    options = arguments(__doc__).parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = boundary.measure(options.rounds or boundary.ROUNDS) | exporting.measure(options.rounds or ROUNDS)
        times = side_by_side.measure(Path(folder), options.rounds or TURNS)
    if options.json:
        figures |= side_by_side.figures(times)
    show("FMUs of the benchmark model", figures, options.json)
    if not options.json:
        print(f"\n{side_by_side.table(times)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
