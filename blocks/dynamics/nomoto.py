"""Nomoto's model of steering, with surge of first order."""

from __future__ import annotations

from typing import Any

from blocks.block import Sizes
from blocks.dynamics.planar import PlanarVessel
from blocks.errors import ParameterError
from blocks.model.declare import Parameter, State
from blocks.model.dependence import Sources, between, elements, rows, whole
from blocks.model.examples import variants
from blocks.signal import Signal

_YAW = ("gain", "time_constant", "rudder_moment")
_SECOND_YAW = ("second_time_constant", "lead_time_constant")
_SURGE = ("surge_gain", "surge_time_constant")


def _is_second(block: Any) -> bool:
    return bool(block.order == "second")


class NomotoVessel(PlanarVessel):
    """A vessel that steers by Nomoto's equation and keeps speed by a lag of first order, for guidance and autopilots.

    T ṙ + r = K δ                                            with `order="first"`
    T_1 T_2 r̈ + (T_1 + T_2) ṙ + r = K (δ + T_3 δ̇)            with `order="second"`, T_1 = T
    δ = N/N_δ,  T_u u̇_r + u_r = K_u X,  ψ̇ = r,  ẋ = u cos ψ - v sin ψ,  ẏ = u sin ψ + v cos ψ

    r: yaw rate of `nu`, rad/s; δ: rudder angle, rad; X, N: surge force and yaw moment of `force` and `disturbance`
    together, N and N·m; K: `gain`, 1/s; T: `time_constant`, T_2: `second_time_constant`, T_3: `lead_time_constant`, s;
    N_δ: `rudder_moment`, N·m/rad; u_r: surge through the water, m/s; K_u: `surge_gain`, m/s per N; T_u:
    `surge_time_constant`, s.

    **Wrench.** As all vessels it takes a `force`: the yaw moment is what the rudder makes, δ = N/N_δ, so controllers
    that ask for a moment need no change; to steer by an angle, let a Gain of N_δ lead from it to `force[N]`. A vessel
    with diagonal M and D is the case K/N_δ = 1/d_33, T = m_33/d_33, K_u = 1/d_11, T_u = m_11/d_11 without Coriolis
    forces. A positive moment turns to starboard, so with K > 0 does a positive δ, wherever the rudder is. K and T both
    negative are a ship that does not keep its course. Forces in sway, heave, roll and pitch are taken up.

    **Current.** u_r and r are those through the water; the vessel drifts with the steady `current`, without sway
    through the water: what there is of it at the start dies out with T_u.

    **Force outputs.** f_d = (u_r/K_u, 0, N_δ r/K), what a steady motion takes; `coriolis_force` and `restoring_force`
    are 0.

    Raises ParameterError if a time constant or gain is 0 where the equations divide by it.

    Source: Nomoto, Taguchi, Honda and Hirano (1957), On the steering qualities of ships, International Shipbuilding
    Progress 4(35); Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, 2nd ed., sec. 7.2.
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
    )

    faults = ()

    gain = Parameter(unit="1/s", doc="K, yaw rate per rudder angle")
    time_constant = Parameter(unit="s", doc="T, or T_1 of the second order")
    second_time_constant = Parameter(0.0, unit="s", doc="T_2, of the second order only")
    lead_time_constant = Parameter(0.0, unit="s", doc="T_3, of the second order only")
    rudder_moment = Parameter(unit="N*m/rad", above=0.0, doc="N_δ, yaw moment per rudder angle")
    surge_gain = Parameter(unit="m/(N*s)", above=0.0, doc="K_u, steady speed per surge force")
    surge_time_constant = Parameter(unit="s", above=0.0, doc="T_u")
    order = Parameter("first", choices=("first", "second"), structural=True, doc="of the equation of yaw")

    yaw_lag = State(
        Signal("YawLag", unit="rad/s^2"),
        "q of the second order: ṙ = q + (K T_3 δ - (T_1 + T_2) r)/(T_1 T_2), q̇ = (K δ - r)/(T_1 T_2)",
        private=True,
        when=_is_second,
        depends={"nu": elements("r"), "force": elements("N"), "disturbance": elements("N")}
        | whole(*_YAW, "second_time_constant"),
    )

    @property
    def kernel(self) -> str:  # type: ignore[override]
        """One for each order."""
        return f"nomoto_{self.order}"

    def feedthrough(self, output: str) -> tuple[str, ...]:
        """The Coriolis force is 0."""
        return () if output == "coriolis_force" else super().feedthrough(output)

    def output_sources(self, output: str, sizes: Sizes) -> Sources | None:
        """Surge and yaw are apart; with a lead the rudder counts at once in the second order, too."""
        if output == "coriolis_force":
            return {}
        if output == "damping_force":
            return {
                "nu": between({"X": "u", "N": "r"}),
                "current": between({"X": "north east"}),
                "eta": between({"X": "psi"}),
                "surge_gain": rows("X"),
                "rudder_moment": rows("N"),
                "gain": rows("N"),
            }
        return super().output_sources(output, sizes)

    def motion_sources(self, motions: str) -> Sources:
        """What dν/dt depends on, with its elements by these labels."""
        surge, sway, yaw = motions.split()
        second = self.order == "second"
        applied = between({surge: "X", yaw: "N"})
        found = {
            "force": applied,
            "disturbance": applied,
            "nu": between({surge: "u r", sway: "v r", yaw: "r"}),
            "current": between({f"{surge} {sway}": "north east"}),
            "eta": between({f"{surge} {sway}": "psi"}),
            "surge_gain": rows(surge),
            "surge_time_constant": rows(f"{surge} {sway}"),
        }
        found |= {name: rows(yaw) for name in (*_YAW, *(_SECOND_YAW if second else ()))}
        return found | ({"yaw_lag": rows(yaw)} if second else {})

    def validate(self) -> None:
        """The equations divide by gain and time constants."""
        super().validate()
        divisors = ("gain", "time_constant", *(("second_time_constant",) if self.order == "second" else ()))
        for name in divisors:
            if self.values[name] == 0.0:
                hint = ', or order="first"' if name == "second_time_constant" else ""
                raise ParameterError(f"{self._called()}.{name} must not be 0: give it a value{hint}")
