"""Point vehicles that steer as told, so that what is tested is the guidance alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import pytest

from blocks import Block, Diagram, Input, Output, Parameter, PythonBlock, State
from blocks.signal import Angle, BodyVelocity, Length, Pose, Position, Speed, Velocity


class PointVehicle(PythonBlock, abstract=True):
    """Moves at once with the desired speed and heading through water that flows; dives with a first-order lag.

    The heading of `eta` follows with the time constant `turning`; with `ideal` the path does not wait for it.
    """

    heading = Input(Angle)
    speed = Input(Speed, default=1.0)
    depth = Input(Length, default=0.0)
    current = Input(Velocity, default=0.0)
    eta = Output(Pose, feedthrough=False)
    nu = Output(BodyVelocity, feedthrough=("speed", "current"))
    ideal = Parameter(True)
    turning = Parameter(0.5, unit="s", above=0.0)
    diving = Parameter(1.0, unit="s", above=0.0)
    position = State(Position)
    psi = State(Angle)

    def outputs(self, t: float, states: Mapping, inputs: Mapping) -> Mapping:
        psi = float(states["psi"])
        north, east, _ = inputs["current"]
        u = inputs["speed"] + north * np.cos(psi) + east * np.sin(psi)
        v = -north * np.sin(psi) + east * np.cos(psi)
        return {"eta": [*states["position"], 0.0, 0.0, psi], "nu": [u, v, 0.0, 0.0, 0.0, 0.0]}

    def derivatives(self, t: float, states: Mapping, inputs: Mapping) -> Mapping:
        error = (inputs["heading"] - states["psi"] + np.pi) % (2.0 * np.pi) - np.pi
        psi = inputs["heading"] if self.ideal else states["psi"]
        through_water = [inputs["speed"] * np.cos(psi), inputs["speed"] * np.sin(psi), 0.0]
        rate = np.array(through_water) + inputs["current"]
        rate[2] += (inputs["depth"] - states["position"][2]) / self.diving
        return {"position": rate, "psi": error / self.turning}


@pytest.fixture
def mission() -> Callable[..., Diagram]:
    """A diagram of guidance and a point vehicle, in a current if one is given."""

    def make(guidance: Block, current: Block | None = None, **vehicle: object) -> Diagram:
        diagram = Diagram("mission")
        craft = diagram.add("vehicle", PointVehicle(**vehicle))
        diagram.add("guidance", guidance)
        diagram.connect(craft.eta, guidance.eta)
        if "nu" in guidance.input_ports:
            diagram.connect(craft.nu, guidance.nu)
        for name in ("heading", "speed", "depth"):
            if name in guidance.output_ports:
                diagram.connect(guidance.port(name), craft.input_port(name))
        if current is not None:
            diagram.add("water", current)
            diagram.connect(current.current, craft.current)
        return diagram

    return make


@pytest.fixture
def time_to_approach() -> Callable[[float, float, float, float], float]:
    """How long line of sight takes from one cross-track error to another at constant speed: the closed form.

    dy/dt = -U y/√(Δ² + y²) integrates to U t = F(y_0) - F(y), F(y) = √(Δ² + y²) - Δ ln((Δ + √(Δ² + y²))/|y|).
    """

    def time(begin: float, end: float, speed: float, lookahead: float) -> float:
        def reach(y: float) -> float:
            slant = np.hypot(lookahead, y)
            return float(slant - lookahead * np.log((lookahead + slant) / abs(y)))

        return (reach(begin) - reach(end)) / speed

    return time
