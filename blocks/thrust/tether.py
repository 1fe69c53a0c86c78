"""The tether of a remotely operated vehicle."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from blocks.basic.common import check_increasing
from blocks.block import Block
from blocks.model.declare import Input, Output, Parameter
from blocks.signal import BodyVelocity, Force, Pose, Position, Signal, Velocity, Wrench

_TopForce = Signal("Force", (3,), "N", "ned", ("north", "east", "down"))


class Tether(Block):
    """The tether of a remotely operated vehicle: drag, weight and tension of a cable without inertia.

    dF = [½ ρ d C_n |v_n| v_n + ½ ρ π d C_t |v_t| v_t + w e_D] dl,  v = v_water - v_cable = v_n + v_t
    F = ∫ s dF - H e,  F_top = ∫ (1 - s) dF + H e
    L (1 + H/(EA)) = c (1 + F_n²/(24 H²))

    F: pull on the vehicle, N, as `force` in body axes, N and N·m, 6; F_top: `top_force`, pull on the other end, north,
    east, down, N, 3; H: `tension` along the chord, N; e: direction of the chord from the top to the vehicle; c: its
    length, m; s: place on it, 0 at the top, 1 at the vehicle; F_n: all load across the chord, N; v_n, v_t: across and
    along it, m/s; d: `diameter`, m; L: `length` paid out, m; EA: `axial_stiffness`, N; C_n, C_t: `normal_drag` and
    `tangential_drag`; w: `weight` in water, N/m, negative if it floats; ρ: `density`.

    **Drag** is Morison's with the parts across and along the cable independent, on `segments` equal parts along the
    chord. Their velocity lies between those of the ends. The water's is `current` times a factor that goes with depth:
    `profile_factors` at `profile_depths`, below the datum of `eta`, straight in between and level outside.

    **Tension** is that of a shallow elastic cable, whose load across the chord bends it to a parabola: small while the
    cable is slack, rising steeply where it comes taut, then Hooke's law. Both ends together hold all that acts on the
    cable. The parabola is within 3 % of the catenary as long as the sag is below a tenth of the chord, L/c < 1.03; with
    more slack H is still of the right size, but a bight that hangs below the vehicle is not described. Inertia of the
    cable and its own oscillations are left out: the cable is where it would come to rest.

    Raises ParameterError if a length, diameter, stiffness or coefficient is out of range, or if depths do not increase.

    Sources: Irvine (1981), Cable Structures, ch. 2 (shallow elastic cable); Morison, O'Brien, Johnson and Schaaf
    (1950), The force exerted by surface waves on piles, Petroleum Transactions 189, and Faltinsen (1990), Sea Loads on
    Ships and Offshore Structures, ch. 8 (drag by parts, and of cables).
    """

    examples = (
        {
            "position": [-0.3, 0.1, -0.2],
            "length": 1.5,
            "diameter": 0.1,
            "weight": 2.0,
            "axial_stiffness": 50.0,
            "tangential_drag": 0.2,
            "segments": 3,
            "profile_depths": [0.0, 0.6, 2.0],
            "profile_factors": [1.0, 0.7, 0.2],
        },
    )

    kernel = "tether"
    sizes = ("m",)
    least_sizes: ClassVar[Mapping[str, int]] = {"m": 2}

    eta = Input(Pose, "η, pose of the vehicle")
    nu = Input(BodyVelocity, "ν, velocity of the vehicle over ground")
    current = Input(Velocity, "velocity of the water, before the profile", default=0.0)
    top = Input(Position, "where the other end is", default=0.0)
    top_velocity = Input(Velocity, "velocity of the other end", default=0.0)

    force = Output(Wrench, "pull on the vehicle about the body origin")
    tension = Output(Force, "H, along the chord", nominal=10.0)
    top_force = Output(_TopForce, "pull on the other end")

    position = Parameter(
        0.0, shape=(3,), unit="m", frame="body", labels=("x", "y", "z"), doc="where the tether holds the vehicle"
    )
    length = Parameter(unit="m", above=0.0, doc="L, paid out")
    diameter = Parameter(unit="m", above=0.0, doc="d")
    weight = Parameter(0.0, unit="N/m", doc="w, in water per length; negative if it floats")
    axial_stiffness = Parameter(1e5, unit="N", above=0.0, doc="EA")
    normal_drag = Parameter(1.2, at_least=0.0, doc="C_n, of the diameter across the flow")
    tangential_drag = Parameter(0.01, at_least=0.0, doc="C_t, of the surface")
    density = Parameter(1025.0, unit="kg/m^3", above=0.0, doc="density of the water ρ")
    segments = Parameter(20, integer=True, at_least=1, at_most=1000, doc="parts on which drag is found")
    profile_depths = Parameter((0.0, 1000.0), shape=("m",), unit="m", doc="increasing depths")
    profile_factors = Parameter((1.0, 1.0), shape=("m",), doc="current at each depth over `current`")

    def validate(self) -> None:
        """Depths that increase."""
        check_increasing(self, "profile_depths", at_least=2)
