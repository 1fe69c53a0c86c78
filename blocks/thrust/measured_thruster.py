"""Thrusters that are known by a table from a test bench."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from blocks.basic.common import check_increasing
from blocks.block import Block, Sizes
from blocks.declare import Input, Output, Parameter
from blocks.dependence import WHOLE, Pattern, each, whole
from blocks.errors import ParameterError, did_you_mean
from blocks.signal import BodyVelocity, Forces, Powers, Revolutions, Signal, Wrench

COLUMNS = {"command": ("commands", 1.0), "thrust_N": ("thrusts", 1.0), "power_W": ("powers", 1.0)}
SPEED_COLUMNS = {"speed_rev_per_s": ("speeds", 1.0), "speed_rpm": ("speeds", 1.0 / 60.0)}

_Settings = Signal("Settings", ("n",))
_LOOKED_UP = each("command") | whole("commands", "interpolation")
_SPEED: dict[str, Pattern] = _LOOKED_UP | whole("speeds")
_THRUST: dict[str, Pattern] = _SPEED | whole("thrusts", "nu_r", "allocation_matrix") | each("inflow_coefficient")


class MeasuredThruster(Block):
    """n thrusters of one kind, known by a table from a test bench: thrust, speed and electrical power by command.

    τ = T f,  f_i = f(c_i) - k_i |n_i| (Tᵀ ν_r)_i,  n_i = n(c_i),  P_i = P(c_i)

    c: `command`, n, in the unit of the table, held within it; f(c), n(c), P(c): the functions through `commands` and
    `thrusts`, `speeds`, `powers`; τ: `force`, N and N·m, 6; f_i: `thrust`, N, n; n_i: `speed`, rev/s, n; P_i: `power`,
    electrical, W, n; T: `allocation_matrix`, 6×n; k: `inflow_coefficient`, what water from ahead takes of the thrust.

    **Between the points** the functions are cubic, smooth, and monotone wherever the points are
    (`interpolation="pchip"`), so that they never overshoot a measurement, or straight ("linear"). Thrust must not fall
    from one command to the next, so that a controller finds one way up; thrusters often have a dead band, where it
    stays.

    **Bench files.** `MeasuredThruster.from_file("t200.csv", allocation_matrix=…)` reads a CSV file with a line of
    column names: `command`, `thrust_N`, `power_W` and `speed_rev_per_s` or `speed_rpm`, in any order; other columns
    are left out, and so are empty lines and those that begin with #. Speeds that are measured without a sign get that
    of the thrust.

    Raises ParameterError if there are fewer than two points, if commands do not increase or thrusts decrease, or if
    tables have different lengths.

    Sources: Fritsch and Butland (1984), A method for constructing local monotone piecewise cubic interpolants, SIAM
    Journal on Scientific and Statistical Computing 5 (pchip); Fossen (2021), Handbook of Marine Craft Hydrodynamics and
    Motion Control, 2nd ed., sec. 9.1 (k: the bilinear thrust model) and 11.2 (T).
    """

    kernel = "measured_thruster"
    sizes = ("n", "m")
    least_sizes: ClassVar[Mapping[str, int]] = {"m": 2}

    command = Input(_Settings, "commands c, in the unit of the table")
    nu_r = Input(BodyVelocity, "ν_r, velocity of the hull through the water", default=0.0)

    force = Output(Wrench, "τ, on the hull about the body origin", depends=dict.fromkeys(_THRUST, WHOLE))
    thrust = Output(Forces, "f, positive ahead", depends=_THRUST)
    speed = Output(Revolutions, "n, negative astern", feedthrough=("command",), depends=_SPEED)
    power = Output(Powers, "P, electrical", feedthrough=("command",), depends=_LOOKED_UP | whole("powers"))

    allocation_matrix = Parameter(
        shape=(6, "n"),
        unit=None,
        frame="body",
        doc="T, wrench of each thruster per newton of its thrust: directions in rows 1 to 3, arms in m in rows 4 to 6",
    )
    commands = Parameter(shape=("m",), unit=None, tunable=False, doc="increasing commands of the table")
    thrusts = Parameter(shape=("m",), unit="N", tunable=False, doc="thrust at each command")
    speeds = Parameter(shape=("m",), unit="rev/s", doc="shaft speed at each command")
    powers = Parameter(shape=("m",), unit="W", doc="electrical power at each command")
    interpolation = Parameter("pchip", choices=("pchip", "linear"), doc="what the functions are between the points")
    inflow_coefficient = Parameter(
        0.0, shape=("n",), unit="N*s^2/rev/m", at_least=0.0, doc="k, thrust lost per rev/s and m/s of water from ahead"
    )

    def work_size(self, sizes: Sizes) -> int:
        """Slopes of the three functions."""
        return 3 * sizes["m"]

    def validate(self) -> None:
        """Commands that increase, and thrusts that do not decrease."""
        check_increasing(self, "commands", at_least=2)
        if np.ndim(self.allocation_matrix) != 2:
            raise ParameterError(
                f"{self._called()}.allocation_matrix must be an array of 6×n, "
                f"not the single number {self.allocation_matrix:g}"
            )
        thrusts = np.broadcast_to(self.thrusts, np.shape(self.commands))
        for k in np.flatnonzero(np.diff(thrusts) < 0.0):
            raise ParameterError(
                f"{self._called()}.thrusts must not decrease from command to command, but [{k}] is {thrusts[k]:g} N "
                f"and [{k + 1}] is {thrusts[k + 1]:g} N; smooth the measurements or leave the point out"
            )

    @classmethod
    def from_file(cls, path: str | Path, **parameters: Any) -> MeasuredThruster:
        """The block with the table of a bench file; `parameters` are the others.

        Raises ParameterError if the file cannot be read, a column is missing or a value is no number.
        """
        return cls(**(read_bench_file(path) | parameters))


def read_bench_file(path: str | Path) -> dict[str, list[float]]:
    """The tables `commands`, `thrusts`, `speeds` and `powers` of a CSV file. Raises ParameterError."""
    try:
        with Path(path).open(encoding="utf-8-sig", newline="") as file:
            lines = list(enumerate(file, 1))
    except (OSError, UnicodeDecodeError) as problem:
        raise ParameterError(f"{path} cannot be read as a bench file: {problem}") from None
    numbered = [(k, line) for k, line in lines if line.strip() and not line.lstrip().startswith("#")]
    rows = csv.reader([line for _, line in numbered])
    header = [name.strip() for name in next(rows, [])]
    speeds = [name for name in SPEED_COLUMNS if name in header]
    for wanted in (*COLUMNS, *(() if speeds else ("speed_rev_per_s",))):
        if wanted not in header:
            also = " (or speed_rpm)" if wanted == "speed_rev_per_s" else ""
            raise ParameterError(f"{path} has no column '{wanted}'{also}{did_you_mean(wanted, header)}")
    taken = COLUMNS | {speeds[0]: SPEED_COLUMNS[speeds[0]]}
    found: dict[str, list[float]] = {target: [] for target, _ in taken.values()}
    for (number, _), row in zip(numbered[1:], rows, strict=True):
        if len(row) != len(header):
            raise ParameterError(f"{path}, line {number}: {len(row)} values under {len(header)} columns")
        for name, text in zip(header, row, strict=True):
            if name in taken:
                target, factor = taken[name]
                try:
                    found[target].append(float(text) * factor)
                except ValueError:
                    raise ParameterError(f"{path}, line {number}: {name} must be a number, not {text!r}") from None
    if min(found["speeds"], default=0.0) >= 0.0:
        found["speeds"] = [float(np.copysign(n, f)) for n, f in zip(found["speeds"], found["thrusts"], strict=True)]
    return found
