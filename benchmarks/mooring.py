"""Mooring lines beside MoorPy (catenaries) and MoorDyn (lumped masses): python -m benchmarks.mooring

One barge on four chains, moved along the same path. Catenaries: time for the load of all four lines at one place,
alternately ours and MoorPy's, the best of five rounds. Lumped masses: one chain of 20 segments, its fairlead driven to
and fro for 60 s in the same steps of a Runge-Kutta method of fourth order. Ours are timed as they run, in `simulate`,
recording included, interpreted and compiled for this machine; what is loaded or compiled before counts in none.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.line_of_moordyn import CHAIN, ENDS, FAIRLEAD, line_of_moordyn
from blocks import simulate
from blocks.environment import Mooring, MooringDynamics

LINES = [
    [ahead * 185.0, side * 165.0, 50.0, ahead * 30.0, side * 10.0, 1.0] for ahead in (1.0, -1.0) for side in (1.0, -1.0)
]
ROUNDS = 5
SEGMENTS, MICRO, STEP, END = 20, 0.001, 0.05, 60.0


def path(count: int) -> Any:
    """Places of the barge: η, count×6."""
    t = np.linspace(0.0, 40.0, count)
    return np.array([8 * np.sin(t), 6 * np.cos(0.7 * t), 0.5 * np.sin(3 * t), 0 * t, 0 * t, 0.02 * np.sin(t)]).T


def seconds(work: Callable[[], object]) -> float:
    """How long it takes."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def catenaries() -> None:
    """Print the time of a load beside MoorPy's."""
    try:
        import moorpy
    except ImportError:
        print("catenaries: MoorPy is not installed (pip install moorpy)")
        return
    system = moorpy.System(depth=50.0, rho=1025.0, g=9.81)
    system.addBody(1, np.zeros(6))
    weight = 9.81 * (115.5 - 1025.0 * np.pi / 4.0 * 0.1368**2)
    system.lineTypes["chain"] = {"name": "chain", "d_vol": 0.1368, "m": 115.5, "EA": 4.94e8, "w": weight}
    for i, one in enumerate(LINES):
        system.addPoint(1, np.array(one[:3]) * [1, -1, -1])
        system.addPoint(-1, np.array(one[3:]) * [1, -1, -1])
        system.bodyList[0].attachPoint(2 * i + 2, np.array(one[3:]) * [1, -1, -1])
        system.addLine(250.0, "chain", pointA=2 * i + 1, pointB=2 * i + 2)
    system.initialize()
    many, few = path(20_000), path(200)
    block = Mooring(lines=LINES, length=250.0, depth=50.0, **CHAIN)
    t = 0.01 * np.arange(len(many))

    def ours(compiled: bool) -> None:
        simulate(block, t[-1], step=0.01, inputs={"eta": (t, many)}, record="disturbance", compiled=compiled)

    def theirs() -> None:
        for eta in few:
            system.bodyList[0].setPosition(eta * [1, -1, -1, 1, -1, -1])
            for line in system.lineList:
                line.staticSolve()
            system.bodyList[0].getForces(lines_only=True)

    rows: list[tuple[bool, list[float]]] = []
    for compiled in (False, True):
        with contextlib.suppress(Exception):
            ours(compiled)
            rows.append((compiled, []))
    other = []
    for _ in range(ROUNDS):
        for compiled, found in rows:
            found.append(seconds(lambda c=compiled: ours(c)) / len(many))  # type: ignore[misc]
        other.append(seconds(theirs) / len(few))
    print(f"catenaries, load of four lines at one place: MoorPy {1e6 * min(other):8.1f} µs")
    for compiled, found in rows:
        how = "compiled" if compiled else "as it is"
        print(f"  Mooring, {how}: {1e6 * min(found):6.2f} µs, {min(other) / min(found):5.0f} times as fast")


def lumped_masses() -> None:
    """Print the time of a run beside MoorDyn's."""
    try:
        import moordyn
    except ImportError:
        print("lumped masses: MoorDyn is not installed (pip install moordyn)")
        return
    w = 2.0 * np.pi / 10.0
    t = np.arange(round(END / STEP) + 1) * STEP
    eta, nu = np.zeros((len(t), 6)), np.zeros((len(t), 6))
    eta[:, 0], nu[:, 0] = 2.5 - 2.5 * np.cos(w * t), 2.5 * w * np.sin(w * t)
    block = MooringDynamics(lines=ENDS, length=250.0, depth=50.0, segments=SEGMENTS, **CHAIN)

    def ours(compiled: bool) -> None:
        simulate(block, END, step=MICRO, inputs={"eta": (t, eta), "nu": (t, nu)}, record="tension",
                 every=round(STEP / MICRO), compiled=compiled)  # fmt: skip

    def theirs() -> float:
        with line_of_moordyn(segments=SEGMENTS, step=MICRO, settling=5.0) as system:
            begun = time.perf_counter()
            for k in range(len(t) - 1):
                place = [FAIRLEAD[0] + eta[k, 0], *FAIRLEAD[1:]]
                moordyn.Step(system, place, [nu[k, 0], 0.0, 0.0], k * STEP, STEP)
            return time.perf_counter() - begun

    rows: list[tuple[bool, list[float]]] = []
    for compiled in (False, True):
        with contextlib.suppress(Exception):
            ours(compiled)
            rows.append((compiled, []))
    other = []
    for _ in range(ROUNDS):
        for compiled, found in rows:
            found.append(seconds(lambda c=compiled: ours(c)))  # type: ignore[misc]
        other.append(theirs())
    print(
        f"lumped masses, {SEGMENTS} segments for {END:g} s in steps of {1e3 * MICRO:g} ms: MoorDyn {min(other):.3f} s"
    )
    for compiled, found in rows:
        how = "compiled" if compiled else "as it is"
        print(f"  MooringDynamics, {how}: {min(found):.3f} s, {min(other) / min(found):.1f} times as fast")


if __name__ == "__main__":
    catenaries()
    lumped_masses()
