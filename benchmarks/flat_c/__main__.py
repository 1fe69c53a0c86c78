"""Minerva's autopilot as C on a Cortex-M4: bytes, operations, and a mission with it in the loop, bit for bit.

Needs arm-none-eabi-gcc with newlib's headers, and qemu-system-arm: apt-get install gcc-arm-none-eabi
libnewlib-arm-none-eabi qemu-system-arm. QEMU imitates instructions, not their time.
"""

import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.flat_c import cortex_m4, mission
from benchmarks.report import arguments, show

END = 120.0  # s of the mission
COUNTED = 60.0  # s of it in which operations are counted


def main() -> int:
    """Measure and print."""
    options = arguments(__doc__).parse_args()
    if lacking := cortex_m4.missing():
        print(f"this needs a compiler for the Cortex-M4 and QEMU: {lacking}", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as scratch:
        folder = mission.write(Path(scratch))
        program, sizes = cortex_m4.build(folder, mission.NAME)
        began = time.perf_counter()
        with cortex_m4.Board(program, sum(mission.OUTPUTS.values())) as board:
            there = mission.sail(mission.on(board), END)
        spent = time.perf_counter() - began
        here = mission.sail(mission.here(), END)
        program, _ = cortex_m4.build(folder, mission.NAME, counted=True)
        counts = []
        with cortex_m4.Board(program, sum(mission.OUTPUTS.values()), counted=True) as board:
            autopilot = mission.on(board)

            def counting(seen: Mapping[str, np.ndarray]) -> np.ndarray:
                said = autopilot(seen)
                counts.append(board.counts)
                return said

            mission.sail(counting, COUNTED)
    greatest = np.max(counts, axis=0)
    wrong = int(np.count_nonzero(there.view("u8") != here.view("u8")))
    figures = {
        "code of the model": _bytes(sizes.code),
        "its constants": _bytes(sizes.constants),
        "the compiler's arithmetic for doubles, and memcpy": _bytes(sizes.arithmetic),
        "the model in RAM": _bytes(sizes.ram),
        "steps of the mission": {"value": len(here), "unit": ""},
        "numbers compared": {"value": here.size, "unit": ""},
        "numbers that differ from the run here": {"value": wrong, "unit": "", "target": "0"},
        **{
            f"{what} of the dearest step": {"value": int(count), "unit": ""}
            for what, count in zip(("additions", "multiplications", "divisions", "comparisons"), greatest, strict=True)
        },
        "steps per second, in QEMU": {"value": len(here) / spent, "unit": "1/s"},
    }
    show("Minerva's autopilot on a Cortex-M4 (-Os, doubles by software)", figures, options.json)
    return 1 if wrong else 0


def _bytes(count: int) -> dict[str, Any]:
    return {"value": count, "unit": "bytes"}


if __name__ == "__main__":
    sys.exit(main())
