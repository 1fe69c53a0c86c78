"""Nomoto's model of steering, with surge of first order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from blocks.block import Sizes
from blocks.dynamics.planar import PlanarVessel
from blocks.errors import ParameterError
from blocks.model.declare import Parameter, State
from blocks.model.dependence import Sources, between, elements, rows, whole
from blocks.model.examples import variants
from blocks.signal import Signal

_YAW = ("rudder_moment", "yaw_polynomial")
_SCHEDULED = {
    "constant": ("gain", "time_constant"),
    "speed": ("gain", "time_constant", "design_speed", "lowest_speed"),
    "table": ("speeds", "gains", "time_constants", "cubics"),
}
"""What K and T, and with a table n_3, are of."""
_RESISTANCE = ("yaw_polynomial", "cubics")
"""What H(r) is of; in the second order the lag has it."""
SCHEDULES = ("constant", "speed", "table")
_SECOND_YAW = ("second_time_constant", "lead_time_constant")
_SURGE = ("surge_gain", "surge_time_constant")


def _is_second(block: Any) -> bool:
    return bool(block.order == "second")


class NomotoVessel(PlanarVessel):
    """A vessel that steers by Nomoto's equation and keeps speed by a lag of first order, for guidance and autopilots.

    T ṙ + H(r) = K δ                                         with `order="first"`
    T_1 T_2 r̈ + (T_1 + T_2) ṙ + H(r) = K (δ + T_3 δ̇)         with `order="second"`, T_1 = T
    H(r) = n_3 r³ + n_2 r² + n_1 r + n_0, which is r unless it is given
    δ = N/N_δ,  T_u u̇_r + u_r = K_u X,  ψ̇ = r,  ẋ = u cos ψ - v sin ψ,  ẏ = u sin ψ + v cos ψ

    (n_0, n_1, n_2, n_3): `yaw_polynomial`; r: yaw rate of `nu`, rad/s; δ: rudder angle, rad; X, N: surge force and yaw
    moment of `force` and `disturbance` together, N and N·m; K: `gain`, 1/s; T: `time_constant`, T_2:
    `second_time_constant`, T_3: `lead_time_constant`, s; N_δ: `rudder_moment`, N·m/rad; u_r: surge through the water,
    m/s; K_u: `surge_gain`, m/s per N; T_u: `surge_time_constant`, s.

    **Wrench.** As all vessels it takes a `force`: the yaw moment is what the rudder makes, δ = N/N_δ, so controllers
    that ask for a moment need no change; to steer by an angle, let a Gain of N_δ lead from it to `force[N]`. A vessel
    with diagonal M and D is the case K/N_δ = 1/d_33, T = m_33/d_33, K_u = 1/d_11, T_u = m_11/d_11 without Coriolis
    forces. A positive moment turns to starboard, so with K > 0 does a positive δ, wherever the rudder is. K and T both
    negative are a ship that does not keep its course. Forces in sway, heave, roll and pitch are taken up.

    **Norrbin.** n_3 > 0 bends the spiral of large angles; n_1 < 0 is a ship that does not keep its course, whose spiral
    is three-valued up to δ = ±√(4 |n_1|³/(27 n_3))/K and jumps there; n_0 and n_2 are of ships that are not alike on
    both sides. That Bech and Wagner Smith put r̈ and H beside each other makes of the second order theirs.

    **Speed.** With `schedule="speed"` K = K_0 u_r/U_0 and T = T_0 U_0/u_r, as K' = K L/U and T' = T U/L are the same at
    all speeds: K_0, T_0: `gain` and time constants at U_0: `design_speed`, m/s; u_r counts as `lowest_speed` at least.
    With "table" K, T (T_1) and n_3 are `gains`, `time_constants` and `cubics` over `speeds`, linear between them and
    held outside.

    **Current.** u_r and r are those through the water; the vessel drifts with the steady `current`, without sway
    through the water: what there is of it at the start dies out with T_u.

    **Force outputs.** f_d = (u_r/K_u, 0, N_δ H(r)/K), what a steady motion takes; `coriolis_force` and
    `restoring_force` are 0.

    Raises ParameterError if a time constant or gain is 0 where the equations divide by it, or speeds do not ascend.

    Source: Nomoto, Taguchi, Honda and Hirano (1957), On the steering qualities of ships, International Shipbuilding
    Progress 4(35); Norrbin (1963), On the design and analyses of the zig-zag test on base of quasi-linear frequency
    response, SSPA, Gothenburg (H); Bech and Wagner Smith (1969), Analogue simulation of ship manoeuvres, HyA report
    Hy-14 (H with r̈); Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, 2nd ed., sec. 7.2.
    """

    kernels = ("nomoto_first", "nomoto_second")
    examples = variants(
        {
            "gain": 0.5,
            "time_constant": 3.0,
            "second_time_constant": 0.7,
            "lead_time_constant": 1.5,
            "rudder_moment": 2.0,
            "surge_gain": 0.2,
            "surge_time_constant": 4.0,
        },
        {"order": "second"},
        {"yaw_polynomial": [0.01, -0.6, 0.1, 3.0], "schedule": "speed", "design_speed": 1.5, "lowest_speed": 0.4},
        {"order": "second", "schedule": "speed", "design_speed": 1.5, "lowest_speed": 0.4},
        {
            "schedule": "table",
            "speeds": [0.5, 1.0, 2.0],
            "gains": [0.2, 0.4, 0.9],
            "time_constants": [5.0, 3.0, 2.0],
            "cubics": [0.4, 0.6, 0.3],
        },
    )

    faults = ()
    sizes = ("k", "s")
    least_sizes: ClassVar[Mapping[str, int]] = {"k": 2}

    gain = Parameter(unit="1/s", doc="K, yaw rate per rudder angle; with a table not used")
    time_constant = Parameter(unit="s", doc="T, or T_1 of the second order; with a table not used")
    second_time_constant = Parameter(0.0, unit="s", doc="T_2, of the second order only")
    lead_time_constant = Parameter(0.0, unit="s", doc="T_3, of the second order only")
    rudder_moment = Parameter(unit="N*m/rad", above=0.0, doc="N_δ, yaw moment per rudder angle")
    surge_gain = Parameter(unit="m/(N*s)", above=0.0, doc="K_u, steady speed per surge force")
    surge_time_constant = Parameter(unit="s", above=0.0, doc="T_u")
    yaw_polynomial = Parameter(
        (0.0, 1.0, 0.0, 0.0),
        shape=(4,),
        unit=("rad/s", "1", "s/rad", "s^2/rad^2"),
        labels=("n_0", "n_1", "n_2", "n_3"),
        doc="of H(r)",
    )
    schedule = Parameter("constant", choices=SCHEDULES, structural=True, doc="of K and T over the speed")
    design_speed = Parameter(1.0, unit="m/s", above=0.0, doc='U_0 of schedule="speed"')
    lowest_speed = Parameter(0.1, unit="m/s", above=0.0, doc='u_r counts as this at least; of schedule="speed"')
    speeds = Parameter((0.0, 1.0), shape=("k",), unit="m/s", doc='u_r of schedule="table", ascending')
    gains = Parameter(1.0, shape=("k",), unit="1/s", doc="K at these speeds")
    time_constants = Parameter(1.0, shape=("k",), unit="s", doc="T at these speeds")
    cubics = Parameter(
        0.0, shape=("k",), unit="s^2/rad^2", doc="n_3 at these speeds, in place of that of yaw_polynomial"
    )
    order = Parameter("first", choices=("first", "second"), structural=True, doc="of the equation of yaw")

    yaw_lag = State(
        Signal("YawLag", unit="rad/s^2"),
        "q of the second order: ṙ = q + (K T_3 δ - (T_1 + T_2) r)/(T_1 T_2), q̇ = (K δ - H(r))/(T_1 T_2)",
        private=True,
        when=_is_second,
    )

    @property
    def kernel(self) -> str:  # type: ignore[override]
        """One for each order."""
        return f"nomoto_{self.order}"

    def known_sizes(self) -> dict[str, int]:
        """Speeds of the table, and the schedule as a number."""
        return super().known_sizes() | {"s": SCHEDULES.index(str(self.values["schedule"]))}

    def feedthrough(self, output: str) -> tuple[str, ...]:
        """The Coriolis force is 0."""
        return () if output == "coriolis_force" else super().feedthrough(output)

    def output_sources(self, output: str, sizes: Sizes) -> Sources | None:
        """Surge and yaw are apart; with a lead the rudder counts at once in the second order, too."""
        if output == "coriolis_force":
            return {}
        if output == "damping_force":
            over = self.schedule != "constant"
            yawing = [name for name in self._steering if "time" not in name]
            return {
                "nu": between({"X": "u", "N": "u r" if over else "r"}),
                "current": between({"X N" if over else "X": "north east"}),
                "eta": between({"X N" if over else "X": "psi"}),
                "surge_gain": rows("X"),
            } | {name: rows("N") for name in yawing}
        return super().output_sources(output, sizes)

    @property
    def _steering(self) -> tuple[str, ...]:
        """The parameters of the equation of yaw that both orders have."""
        return (*_YAW, *_SCHEDULED[str(self.schedule)])

    def state_sources(self, state: str, sizes: Sizes) -> Sources | None:
        """The lag of the second order is one of yaw alone."""
        if state != "yaw_lag":
            return super().state_sources(state, sizes)
        applied = {"force": elements("N"), "disturbance": elements("N")}
        found = applied | whole(*self._steering, "second_time_constant")
        if self.schedule == "constant":
            return found | {"nu": elements("r")}
        return found | {"nu": elements("u r"), "current": elements("north east"), "eta": elements("psi")}

    def motion_sources(self, motions: str) -> Sources:
        """What dν/dt depends on, with its elements by these labels."""
        surge, sway, yaw = motions.split()
        second = self.order == "second"
        applied = between({surge: "X", yaw: "N"})
        over = self.schedule != "constant"
        drifting = motions if over else f"{surge} {sway}"
        found = {
            "force": applied,
            "disturbance": applied,
            "nu": between({surge: "u r", sway: "v r", yaw: "u r" if over else "r"}),
            "current": between({drifting: "north east"}),
            "eta": between({drifting: "psi"}),
            "surge_gain": rows(surge),
            "surge_time_constant": rows(f"{surge} {sway}"),
        }
        steering = [*_SECOND_YAW, *(n for n in self._steering if n not in _RESISTANCE)] if second else self._steering
        found |= {name: rows(yaw) for name in steering}
        return found | ({"yaw_lag": rows(yaw)} if second else {})

    def validate(self) -> None:
        """The equations divide by gain and time constants."""
        super().validate()
        constant = () if self.schedule == "table" else ("gain", "time_constant")
        divisors = (*constant, *(("second_time_constant",) if self.order == "second" else ()))
        for name in divisors:
            if self.values[name] == 0.0:
                hint = ', or order="first"' if name == "second_time_constant" else ""
                raise ParameterError(f"{self._called()}.{name} must not be 0: give it a value{hint}")
        speeds = np.atleast_1d(np.asarray(self.values["speeds"]))
        if self.schedule != "table":
            return
        if len(speeds) < 2 or np.any(np.diff(speeds) <= 0.0):
            raise ParameterError(f"{self._called()}.speeds must be two or more, and ascend, not {speeds.tolist()}")
        for name in ("gains", "time_constants"):
            if not np.all(self.values[name]):
                raise ParameterError(f"{self._called()}.{name} must not be 0: the equations divide by it")
