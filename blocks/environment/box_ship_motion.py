"""Heave, pitch and roll of a box-shaped ship in waves, in closed form."""

from __future__ import annotations

from typing import ClassVar

from blocks.environment.wave_motion import WaveMotion
from blocks.model.declare import Parameter
from blocks.model.examples import variants


class BoxShipMotion(WaveMotion):
    """Heave, pitch and roll of a ship in waves from her main dimensions, with forward speed, in closed form.

    w = κ (sin σ/σ) P/Q,  θ = i k cos β κ (3 (sin σ - σ cos σ)/σ³) P/Q
    P = 1 - k T - i D/|α|,  Q = 1 - 2 k T α² - i D sgn α,  D = A²/(k B_e α²),  A = 2 sin(k B_e α²/2) e^(-k T α²)
    φ = -i k sin β (sin σ/σ) (3 (sin s - s cos s)/s³)/(1 - (ω_e/ω_4)² - 2 i ζ ω_e/ω_4),  s = (k B/2) sin β
    σ = (k L/2) cos β,  κ = e^(-|k cos β| T),  α = ω_e/ω,  B_e = C_B B,  ω_4 = 2π/T_4

    w: heave, positive **up**, so that the third of `eta_w` is -w; θ: pitch, bow up; φ: roll, starboard down; each times
    a e^iθ of the wave, see `WaveMotion`; k: wave number, rad/m; ω, ω_e: frequency of the wave and of encounter, rad/s,
    with the speed of `nu`; β: where the wave travels to, seen from the bow, rad; L: `length`, B: `breadth`,
    T: `draught`, m; C_B: `block_coefficient`; T_4: `roll_period`, s; ζ: `roll_damping`, relative to critical. Surge,
    sway and yaw are zero. In waves of any length heave, pitch and roll tend to the elevation and the slopes as the
    waves grow long.

    **Heave and pitch** are those of Jensen, Mansour and Olsen for a homogeneously loaded box: sectional added mass
    equal to the displaced mass, damping from the wave amplitude A of a section, both from strip theory, uncoupled, in
    deep water. Their amplitudes are as printed, with the Smith factor of the effective wave number; the phases are
    those of the two terms of the excitation, of which they print the size, √((1 - k T)² + (A²/(k B α³))²). When the
    ship overtakes the waves, ω_e < 0, the damping keeps its sign.

    **Roll** is one oscillator in the slope of the waves, averaged over the water plane. The paper's roll takes its
    excitation from a fit of the damping of sections, which could not be had from the paper and is left out. MSS
    (waveresponse345.m) leaves out the amplitude of the wave in roll.

    For preliminary design, in deep water.

    Raises ParameterError if a dimension or the period is not positive, or another number out of range.

    Source: Jensen, Mansour and Olsen (2004), Estimation of ship motions using closed-form expressions, Ocean
    Engineering 31(1), 61-85, as in MSS (waveresponse345.m) and NetSSE, of which the latter has e^(-k T) for κ; roll:
    definition of this library.
    """

    examples = variants(
        {
            "length": 82.8,
            "breadth": 19.2,
            "draught": 6.0,
            "block_coefficient": 0.65,
            "roll_period": 11.0,
            "roll_damping": 0.1,
        },
        {"length": 3.0, "breadth": 1.2, "draught": 0.3, "roll_period": 2.0},
    )

    kernel = "box_ship_motion"

    length = Parameter(unit="m", above=0.0, doc="L, on the water line")
    breadth = Parameter(unit="m", above=0.0, doc="B")
    draught = Parameter(unit="m", above=0.0, doc="T")
    block_coefficient = Parameter(1.0, above=0.0, at_most=1.0, doc="C_B, by which the breadth is reduced")
    roll_period = Parameter(unit="s", above=0.0, doc="T_4, natural period of roll")
    roll_damping = Parameter(0.1, above=0.0, at_most=1.0, doc="ζ, of roll, relative to critical damping")

    moved: ClassVar[str] = "heave roll pitch"
    tables: ClassVar[dict[str, str]] = {
        "length": "heave roll pitch",
        "breadth": "heave roll pitch",
        "draught": "heave pitch",
        "block_coefficient": "heave pitch",
        "roll_period": "roll",
        "roll_damping": "roll",
    }
    number_counts: ClassVar[str] = "heave pitch"
    speed_counts: ClassVar[bool] = True
