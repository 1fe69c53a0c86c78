"""Thrusters that are known by a table from a test bench."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from blocks.basic.common import check_increasing
from blocks.block import Block
from blocks.errors import ParameterError
from blocks.model.declare import Input, Output, Parameter
from blocks.model.dependence import WHOLE, Pattern, each, whole
from blocks.model.derived import Derived
from blocks.model.examples import variants
from blocks.model.file_origin import file_constructor, with_table
from blocks.signal import BodyVelocity, Forces, Powers, Revolutions, Signal, Wrench
from blocks.thrust.bench_file import TABLES, Columns, read_bench_file
from blocks.thrust.thruster_words import AllocationMatrixParameter

_Settings = Signal("Settings", ("n",))
_LOOKED_UP = each("command") | whole("commands", "interpolation")
_SPEED: dict[str, Pattern] = _LOOKED_UP | whole("speeds")
_THRUST: dict[str, Pattern] = _SPEED | whole("thrusts", "nu_r", "allocation_matrix") | each("inflow_coefficient")


class MeasuredSet(Block, abstract=True):
    """n thrusters of one kind, fixed in the hull, with the thrust and the speed of each command from a bench."""

    sizes: ClassVar[tuple[str, ...]] = ("n", "m")
    least_sizes: ClassVar[Mapping[str, int]] = {"m": 2}
    aliases: ClassVar[Mapping[str, str]] = {"thrusters": "allocation_matrix"}

    allocation_matrix = AllocationMatrixParameter()
    commands = Parameter(shape=("m",), unit=None, doc="increasing commands of the table")
    thrusts = Parameter(shape=("m",), unit="N", doc="thrust at each command")
    speeds = Parameter(shape=("m",), unit="rev/s", doc="shaft speed at each command")
    interpolation = Parameter("pchip", choices=("pchip", "linear"), doc="what the functions are between the points")
    inflow_coefficient = Parameter(
        0.0, shape=("n",), unit="N*s^2/rev/m", at_least=0.0, doc="k, thrust lost per rev/s and m/s of water from ahead"
    )

    thrust_slopes = Derived("of the smooth function, at the points of the table", shape=("m",), unit=None)
    speed_slopes = Derived("of the smooth function, at the points of the table", shape=("m",), unit=None)

    def validate(self) -> None:
        """Commands that increase, and thrusts that do not decrease."""
        super().validate()
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


class MeasuredThruster(MeasuredSet):
    """n thrusters of one kind, known by a table from a test bench: thrust, speed and electrical power by command.

    τ = T f,  f_i = f(c_i) - k_i |n_i| (Tᵀ ν_r)_i,  n_i = n(c_i),  P_i = P(c_i)

    c: `command`, n, in the unit of the table, held within it; f(c), n(c), P(c): the functions through `commands` and
    `thrusts`, `speeds`, `powers`; τ: `force`, N and N·m, 6; f_i: `thrust`, N, n; n_i: `speed`, rev/s, n; P_i: `power`,
    electrical, W, n; T: `allocation_matrix`, 6×n, or `thrusters`, where they are in words, see `KnownThrusters`; k:
    `inflow_coefficient`, what water from ahead takes of the thrust.

    **Between the points** the functions are cubic, smooth, and monotone wherever the points are
    (`interpolation="pchip"`), so that they never overshoot a measurement, or straight ("linear"). Thrust must not fall
    from one command to the next, so that a controller finds one way up; thrusters often have a dead band, where it
    stays.

    **Bench files.** `MeasuredThruster.from_file("t200_16V.csv", allocation_matrix=…)` reads a CSV file as benches and
    makers write it, with a line of headings such as

        PWM (µs), RPM, Current (A), Voltage (V), Power (W), Force (Kg f), Efficiency (g/W)

    in any order: command, PWM or throttle, in whatever unit; thrust or force; RPM or speed; power, or voltage and
    current; each with its unit as "thrust (N)", "thrust [N]" or "thrust_N". Other columns are left out, and so are
    empty lines and those that begin with #. Cells may be separated by commas, semicolons or tabs, and the latter two
    let decimals have commas. Lines may come in any order of their commands. Speeds that are measured without a sign get
    that of the thrust. `columns={"thrust": "Schub", "speed": ("Drehzahl", "rpm")}` says what headings do not.
    In a scenario `file` names such a file.

    Thrust must not fall; `smooth=True` takes the thrusts nearest to the measured ones, by least squares, that never do.

    Raises ParameterError if there are fewer than two points, if commands do not increase or thrusts decrease, or if
    tables have different lengths.

    Sources: Fritsch and Butland (1984), A method for constructing local monotone piecewise cubic interpolants, SIAM
    Journal on Scientific and Statistical Computing 5 (pchip); Fossen (2021), Handbook of Marine Craft Hydrodynamics and
    Motion Control, 2nd ed., ch. 9 (k: the bilinear thrust model) and sec. 11.2 (T).
    """

    examples = variants(
        {
            "allocation_matrix": np.arange(1.0, 13.0).reshape(6, 2) / 10.0,
            "commands": [-0.9, 0.4, 0.7, 1.3],
            "thrusts": [-2.0, 0.1, 0.9, 3.0],
            "speeds": [-5.0, 1.0, 2.0, 4.0],
            "powers": [4.0, 0.3, 0.8, 5.0],
            "inflow_coefficient": 0.2,
            "interpolation": "pchip",
        },
        {"interpolation": "linear"},
    )

    kernel = "measured_thruster"

    command = Input(_Settings, "commands c, in the unit of the table")
    nu_r = Input(BodyVelocity, "ν_r, velocity of the hull through the water", default=0.0)

    force = Output(Wrench, "τ, on the hull about the body origin", depends=dict.fromkeys(_THRUST, WHOLE))
    thrust = Output(Forces, "f, positive ahead", depends=_THRUST)
    speed = Output(Revolutions, "n, negative astern", feedthrough=("command",), depends=_SPEED)
    power = Output(Powers, "P, electrical", feedthrough=("command",), depends=_LOOKED_UP | whole("powers"))

    powers = Parameter(shape=("m",), unit="W", doc="electrical power at each command")

    power_slopes = Derived("of the smooth function, at the points of the table", shape=("m",), unit=None)

    @classmethod
    @file_constructor
    def from_file(
        cls, path: str | Path, *, columns: Columns | None = None, smooth: bool = False, **parameters: Any
    ) -> MeasuredThruster:
        """The block with the table of a bench file; `parameters` are the others, and tables that the file has not.

        Raises ParameterError if the file cannot be read, a column is missing or a value is no number.
        """
        known = tuple(name for name in TABLES.values() if name in parameters)
        return with_table(cls, path, read_bench_file(path, columns, smooth=smooth, known=known), parameters)
