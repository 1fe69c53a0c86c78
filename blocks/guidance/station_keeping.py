"""Guidance that keeps a vessel near a station."""

from __future__ import annotations

from blocks.block import Block
from blocks.errors import ParameterError
from blocks.model.declare import Input, Output, Parameter, State
from blocks.model.dependence import elements, whole
from blocks.model.derived import Crossing
from blocks.signal import Angle, Length, Number, Pose, Speed

_NEAR = {"eta": elements("x y")} | whole("station")
_MODE = _NEAR | whole("holding", "radius", "outer_radius")


class StationKeeping(Block):
    """Guidance that keeps a vessel near a station: go there, drift, and go there again.

    approach: ψ_d = bearing of the station,  u_d = U min(1, d/Δ), until d ≤ R
    hold:     ψ_d = the heading on arrival,  u_d = 0,             until d ≥ R_o
    d = √((x - x_s)² + (y - y_s)²),  z_d = z_s

    (x, y): of `eta`, m; (x_s, y_s, z_s): `station`, m; d: `distance`, m; R: `radius`, m; R_o: `outer_radius`, m; U:
    `approach_speed`, m/s; Δ: `slow_distance`, m; ψ_d: `heading`, rad; u_d: `speed`, m/s; z_d: `depth`, m; `holding`:
    1 or 0. Adaptive solvers locate the changes.

    For vessels that cannot push sideways, or are to spend no energy while they are near enough. Where all of position
    and heading is to be held, `control.DynamicPositioning` does it.

    Raises ParameterError if the outer radius is not beyond the inner one, or a value is out of range.

    Source: common practice of waypoint loitering with a switching hysteresis; Fossen (2011), Handbook of Marine Craft
    Hydrodynamics and Motion Control, ch. 10 (setpoint regulation and circle of acceptance).
    """

    examples = (
        {"station": [1.0, -2.0, 0.5], "radius": 2.0, "outer_radius": 4.0, "approach_speed": 1.2, "slow_distance": 6.0},
    )

    kernel = "station_keeping"

    eta = Input(Pose, "position and attitude of the vessel")

    heading = Output(
        Angle, "desired heading ψ_d",
        depends={"eta": elements("x y psi")} | whole("station", "holding", "kept_heading"),
    )  # fmt: skip
    speed = Output(Speed, "desired speed u_d", depends=_NEAR | whole("holding", "approach_speed", "slow_distance"))
    depth = Output(Length, "desired depth z_d", feedthrough=False, depends=whole("station"))
    distance = Output(Length, "to the station, d", depends=_NEAR)
    is_holding = Output(Number, "1 while holding, else 0", feedthrough=False, name="holding", depends=whole("holding"))

    station = Parameter(
        0.0, shape=(3,), unit="m", frame="ned", labels=("x", "y", "z"), doc="the station, north, east, down"
    )
    radius = Parameter(unit="m", above=0.0, doc="within which the vessel drifts, R")
    outer_radius = Parameter(unit="m", above=0.0, doc="beyond which it goes back, R_o")
    approach_speed = Parameter(unit="m/s", at_least=0.0, doc="speed U of the approach")
    slow_distance = Parameter(10.0, unit="m", above=0.0, doc="Δ, nearer than which the approach slows down")

    holding = State(Number, "1 while holding", discrete=True, private=True, depends=_MODE)
    kept_heading = State(
        Angle, "the heading on arrival", discrete=True, private=True,
        depends={"eta": elements("x y psi")} | whole("station", "holding", "radius", "kept_heading"),
    )  # fmt: skip

    mode_change = Crossing("distance to the circle at which the mode changes", unit="m")

    def validate(self) -> None:
        if not self.outer_radius > self.radius:
            raise ParameterError(
                f"{self._called()}.outer_radius must be beyond radius, which is {self.radius:g} m, not "
                f"{self.outer_radius:g} m: between them the vessel drifts"
            )
