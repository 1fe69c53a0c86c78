"""The machinery that takes power from a float."""

from __future__ import annotations

from blocks import Block, Input, Output, Parameter
from blocks.basic.common import NO_LIMIT
from blocks.model.dependence import whole
from blocks.model.derived import Crossing
from blocks.signal import Force, Length, Power, Speed


class PowerTakeOff(Block):
    """A linear power take-off: a damper, and a spring for reactive control, with a limit of its force.

    F = -(c w + k z), within ± F_max,  P = -F w

    z: `position`, m, and w: `velocity` of the float, m/s; c: `damping`, N·s/m; k: `stiffness`, N/m; F_max:
    `force_limit`, N; F: `force` on the float, positive up, N; P: `power` that is taken from it, W.

    k is what tunes: 0 is a damper alone, which takes in power at all times; k < 0 makes the float slower than it is by
    itself, to meet waves longer than its own, and k > 0 faster. A spring gives power back for part of every wave,
    P < 0, and its machinery has to be able to do that.

    In regular waves of frequency ω the power is greatest with c = B(ω) and k = ω² (m + A(ω)) - k_float; with k = 0 it
    is with c = √(B² + (ω (m + A) - k_float/ω)²).

    Raises ParameterError if the damping is negative or the limit not positive.

    Source: Falnes (2002), Ocean Waves and Oscillating Systems, ch. 6; Budal and Falnes (1975), A resonant point
    absorber of ocean-wave power, Nature 256.
    """

    examples = ({"damping": 5e4, "stiffness": -2e5, "force_limit": 3e5},)

    kernel = "power_take_off"
    positional = ("damping", "stiffness")

    position = Input(Length, "z of the float", default=0.0)
    velocity = Input(Speed, "w of the float")
    force = Output(
        Force,
        "F on the float, positive up",
        depends=whole("position", "velocity", "damping", "stiffness", "force_limit"),
        nominal=1e5,
    )
    power = Output(
        Power,
        "P, taken from the float",
        depends=whole("position", "velocity", "damping", "stiffness", "force_limit"),
        nominal=1e5,
    )
    damping = Parameter(unit="N*s/m", at_least=0.0, doc="c")
    stiffness = Parameter(0.0, unit="N/m", doc="k; negative for waves longer than those of resonance")
    force_limit = Parameter(NO_LIMIT, unit="N", above=0.0, doc="F_max")

    limits = Crossing("how far the force is from its limits", shape=(2,), unit="N")
