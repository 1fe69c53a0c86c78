"""Signal types: what a port carries. Shape, unit, frame and labels, by the names of Fossen (2021) and SNAME (1950)."""

from __future__ import annotations

from dataclasses import dataclass, field

Dimension = int | str
"""A number, or the name of a size that the block's parameters or its wires decide ("n")."""


@dataclass(frozen=True)
class Signal:
    """The type of a port.

    `unit` is one unit for all elements, one per element, or None where any unit will do. `frame` is the coordinate
    frame ("ned" or "body") or None. `labels` name the elements.
    """

    name: str
    shape: tuple[Dimension, ...] = ()
    unit: str | tuple[str, ...] | None = None
    frame: str | None = None
    labels: tuple[str, ...] = ()
    meanings: tuple[str, ...] = field(default=(), compare=False)
    """Of a number that counts something, such as phases: what each means, from 0."""

    def units(self, width: int) -> tuple[str | None, ...]:
        """The unit of each of `width` elements."""
        if isinstance(self.unit, tuple):
            return self.unit
        return (self.unit,) * width

    def __str__(self) -> str:
        unit = self.unit
        if isinstance(unit, tuple):
            unit = ", ".join(dict.fromkeys(unit))
        shape = "×".join(map(str, self.shape)) if self.shape else None
        return f"{self.name}, {', '.join(part for part in (shape, unit, self.frame) if part)}".rstrip(", ")


Pose = Signal("Pose", (6,), ("m", "m", "m", "rad", "rad", "rad"), "ned", ("x", "y", "z", "phi", "theta", "psi"))
BodyVelocity = Signal(
    "BodyVelocity", (6,), ("m/s", "m/s", "m/s", "rad/s", "rad/s", "rad/s"), "body", ("u", "v", "w", "p", "q", "r")
)
BodyAcceleration = Signal(
    "BodyAcceleration",
    (6,),
    ("m/s^2", "m/s^2", "m/s^2", "rad/s^2", "rad/s^2", "rad/s^2"),
    "body",
    ("u_dot", "v_dot", "w_dot", "p_dot", "q_dot", "r_dot"),
)
Wrench = Signal("Wrench", (6,), ("N", "N", "N", "N*m", "N*m", "N*m"), "body", ("X", "Y", "Z", "K", "M", "N"))
Velocity = Signal("Velocity", (3,), "m/s", "ned", ("north", "east", "down"))
Position = Signal("Position", (3,), "m", "ned", ("x", "y", "z"))
LinearVelocity = Signal("LinearVelocity", (3,), "m/s", "body", ("u", "v", "w"))
SpecificForce = Signal("SpecificForce", (3,), "m/s^2", "body", ("x", "y", "z"))
BodyRate = Signal("BodyRate", (3,), "rad/s", "body", ("p", "q", "r"))
Quaternion = Signal("Quaternion", (4,), "1", None, ("eta", "eps1", "eps2", "eps3"))

Angle = Signal("Angle", unit="rad")
AngularRate = Signal("AngularRate", unit="rad/s")
Length = Signal("Length", unit="m")
Speed = Signal("Speed", unit="m/s")
Force = Signal("Force", unit="N")
Moment = Signal("Moment", unit="N*m")
Power = Signal("Power", unit="W")
Energy = Signal("Energy", unit="J")
Time = Signal("Time", unit="s")
Voltage = Signal("Voltage", unit="V")
Current = Signal("Current", unit="A")
Number = Signal("Number", unit="1")

Forces = Signal("Forces", ("n",), "N")
Revolutions = Signal("Revolutions", ("n",), "rev/s")
Powers = Signal("Powers", ("n",), "W")
Speeds = Signal("Speeds", ("n",), "m/s")
Torques = Signal("Torques", ("n",), "N*m")
Waves = Signal("Waves", (7, "n"), "1", "ned")
"""Components of a sea, a column each: ω, k_north, k_east, k, amplitude, phase, e^(-2kh), in SI."""
AnySignal = Signal("Any", ("n",))
"""Takes whatever it is wired to: the general blocks of `blocks.basic` use it."""
UNKNOWN = Signal("unknown", ("n",))
"""Of ports of which nothing is known, since what they belong to could not be made: goes with everything."""
