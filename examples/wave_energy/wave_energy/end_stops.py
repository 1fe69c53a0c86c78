"""What ends the stroke of a float."""

from __future__ import annotations

from blocks import Block, Input, Output, Parameter
from blocks.model.dependence import whole
from blocks.model.derived import Crossing
from blocks.signal import Force, Length, Speed


class EndStops(Block):
    """Springs with dampers at both ends of the stroke, which push and never pull.

    F = -max(0, k (z - s) + c w) where z > s,  F = max(0, k (-s - z) - c w) where z < -s,  else 0

    z: `position`, m, and w: `velocity` of the float, m/s; s: `stroke` to either side, m; k: `stiffness`, N/m; c:
    `damping`, N·s/m; F: `force` on the float, positive up, N.

    Raises ParameterError if stroke or stiffness is not positive, or the damping is negative.

    Definition: of this library.
    """

    examples = ({"stroke": 2.0, "stiffness": 2e6, "damping": 1e5},)

    kernel = "end_stops"
    positional = ("stroke", "stiffness", "damping")

    position = Input(Length, "z of the float")
    velocity = Input(Speed, "w of the float", default=0.0)
    force = Output(
        Force,
        "F on the float, positive up",
        depends=whole("position", "velocity", "stroke", "stiffness", "damping"),
        nominal=1e5,
    )
    stroke = Parameter(unit="m", above=0.0, doc="s, from the middle to either end")
    stiffness = Parameter(unit="N/m", above=0.0, doc="k")
    damping = Parameter(0.0, unit="N*s/m", at_least=0.0, doc="c")

    ends = Crossing("how far the float is from the upper and the lower stop", shape=(2,), unit="m")
    pushes = Crossing("the push of the upper and the lower stop, were there no end to it", shape=(2,), unit="N")
