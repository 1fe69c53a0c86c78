"""The drag of what stands in the wake of a hull, as a compiled block."""

from blocks import Block, Input, Output, Parameter
from blocks.signal import Force, Speed


class WakeDrag(Block):
    """The drag of an appendage in the wake of a hull: F = k V_A |V_A|, V_A = (1 - w) u.

    u: `u`, speed of the hull, m/s; V_A: of the water past the appendage, m/s; w: `w`, Taylor's wake fraction; k: `k`,
    ½ ρ C_D A, N·s²/m²; F: `force` against the motion, N.

    Source: ITTC (2017), Recommended procedure 7.5-02-03-01.4, 1978 performance prediction method (wake fraction).
    """

    kernel = "wake_drag"

    u = Input(Speed, "speed of the hull")
    force = Output(Force, "F against the motion")
    k = Parameter(60.0, unit="N*s^2/m^2", doc="½ ρ C_D A")
    w = Parameter(0.2, doc="wake fraction")
