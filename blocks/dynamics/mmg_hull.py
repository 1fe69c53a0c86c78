"""The hull of the MMG standard method: what its vessels with and without roll share."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import ClassVar

import numpy as np

from blocks.basic.common import NO_LIMIT
from blocks.dynamics.nondimensional import LIKELY
from blocks.dynamics.planar import PlanarVessel
from blocks.errors import ParameterError
from blocks.model.calculated import CalculatedParameter
from blocks.model.declare import Parameter
from blocks.model.derived import Derived
from blocks.model.improbable import doubtful
from blocks.problems import Problem
from blocks.units import matrix

SURGE = ("X_vv", "X_vr", "X_rr", "X_vvvv")
SWAY = ("Y_v", "Y_r", "Y_vvv", "Y_vvr", "Y_vrr", "Y_rrr")
YAW = ("N_v", "N_r", "N_vvv", "N_vvr", "N_vrr", "N_rrr")
"""The hydrodynamic derivatives, in the order of the parameters."""

DEEP = 1e9
"""m, from which on the depth has no influence."""

_INERTIA = matrix(("N", "N", "N*m"), ("m/s^2", "m/s^2", "rad/s^2"))
_SHALLOWEST = 1.2
"""Depth over draught; at 1.1 the tanker KVLCC2 has factors of 17 and makes energy at some drift angles."""
_MOST_LINEAR, _MOST_OTHER = 5.0, 50.0
"""Greatest sizes of primes that any hull can have; published ones of ships stay below 0.6 and 3."""
_SLENDER = 0.15
"""The part of π d/L below which Y_v' is of another prime system: 0.31/(π 0.065) is 1.5 for the tanker KVLCC2."""
_CENTRED = 0.1
"""Of the length, from midship, within which centres of gravity of ships are: trim sees to that."""


class MMGHull(PlanarVessel, abstract=True):
    """A ship's hull by the polynomials of the MMG standard method."""

    faults: ClassVar[tuple[str, ...]] = (
        "water_depth must be more than the draught: the ship is aground",
        "breadth is wanted in shallow water, where a water_depth is given",
    )

    length = Parameter(unit="m", above=0.0, doc="L, between perpendiculars")
    draught = Parameter(unit="m", above=0.0, doc="d")
    displacement = Parameter(unit="m^3", above=0.0, doc="∇, displaced volume; the mass is ρ ∇")
    density = Parameter(1025.0, unit="kg/m^3", above=0.0, doc="density of the water ρ")
    centre_of_gravity = Parameter(0.0, unit="m", doc="x_G, forward of midship")
    gyration = Parameter(
        0.25, above=0.0, below=1.0, doc="k_zz/L, radius of gyration in yaw about the centre of gravity"
    )
    added_mass = Parameter(
        shape=(3,), at_least=0.0, labels=("m_x", "m_y", "J_z"), doc="m_x', m_y', J_z', over ½ρL²d, ½ρL²d and ½ρL⁴d"
    )
    resistance = Parameter(at_least=0.0, doc="R_0', resistance straight ahead over ½ρLdU²")
    derivatives_of = Parameter(
        "sway_velocity",
        choices=("sway_velocity", "drift_angle"),
        structural=True,
        doc="whether derivatives are for v', or for β, with the added masses of the turn in X_βr and Y_r",
    )
    surge_derivatives = Parameter(shape=(4,), labels=SURGE, doc="X_vv', X_vr', X_rr', X_vvvv'")
    sway_derivatives = Parameter(shape=(6,), labels=SWAY, doc="Y_v', Y_r', Y_vvv', Y_vvr', Y_vrr', Y_rrr'")
    yaw_derivatives = Parameter(shape=(6,), labels=YAW, doc="N_v', N_r', N_vvv', N_vvr', N_vrr', N_rrr'")
    water_depth = Parameter(NO_LIMIT, unit="m", above=0.0, doc="H, depth of the water; not given: deep")
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
        depends=("length", "draught", "displacement", "water_depth", "breadth"),
    )
    turning = Derived("m_x and m_y in the forces of a turn; 0 where derivatives have them", shape=(2,), unit="kg")
    inverse_mass = Derived("M⁻¹", shape=(3, 3), unit=None)
    hull = Derived("R_0' and the derivatives times ½ρLd, those in yaw times L besides", shape=(17,), unit=None)

    def validate(self) -> None:
        """Primes are those of the MMG standard method, and the ship floats in the water that is there."""
        super().validate()
        self.check_hull()

    def improbable(self) -> Iterator[Problem]:
        """Water so shallow that the corrections run away, and a hull that speeds its own turn up."""
        yield from super().improbable()
        ratio = self.water_depth / self.draught
        if ratio < _SHALLOWEST * (1.0 - 1e-12):
            most = float(np.max(self.depth_factors))
            yield doubtful(
                self,
                "water_depth",
                f" is {ratio:.3g} draughts, and the corrections for shallow water grow without bound below about "
                f"{_SHALLOWEST:g}: the greatest factor of a derivative is {most:.3g}, and the hull may make energy",
                f"a depth of {_SHALLOWEST * self.draught:.3g} m or more",
            )
        yield from self._improbable_signs()
        share = float(np.asarray(self.added_mass)[1]) * 0.5 * self.length**2 * self.draught / self.displacement
        if not LIKELY[0] <= share <= LIKELY[1]:
            yield doubtful(
                self,
                "added_mass",
                f": m_y' is {share:.3g} times the ship's mass, and ships have 0.5 to 1.5",
                f"here it is over ½ρL²d; one over ½ρL³ is to be multiplied by L/d = {self.length / self.draught:.4g}",
            )
        if abs(self.centre_of_gravity) > _CENTRED * self.length:
            yield doubtful(
                self,
                "centre_of_gravity",
                f" is {self.centre_of_gravity:g} m from midship, and ships have theirs within a tenth of the length",
                "it counts forward from midship; from the aft perpendicular it is L/2 more",
            )

    def _improbable_signs(self) -> Iterator[Problem]:
        """A hull that speeds its own turn up, and one whose bow goes back into the flow."""
        n_v, n_r = (float(value) for value in np.asarray(self.yaw_derivatives)[:2])
        if n_r > 0.0:
            yield doubtful(
                self,
                "yaw_derivatives",
                f": N_r' is {n_r:g}, a hull that speeds its own turn up, and hulls resist",
                "look at the signs of the source: its axes may be others",
            )
        name, reversed_sign = ("N_v'", n_v > 0.0) if self.derivatives_of == "sway_velocity" else ("N_β'", n_v < 0.0)
        if reversed_sign:
            yield doubtful(
                self,
                "yaw_derivatives",
                f": {name} is {n_v:g}, a hull that turns its bow into the flow as a weathercock does, and hulls of "
                f"ships turn broadside",
                "look at the signs of the source: its drift angle may count to the other side",
            )

    def check_hull(self) -> None:
        """Raise ParameterError for primes that are none and a ship that is aground."""
        self._check_primes()
        widest = self.length * self.length * self.draught
        if abs(self.centre_of_gravity) >= 0.5 * self.length:
            raise ParameterError(
                f"{self._called()}.centre_of_gravity must be within ±L/2, {0.5 * self.length:g} m, not "
                f"{self.centre_of_gravity:g} m: it is forward of midship; take L/2 off what counts from the aft "
                f"perpendicular"
            )
        if self.displacement > widest:
            raise ParameterError(
                f"{self._called()}.displacement must be at most length² × draught, {widest:.4g} m^3, not "
                f"{self.displacement:.4g} m^3: no ship is wider than long. It is a volume in m^3, not a mass"
            )
        if self.water_depth >= DEEP:
            return
        if self.water_depth <= self.draught:
            raise ParameterError(
                f"{self._called()}.water_depth must be more than the draught, {self.draught:g} m, not "
                f"{self.water_depth:g} m: the ship would be aground. Leave it out in deep water"
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
        """Raise ParameterError for primes with a dimension or of another prime system, and for β where v is said."""
        prime = "hydrodynamic derivatives are dimensionless here, over ½ρLdU² and ½ρL²dU², with v' = v/U and r' = rL/U"
        for name, labels in (("surge_derivatives", SURGE), ("sway_derivatives", SWAY), ("yaw_derivatives", YAW)):
            for label, value in zip(labels, np.asarray(self.values[name]), strict=True):
                most = _MOST_LINEAR if len(label) == 3 else _MOST_OTHER
                if abs(value) > most:
                    raise ParameterError(
                        f"{self._called()}.{name}: {label}' must be within ±{most:g}, not {value:g}: {prime}. Divide "
                        f"what has a dimension by these"
                    )
        for label, value in zip(("m_x", "m_y", "J_z"), np.asarray(self.added_mass), strict=True):
            if value > _MOST_LINEAR:
                raise ParameterError(
                    f"{self._called()}.added_mass: {label}' must be at most {_MOST_LINEAR:g}, not {value:g}: added "
                    f"mass is dimensionless here, over ½ρL²d, and that of yaw over ½ρL⁴d"
                )
        if self.resistance > 1.0:
            raise ParameterError(
                f"{self._called()}.resistance: R_0' must be at most 1, not {self.resistance:g}: {prime}"
            )
        given = float(np.asarray(self.sway_derivatives)[0])
        y_v = given if self.derivatives_of == "sway_velocity" else -given
        if y_v > 0.0:
            name, other, why = (
                ("Y_v' must not be positive", "drift_angle", "sway velocity, which a hull resists")
                if given > 0.0
                else ("Y_β' must not be negative", "sway_velocity", "the drift angle, positive where v < 0")
            )
            raise ParameterError(
                f"{self._called()}.sway_derivatives: {name}, not {given:g}: it is the derivative for {why}. If the "
                f"source's are for the other, derivatives_of is {other}; they differ by the sign of all terms with an "
                f"odd power"
            )
        ratio = self.draught / self.length
        if 0.0 < -y_v < _SLENDER * math.pi * ratio:
            advice = f"Is it over ½ρL²U²? The MMG standard method has ½ρLdU²: multiply by L/d = {1.0 / ratio:.4g}"
            if self.derivatives_of == "drift_angle":
                advice += ". Or is it per degree of β? Multiply by 180/π = 57.3 for each β in its name"
            raise ParameterError(
                f"{self._called()}.sway_derivatives: |{'Y_β' if given > 0.0 else 'Y_v'}'| = {-y_v:g} is far below "
                f"that of any hull with a draught of {ratio:.3g} lengths, about {math.pi * ratio:.3g}. {advice}"
            )
