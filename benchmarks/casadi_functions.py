"""What CasADi's functions of an FMU cost: to open it, a value, and one with the Jacobian by states and inputs.

The vessel of docs/fmus/casadi.md, an Otter in three degrees of freedom, called from Python.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import fmu
from benchmarks.report import arguments, show, spread
from blocks.dynamics import Vessel3DOF


def seconds(call: Callable[[], object], count: int) -> float:
    """Of one call, the mean of so many."""
    begin = time.perf_counter()
    for _ in range(count):
        call()
    return (time.perf_counter() - begin) / count


def measure(path: Path) -> dict[str, float]:
    """Each of them once, µs."""
    import casadi

    begin = time.perf_counter()
    dae = casadi.DaeBuilder("otter", str(path))
    motion = dae.create("motion", ["x", "u"], ["ode", "y"])
    state, inputs = np.zeros(dae.nx()), np.zeros(dae.nu())
    motion(state, inputs)
    opened = time.perf_counter() - begin
    jacobian = motion.jacobian()
    return {
        "to open it": 1e6 * opened,
        "a value": 1e6 * seconds(lambda: motion(state, inputs), 2000),
        "a value with its Jacobian": 1e6 * seconds(lambda: jacobian(state, inputs, 0, 0), 2000),
    }


def main() -> int:
    """See the top."""
    options = arguments(__doc__).parse_args()
    try:
        import casadi
    except ImportError:
        print("not run: casadi is not here (pip install 'keelblocks[mpc]')", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        path = fmu.export(Vessel3DOF.from_vehicle("otter"), Path(folder) / "otter.fmu", step=0.05)
        os.chdir(folder)  # where CasADi unpacks it
        rounds = [measure(path) for _ in range(options.rounds or 7)]
    figures = {name: spread([found[name] for found in rounds], "µs") for name in rounds[0]}
    show(f"An Otter in CasADi {casadi.__version__}", figures, options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
