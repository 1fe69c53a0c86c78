"""A propeller and the rudder in its slipstream, at the stern of a ship."""

from __future__ import annotations

from blocks.model.declare import Parameter
from blocks.model.dependence import Pattern, Sources, between, rows
from blocks.model.derived import Derived
from blocks.model.examples import variants
from blocks.thrust.rudder_gear import RudderGear


class PropellerRudder(RudderGear):
    """A propeller and the rudder behind it, with the wake of the hull and its share of the rudder's force.

    τ = ((1 - t) T + c_RX F_N sin δ, (1 + a_H) F_N cos δ, 0, -(1 + a_H) z_R F_N cos δ, 0, (x_R + a_H x_H) F_N cos δ)
    T = ρ D⁴ K_T n |n|,  K_T = k_0 + k_1 J,  J = u_P/(n D)
    u_P = u_r (1 - w + τ_w (v' + x_P r/U)²),  v' = v_r/U,  U = √(u_r² + v_r²)
    u_R² = ε² (u_P² + 8 κ T/(π ρ D²)),  v_R = γ v_r + U (c_r r' + c_rrr r'³ + c_rrv r'² v'),  r' = r L/U
    F_N = -ρ/2 A_R 6.13 Λ/(Λ + 2.25) (u_R² + v_R²) sin(δ + atan2(v_R, u_R))

    τ: `force`, N and N·m, 6; δ: `angle`, rad; n: `speed`, rev/s; they follow `command` and `shaft_command` as those of
    a `PolynomialRudder`; T: thrust, N; F_N: normal force of the rudder, N; ν_r: `nu_r`; U: `lowest_speed` at least,
    m/s; t: `thrust_deduction`; w: `wake_fraction`; τ_w: `wake_drift`; x_P: `propeller_position`, m; D: `diameter`, m;
    (k_0, k_1): `thrust_coefficient`; ρ: `density`, kg/m³; A_R: `area`, m²; Λ: `aspect_ratio`; (x_R, z_R):
    `rudder_position`, m; ε: `wake_ratio`; κ: `slipstream_gain`; γ, (c_r, c_rrr, c_rrv): `flow_straightening` and
    `yaw_flow`; a_H, x_H: `hull_share` and `hull_position`, m; c_RX: `rudder_drag`; L: `length`, m.

    A positive δ turns to starboard. u_R is 0 where its square would be negative, as with the propeller astern.

    Raises ParameterError if a parameter is out of range.

    Source: Son and Nomoto (1981), On the coupled motion of steering and rolling of a high speed container ship, Journal
    of the Society of Naval Architects of Japan 150, 232-244.
    """

    examples = variants(
        {
            "length": 3.0,
            "diameter": 0.3,
            "thrust_coefficient": [0.5, -0.4],
            "wake_fraction": 0.2,
            "wake_drift": 0.9,
            "propeller_position": -1.4,
            "thrust_deduction": 0.2,
            "area": 0.05,
            "aspect_ratio": 1.8,
            "rudder_position": [-1.5, 0.1],
            "wake_ratio": 0.9,
            "slipstream_gain": 0.6,
            "flow_straightening": 0.2,
            "yaw_flow": [-0.15, -0.2, 0.9],
            "hull_share": 0.2,
            "hull_position": -1.3,
            "rudder_drag": 0.7,
            "lowest_speed": 0.3,
            "angle_limit": 0.6,
            "speed_limit": 5.0,
        },
        {"response": "rate_limited", "time_constant": 0.4, "rate_limit": 0.3, "shaft_time_constant": 2.0},
    )

    kernels = ("propeller_rudder", "propeller_rudder_lag")

    length = Parameter(unit="m", above=0.0, doc="L of the ship")
    diameter = Parameter(unit="m", above=0.0, doc="D of the propeller")
    thrust_coefficient = Parameter(shape=(2,), labels=("k_0", "k_1"), doc="of K_T over J")
    wake_fraction = Parameter(0.0, below=1.0, doc="w straight ahead")
    wake_drift = Parameter(0.0, doc="τ_w, how the wake goes with drift")
    propeller_position = Parameter(0.0, unit="m", doc="x_P")
    thrust_deduction = Parameter(0.0, below=1.0, doc="t")
    area = Parameter(unit="m^2", above=0.0, doc="A_R")
    aspect_ratio = Parameter(unit="1", above=0.0, doc="Λ")
    rudder_position = Parameter(shape=(2,), unit="m", frame="body", labels=("x", "z"), doc="(x_R, z_R)")
    wake_ratio = Parameter(1.0, above=0.0, doc="ε, inflow of the rudder over that of the propeller")
    slipstream_gain = Parameter(0.5, at_least=0.0, doc="κ")
    flow_straightening = Parameter(1.0, doc="γ")
    yaw_flow = Parameter(0.0, shape=(3,), labels=("c_r", "c_rrr", "c_rrv"), doc="cross flow at the rudder by yawing")
    hull_share = Parameter(0.0, doc="a_H, force on the hull that the rudder makes, over its own")
    hull_position = Parameter(0.0, unit="m", doc="x_H, where that acts")
    rudder_drag = Parameter(1.0, doc="c_RX, share of F_N sin δ that slows the ship down")
    density = Parameter(1025.0, unit="kg/m^3", above=0.0, doc="of the water ρ")
    lowest_speed = Parameter(0.1, unit="m/s", above=0.0, doc="U counts as this at least")

    lift = Derived("-ρ/2 A_R 6.13 Λ/(Λ + 2.25)", unit="N*s^2/m^2")
    swelling = Derived("8 κ/(π ρ D²)", unit="m^2/(N*s^2)")

    @property
    def kernel(self) -> str:  # type: ignore[override]
        """Without states if the response is instant."""
        return "propeller_rudder_lag" if self.lags else "propeller_rudder"

    def force_sources(self) -> Sources:
        """Thrust in surge, and the rudder's force, which lies in the slipstream, in all of it."""
        common = {
            *self.angle_sources, *self.shaft_sources, "density", "diameter", "thrust_coefficient", "wake_fraction",
            "wake_drift", "propeller_position", "area", "aspect_ratio", "wake_ratio", "slipstream_gain",
            "flow_straightening", "yaw_flow", "length", "lowest_speed",
        }  # fmt: skip
        found: dict[str, Pattern] = dict.fromkeys(sorted(common), rows("X Y K N"))
        own = {
            "thrust_deduction": "X", "rudder_drag": "X", "hull_share": "Y K N", "hull_position": "N",
            "rudder_position": "K N",
        }  # fmt: skip
        return found | {name: rows(axes) for name, axes in own.items()} | {"nu_r": between({"X Y K N": "u v r"})}
