"""A chain in MoorDyn, from an anchor 230 m away up to a fairlead that is driven: the judge of `MooringDynamics`."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks import simulate
from blocks.environment import MooringDynamics

Array = NDArray[np.float64]

CHAIN: dict[str, Any] = {"mass_per_length": 115.5, "diameter": 0.1368, "axial_stiffness": 4.94e8}
"""What it is made of, as parameters of `Mooring` and `MooringDynamics`."""
ENDS = [[250.0, 0.0, 50.0, 20.0, 0.0, 1.0]]
"""Where they are: the anchor plan of those."""
FAIRLEAD = [20.0, 0.0, -1.0]
"""In the axes of MoorDyn, of which z points up."""


def moordyn_text(
    *,
    length: float = 250.0,
    depth: float = 50.0,
    segments: int = 20,
    seabed_stiffness: float = 3e6,
    seabed_damping: float = 3e5,
    step: float = 0.001,
    settling: float = 100.0,
) -> str:
    """What MoorDyn reads. `step` and `settling`, the most time in which it comes to rest at first, in s.

    The line of dashes at the end has to be: MoorDyn looks for one, and for the end of the text only behind it.
    """
    diameter, mass, stiffness = (CHAIN[name] for name in ("diameter", "mass_per_length", "axial_stiffness"))
    x, y, z = ENDS[0][:3]
    return f"""MoorDyn v2
--- LINE TYPES ---
Name Diam MassDen EA BA EI Cd Ca CdAx CaAx
(-) (m) (kg/m) (N) (N-s) (N-m^2) (-) (-) (-) (-)
chain {diameter} {mass} {stiffness} -0.8 0 1.2 1.0 0.05 0.0
--- POINTS ---
ID Attachment X Y Z M V CdA CA
(-) (-) (m) (m) (m) (kg) (m^3) (m^2) (-)
1 Fixed {x} {y} {-z} 0 0 0 0
2 Coupled {" ".join(map(str, FAIRLEAD))} 0 0 0 0
--- LINES ---
ID LineType AttachA AttachB UnstrLen NumSegs Outputs
(-) (-) (-) (-) (m) (-) (-)
1 chain 1 2 {length} {segments} -
--- OPTIONS ---
{step} dtM
{seabed_stiffness} kbot
{seabed_damping} cbot
0.0 FrictionCoefficient
9.81 g
1025 rho
{depth} WtrDpth
rk4 tScheme
{settling} TmaxIC
1e-5 threshIC
-1 writeLog
--- END ---
"""


@contextlib.contextmanager
def _hushed() -> Iterator[None]:
    """What libraries in C print goes nowhere."""
    out = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        os.dup2(out, 1)
        os.close(out)
        os.close(nowhere)


@contextlib.contextmanager
def line_of_moordyn(**changes: float) -> Iterator[Any]:
    """The system, at rest, for `moordyn.Step`; changes: those of `moordyn_text`."""
    import moordyn

    with tempfile.TemporaryDirectory() as folder, _hushed():
        file = Path(folder, "line.txt")
        file.write_text(moordyn_text(**changes), encoding="utf-8")  # type: ignore[arg-type]
        system = moordyn.Create(str(file))
        moordyn.Init(system, FAIRLEAD, [0.0, 0.0, 0.0])
        try:
            yield system
        finally:
            moordyn.Close(system)


def surge(t: Any) -> tuple[Any, Any]:
    """Place and velocity of the fairlead about its rest, m and m/s: 2.5 m to and fro, growing in ten seconds."""
    grown = np.where(t < 10.0, 0.5 - 0.5 * np.cos(np.pi * t / 10.0), 1.0)
    rate = np.where(t < 10.0, 0.05 * np.pi * np.sin(np.pi * t / 10.0), 0.0)
    w = 2.0 * np.pi / 10.0
    return 2.5 * grown * np.sin(w * t), 2.5 * (grown * w * np.cos(w * t) + rate * np.sin(w * t))


def pull_of_moordyn(step: float, count: int, *, inner: float = 0.001, **changes: float) -> Array:
    """The pull on the fairlead after each of so many steps, N, count×3, north, west, up; inner: its own step, s."""
    import moordyn

    found = np.empty((count, 3))
    with line_of_moordyn(step=inner, **changes) as system:
        for k in range(count):
            x, u = surge(k * step)
            place = [FAIRLEAD[0] + float(x), *FAIRLEAD[1:]]
            found[k] = moordyn.Step(system, place, [float(u), 0.0, 0.0], k * step, step)
    return found


def pull_of_block(step: float, count: int, **given: float) -> Array:
    """The same by `MooringDynamics`."""
    t = np.arange(count + 1) * step
    eta, nu = np.zeros((count + 1, 6)), np.zeros((count + 1, 6))
    eta[:, 0], nu[:, 0] = surge(t)
    block = MooringDynamics(lines=ENDS, segments=20, **CHAIN, **given)
    run = simulate(block, count * step, step=step, inputs={"eta": (t, eta), "nu": (t, nu)}, record="disturbance")
    found: Array = run.values("disturbance")[1:, :3] * [1.0, -1.0, -1.0]
    return found


def apart(found: Array, wanted: Array) -> float:
    """Root mean square of the difference over that of what is wanted, in the second half."""
    half = len(wanted) // 2
    return float(np.linalg.norm((found - wanted)[half:]) / np.linalg.norm(wanted[half:]))
