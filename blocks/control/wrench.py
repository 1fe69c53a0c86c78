"""Six forces and moments as one wrench."""

from __future__ import annotations

from blocks.block import Block
from blocks.model.declare import Input, Output
from blocks.model.dependence import rows
from blocks.signal import Force, Moment, Wrench


class ComposeWrench(Block):
    """The wrench τ = (X, Y, Z, K, M, N) from its components, as separate controllers of surge, depth and heading give
    them. What is not connected is 0.

    X, Y, Z: forces forward, to starboard and down, N; K, M, N: moments in roll, pitch and yaw, N m; `force`: τ, 6, in
    body axes, at their origin.

    Source: SNAME (1950), Nomenclature for Treating the Motion of a Submerged Body Through a Fluid (notation).
    """

    kernel = "compose_wrench"
    concatenates = True

    X = Input(Force, "surge force, forward", default=0.0)
    Y = Input(Force, "sway force, to starboard", default=0.0)
    Z = Input(Force, "heave force, down", default=0.0)
    K = Input(Moment, "roll moment", default=0.0)
    M = Input(Moment, "pitch moment", default=0.0)
    N = Input(Moment, "yaw moment", default=0.0)
    force = Output(Wrench, "all six together", depends={name: rows(name) for name in Wrench.labels})
