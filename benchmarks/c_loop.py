"""Build and run the hand-written C loop, the measure of everything else.

`run` is the loop at plain ``-O3``; `run_uncontracted` adds ``-ffp-contract=off``, the flag under which the engine
promises bit-equal results, so the price of that promise is visible where the compiler would fuse multiply and add.
"""

import ctypes
from functools import cache
from pathlib import Path

import numpy as np

from benchmarks.compiling import compiled
from benchmarks.model import STATE_NAMES, STEP, Outcome, step_count

SOURCE = Path(__file__).with_name("c_loop.c")
PLAIN = ("-O3",)
UNCONTRACTED = ("-O3", "-ffp-contract=off")


@cache
def load(flags: tuple[str, ...]) -> ctypes.CDLL:
    """Compile the loop with these flags and load it, once per process.

    The compiler is that of the environment variable ``CC``, or ``cc``.

    Raises:
        BenchmarkError: there is no compiler, or it refused the source.
    """
    loaded = compiled(SOURCE, ("-std=c99", *flags))
    loaded.run.restype = ctypes.c_double
    loaded.run.argtypes = (ctypes.c_double, ctypes.c_long, ctypes.POINTER(ctypes.c_double))
    return loaded


def run(end: float, flags: tuple[str, ...] = PLAIN) -> Outcome:
    """Simulate the benchmark model to `end` [s] in C built with these flags."""
    steps = step_count(end)
    library = load(flags)
    # Filled, not empty: first touching the pages belongs to the caller, who supplies the array.
    record = np.full((steps + 1, len(STATE_NAMES)), np.nan)
    seconds = library.run(STEP, steps, record.ctypes.data_as(ctypes.POINTER(ctypes.c_double)))
    x, y, psi, u, v, r = record[-1].tolist()
    return Outcome(seconds, steps, (x, y, psi, u, v, r))


def run_uncontracted(end: float) -> Outcome:
    """Simulate the benchmark model to `end` [s] in C built without fused multiply-add."""
    return run(end, UNCONTRACTED)
