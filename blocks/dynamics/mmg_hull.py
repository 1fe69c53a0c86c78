"""The hull of the MMG standard method: what its vessels with and without roll share."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from blocks.dynamics.planar import PlanarVessel
from blocks.errors import ParameterError
from blocks.model.calculated import CalculatedParameter
from blocks.model.declare import Parameter
from blocks.model.derived import Derived
from blocks.units import matrix

SURGE = ("X_vv", "X_vr", "X_rr", "X_vvvv")
SWAY = ("Y_v", "Y_r", "Y_vvv", "Y_vvr", "Y_vrr", "Y_rrr")
YAW = ("N_v", "N_r", "N_vvv", "N_vvr", "N_vrr", "N_rrr")
"""The hydrodynamic derivatives, in the order of the parameters."""

DEEP = 1e9
"""m, from which on the depth has no influence."""

_INERTIA = matrix(("N", "N", "N*m"), ("m/s^2", "m/s^2", "rad/s^2"))
_MOST_LINEAR, _MOST_OTHER = 5.0, 50.0
"""Greatest sizes of primes that any hull can have; published ones of ships stay below 0.6 and 3."""
_SLENDER = 0.15
"""The part of π d/L below which Y_v' is of another prime system: 0.31/(π 0.065) is 1.5 for the tanker KVLCC2."""


class MMGHull(PlanarVessel, abstract=True):
    """A ship's hull by the polynomials of the MMG standard method."""

    faults: ClassVar[tuple[str, ...]] = (
        "depth must be more than the draught: the ship is aground",
        "breadth is wanted in shallow water, where a depth is given",
    )

    length = Parameter(unit="m", above=0.0, doc="L, between perpendiculars")
    draught = Parameter(unit="m", above=0.0, doc="d")
    displacement = Parameter(unit="m^3", above=0.0, doc="∇, displaced volume; the mass is ρ ∇")
    density = Parameter(1025.0, unit="kg/m^3", above=0.0, doc="density of the water ρ")
    centre_of_gravity = Parameter(0.0, unit="m", doc="x_G, forward of midship")
    gyration = Parameter(0.25, above=0.0, doc="k_zz/L, radius of gyration in yaw about the centre of gravity")
    added_mass = Parameter(
        shape=(3,), at_least=0.0, labels=("m_x", "m_y", "J_z"), doc="m_x', m_y', J_z', over ½ρL²d, ½ρL²d and ½ρL⁴d"
    )
    resistance = Parameter(at_least=0.0, doc="R_0', resistance straight ahead over ½ρLdU²")
    surge_derivatives = Parameter(shape=(4,), labels=SURGE, doc="X_vv', X_vr', X_rr', X_vvvv'")
    sway_derivatives = Parameter(shape=(6,), labels=SWAY, doc="Y_v', Y_r', Y_vvv', Y_vvr', Y_vrr', Y_rrr'")
    yaw_derivatives = Parameter(shape=(6,), labels=YAW, doc="N_v', N_r', N_vvv', N_vvr', N_vrr', N_rrr'")
    depth = Parameter(1e300, unit="m", above=0.0, doc="H, depth of the water; 1e300: deep")
    breadth = Parameter(0.0, unit="m", at_least=0.0, doc="B, wanted in shallow water only")

    mass_matrix = CalculatedParameter(
        shape=(3, 3),
        unit=_INERTIA,
        doc="M = M_RB + M_A in surge, sway and yaw",
        depends=("length", "draught", "displacement", "density", "centre_of_gravity", "gyration", "added_mass"),
    )
    depth_factors = CalculatedParameter(
        shape=(16,),
        labels=(*SURGE, *SWAY, *YAW),
        doc="by which each derivative is multiplied in this depth",
        depends=("length", "draught", "displacement", "depth", "breadth"),
    )
    inverse_mass = Derived("M⁻¹", shape=(3, 3), unit=None)
    hull = Derived("R_0' and the derivatives times ½ρLd, those in yaw times L besides", shape=(17,), unit=None)

    def validate(self) -> None:
        """Primes are those of the MMG standard method, and the ship floats in the water that is there."""
        super().validate()
        self.check_hull()

    def check_hull(self) -> None:
        """Raise ParameterError for primes that are none and a ship that is aground."""
        self._check_primes()
        if self.depth >= DEEP:
            return
        if self.depth <= self.draught:
            raise ParameterError(
                f"{self._called()}.depth must be more than the draught, {self.draught:g} m, not {self.depth:g} m: the "
                f"ship would be aground. Leave depth out in deep water"
            )
        if self.breadth == 0.0:
            raise ParameterError(
                f"{self._called()}.breadth, in m, is wanted in shallow water: corrections for the depth go by the "
                f"block coefficient and by breadth over draught"
            )
        block = self.displacement / (self.length * self.breadth * self.draught)
        if not 0.2 < block <= 1.0:
            raise ParameterError(
                f"{self._called()}: displacement over length × breadth × draught, the block coefficient, is "
                f"{block:.3g}; ships have 0.4 to 0.9: one of them is wrong"
            )

    def _check_primes(self) -> None:
        """Raise ParameterError for derivatives with a dimension, of another prime system, or of β instead of v."""
        prime = "hydrodynamic derivatives are dimensionless here, over ½ρLdU² and ½ρL²dU², with v' = v/U and r' = rL/U"
        for name, labels in (("surge_derivatives", SURGE), ("sway_derivatives", SWAY), ("yaw_derivatives", YAW)):
            for label, value in zip(labels, np.asarray(self.values[name]), strict=True):
                most = _MOST_LINEAR if len(label) == 3 else _MOST_OTHER
                if abs(value) > most:
                    raise ParameterError(
                        f"{self._called()}.{name}: {label}' must be within ±{most:g}, not {value:g}: {prime}. Divide "
                        f"what has a dimension by these"
                    )
        if self.resistance > 1.0:
            raise ParameterError(
                f"{self._called()}.resistance: R_0' must be at most 1, not {self.resistance:g}: {prime}"
            )
        y_v = float(np.asarray(self.sway_derivatives)[0])
        if y_v > 0.0:
            raise ParameterError(
                f"{self._called()}.sway_derivatives: Y_v' must not be positive, not {y_v:g}: it is the derivative for "
                f"sway velocity, which a hull resists. Derivatives for the drift angle, Y_β', have the other sign in "
                f"all terms with an odd power of β"
            )
        ratio = self.draught / self.length
        if 0.0 < -y_v < _SLENDER * math.pi * ratio:
            raise ParameterError(
                f"{self._called()}.sway_derivatives: Y_v' = {y_v:g} is far below that of any hull with a draught of "
                f"{ratio:.3g} lengths, about {-math.pi * ratio:.3g}. Is it over ½ρL²U²? The MMG standard method has "
                f"½ρLdU²: multiply by L/d = {1.0 / ratio:.4g}"
            )
