"""Ships by hydrodynamic derivatives: Abkowitz's polynomials, in three or four degrees of freedom."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from blocks.basic.common import NO_LIMIT
from blocks.block import Sizes
from blocks.dynamics.derivative_set import DerivativeSet
from blocks.dynamics.derivatives import SYSTEMS, DerivativesParameter
from blocks.dynamics.inertia import check_inertia
from blocks.dynamics.nondimensional import Ship, check_signs, check_sizes, check_system, inertia_of
from blocks.dynamics.polynomial_sources import VesselSources
from blocks.dynamics.vessel import Vessel
from blocks.errors import ParameterError
from blocks.model.declare import Parameter, State
from blocks.model.dependence import Sources
from blocks.model.derived import Derived
from blocks.model.examples import variants
from blocks.model.improbable import doubtful
from blocks.problems import Problem
from blocks.signal import BodyVelocity, Pose

_MOTIONS = ("surge", "sway", "roll", "yaw")
_RESISTING = frozenset(
    f"{force}_{speed}{motion}" for force, motion in ("Yv", "Nr", "Kp") for speed in ("", "u", "|u|", f"|{motion}|")
)
"""Derivatives that are negative for every hull. Those of sets about a speed, such as Y_uv beside Y_v, are so, too."""
_ELSEWHERE = (
    "a hull has u, v, p, r and phi, and ζ as z; terms with the rudder angle, the revolutions or the flow at the rudder "
    "go into a thrust.PolynomialRudder"
)


class PolynomialVessel(DerivativeSet, Vessel):
    """A ship by hydrodynamic derivatives, any set to third order: surge, sway and yaw, and roll where the set has it.

    M ν̇ + f_c + f_d + f_h = τ + τ_d,  ν = (u, v, p, r),  M = M_RB + M_A
    M_RB = [m, 0, 0, 0; 0, m, -m z_g, m x_g; 0, -m z_g, I_x, 0; 0, m x_g, 0, I_z]
    f_d = -(X, Y, K, N) of the polynomials in u_r - u_0, v_r, p, r and φ
    f_c = m (-v_r r - x_g r² + z_g p r, u_r r, -z_g u_r r, x_g u_r r) - M ν̇_c
    f_h = (0, 0, m g GM φ, 0)
    ẋ = u cos ψ - w sin ψ,  ẏ = u sin ψ + w cos ψ,  w = v cos φ + a sin² φ,  φ̇ = p,  ψ̇ = r cos φ

    ν: of `nu`, m/s and rad/s; m: `mass`, kg; I_x, I_z: `roll_inertia` and `yaw_inertia` about the body origin, kg·m²;
    (x_g, z_g): `centre_of_gravity`, m; M_A: of the derivatives X_udot, Y_vdot, …, with their signs turned; u_0:
    `reference_speed`, m/s; GM: `metacentric_height`, m; ν_r = ν - ν_c, ν_c: the steady `current` in body axes, a:
    across the heading, horizontally, m/s. Ports and states have six elements as those of all vessels. A set rolls if it
    has K, p or phi; otherwise φ = p = 0.

    **Derivatives.** A name is X, Y, K or N and the product that the coefficient is multiplied by: X_uu is that of
    (u_r - u_0)², N_|v|r that of |v_r| r, Y_0 a constant, Y_vdot that of v̇. Factorials of the Taylor series are in the
    coefficients. What each is divided by says `system`: nothing ("SI"); U = √(u_r² + v_r²), L and ρ/2 ("prime_I":
    forces by ρ/2 L² U²; "prime_II": by ρ/2 L T U²; moments by L times that), or m, L and g ("bis": forces by m g,
    velocities by √(g L)). U counts as `lowest_speed` at least: sets in Δu = u_r - u_0 hold near the speed u_0 that they
    were measured at. X_uu without a u_0 pushes a ship on that goes astern; X_u|u| is the same ahead, and does not.

    **Shallow water.** Terms with z are multiplied by ζ = T/(h - T), T: `draught`, h: `water_depth`, m; Y_uvzz by ζ²,
    Y_uv(z-0.8) by ζ - 0.8 where that is positive.

    **Corrections.** Each derivative is multiplied by an element of `correction`, in the order of the set: numbers to be
    varied, studied and identified; `vessel.correction_of("Y_v")` names the one of Y_v.

    **Coriolis.** Published sets often contain the terms of mass, in X_vr, Y_ur, N_ur: `coriolis=False` leaves them out
    of f_c. Those of added mass are derivatives in any case.

    **Roll.** The righting moment is linear, GZ = GM φ; what a curve has beyond that is K_phiphiphi. Axes roll with the
    ship, which keeps its draught and trim.

    Raises ParameterError for names that mean nothing, terms of fourth order, added mass with a positive sign, a set
    that fits another system, a depth not above the draught, and M that is not positive definite.

    Sources: Abkowitz (1964), Lectures on ship hydrodynamics - steering and manoeuvrability, HyA report Hy-5; Fossen
    (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, 2nd ed., sec. 6.5 and app. on prime and bis
    systems; ζ: van Berlekom and Goddard (1972), Maneuvering of large tankers, Trans. SNAME 80, 264-298.
    """

    examples = variants(
        {
            "derivatives": {
                "X_udot": -0.0004, "Y_vdot": -0.0075, "Y_rdot": -0.0001, "N_vdot": 0.00005, "N_rdot": -0.0004,
                "X_u": -0.0018, "X_uu": -0.001, "X_vr": 0.005, "X_vv": -0.009, "X_rrr": 0.0004, "Y_v": -0.0116,
                "Y_r": 0.003, "Y_vvv": -0.08, "Y_vvr": 0.15, "Y_uv": -0.012, "N_v": -0.0026, "N_r": -0.0018,
                "N_|v|r": -0.004, "N_uv": -0.003,
            },
            "system": "prime_I",
            "length": 3.0,
            "reference_speed": 1.2,
            "lowest_speed": 0.3,
            "mass": 110.0,
            "yaw_inertia": 60.0,
            "centre_of_gravity": [-0.07, 0.0],
        },
        {"coriolis": False},
        {
            "system": "prime_II",
            "draught": 1.5,
            "water_depth": 4.0,
            "roll_inertia": 9.0,
            "centre_of_gravity": [-0.07, -0.05],
            "metacentric_height": 0.2,
            "derivatives": {
                "X_udot": -0.0004, "X_udotz": -0.0003, "Y_vdot": -0.0075, "Y_vdotz": -0.001, "K_pdot": -0.0001,
                "N_vdotz": 0.0001, "N_rdot": -0.0004, "K_vdotz": 0.0001, "X_uuz": -0.001, "X_v|r|p": 0.005,
                "X_phi": 0.001, "Y_uvz": -0.0116, "Y_rphi": 0.003, "Y_p": 0.001, "K_v": 0.002, "K_ur": -0.003,
                "K_p": -0.001, "K_phiphiphi": -0.002, "K_uvz": 0.002, "N_v": -0.0026, "N_r": -0.0018,
                "N_phi|p|": -0.004, "N_uv(z-0.1)": -0.003,
            },
        },
        {
            "system": "bis",
            "derivatives": {"Y_vdot": -1.0, "X_uu": -0.04, "Y_uv": -1.2, "N_ur": -0.3, "N_uv": -0.4, "N_rdot": -0.05},
        },
        {
            "system": "SI",
            "length": 0.0,
            "derivatives": {"X_|u|u": -8.0, "Y_|u|v": -30.0, "N_|u|r": -40.0, "K_|p|": 3.0, "K_uv": 2.0, "K_|r|p": -1},
            "roll_inertia": 9.0,
        },
    )  # fmt: skip

    kernel = "polynomial_vessel"
    sizes = ("n", "m", "s", "k")
    positional = ("derivatives",)
    faults = (
        "mass, inertia and the derivatives make a singular mass matrix: every motion needs a positive inertia",
        "the depth of the water is not above the draught: the ship is aground",
    )

    derivatives = DerivativesParameter(("u", "v", "p", "r", "phi"), _ELSEWHERE, inertia=True, flow=False)
    correction = Parameter(1.0, shape=("k",), doc="factor of each derivative, in the order of the set")
    system = Parameter("SI", choices=SYSTEMS, structural=True, doc="what the derivatives are divided by")
    mass = Parameter(unit="kg", above=0.0, doc="m")
    roll_inertia = Parameter(0.0, unit="kg*m^2", at_least=0.0, doc="I_x about the body origin; of sets that roll")
    yaw_inertia = Parameter(unit="kg*m^2", above=0.0, doc="I_z about the body origin")
    centre_of_gravity = Parameter(0.0, shape=(2,), unit="m", frame="body", labels=("x", "z"), doc="(x_g, z_g)")
    metacentric_height = Parameter(0.0, unit="m", doc="GM, transverse; of sets that roll")
    length = Parameter(0.0, unit="m", at_least=0.0, doc="L that the derivatives are divided by; not used in SI")
    draught = Parameter(0.0, unit="m", at_least=0.0, doc="T; of prime II and of terms with ζ")
    water_depth = Parameter(NO_LIMIT, unit="m", above=0.0, doc="h; of terms with ζ")
    density = Parameter(1025.0, unit="kg/m^3", above=0.0, doc="of the water ρ; of the prime systems")
    reference_speed = Parameter(0.0, unit="m/s", doc="u_0: u of the derivatives is u_r - u_0")
    lowest_speed = Parameter(0.1, unit="m/s", above=0.0, doc="U counts as this at least; of the prime systems")
    coriolis = Parameter(True, doc="forces of the turning mass, f_c; false: the derivatives have them")

    eta_state = State(Pose, "η; depth and pitch stay what they are", name="eta")
    nu_state = State(BodyVelocity, "ν; heave velocity and pitch rate are 0", name="nu")

    inverse_mass = Derived("M⁻¹ of surge, sway, roll and yaw", shape=(4, 4), unit=None)
    carried = Derived("columns of M for surge and sway", shape=(4, 2), unit=None)
    turning = Derived("m, m x_g and m z_g; 0 if the derivatives have them", shape=(3,), unit=None)
    righting = Derived("m g GM", unit="N*m")
    rolls = Derived("1: it rolls, 0: it does not")
    scales = Derived("length, factor of velocities, and least U; below 0: not divided by U", shape=(3,), unit=None)
    terms = Derived("factors and coefficients of each product", shape=("m", 8), unit=None)

    @property
    def has_roll(self) -> bool:
        """Whether the set rolls."""
        return any(
            term.axis == "K" or term.variables & {"p", "phi"} or term.acceleration == "p"
            for term in self.terms_in_words
        )

    @property
    def _sources(self) -> VesselSources:
        return VesselSources(self.terms_in_words, self.has_roll, str(self.values["system"]))

    def feedthrough(self, output: str) -> tuple[str, ...]:
        """A current counts where velocities do."""
        return self._sources.feedthrough(output, super().feedthrough(output))

    def output_sources(self, output: str, sizes: Sizes) -> Sources | None:
        """By what the derivatives have."""
        return self._sources.of_output(output)

    def state_sources(self, state: str, sizes: Sizes) -> Sources | None:
        """The derivative of ν is the acceleration."""
        return self._sources.of_state(state)

    def improbable(self) -> Iterator[Problem]:
        """A ship that rolls, and that nothing rights; derivatives that drive what they should resist."""
        yield from super().improbable()
        righted = any(term.axis == "K" and "phi" in term.variables for term in self.terms_in_words)
        if self.has_roll and (self.metacentric_height < 0.0 or not (self.metacentric_height or righted)):
            nothing = "" if righted else ", and no derivative in K has phi"
            yield doubtful(
                self,
                "metacentric_height",
                f" is {self.metacentric_height:g} m{nothing}: a ship that heels does not come upright",
                "GM, transverse, of the loading condition",
            )
        for term in self.terms_in_words:
            if term.name in _RESISTING and term.coefficient > 0.0:
                yield doubtful(
                    self,
                    "derivatives",
                    f": {term.name} = {term.coefficient:g} drives the motion that it goes with, and hulls resist",
                    "look at the signs of the source: its axes may be others",
                )
        if not any(term.name == "Y_vdot" for term in self.terms_in_words):
            yield doubtful(
                self,
                "derivatives",
                " have no Y_vdot: the added mass in sway is 0, and ships have 0.5 to 1.5 times their mass",
                "the source may give it as m_y or with the mass; Y_vdot is -m_y",
            )

    def validate(self) -> None:
        """The set has to be that of a ship, in its system, afloat and upright."""
        values: dict[str, Any] = self.values
        called, terms, system = self._called(), self.terms_in_words, str(values["system"])
        ship = Ship(*(float(values[name]) for name in ("mass", "density", "length", "draught")))
        check_sizes(called, system, ship, terms, float(values["water_depth"]))
        check_signs(called, terms)
        check_system(called, system, ship, terms)
        rolls = self.has_roll
        matrix = np.array(inertia_of(values, terms, rolls))
        kept = [i for i in range(4) if rolls or i != 2]
        what = f"the mass matrix from {called}.mass, inertias, centre_of_gravity and derivatives"
        check_inertia(matrix[np.ix_(kept, kept)], what, tuple(_MOTIONS[i] for i in kept))
        nu, eta = np.asarray(values["initial_nu"]), np.asarray(values["initial_eta"])
        still = {"initial_nu": ("w, q", nu[[2, 4]]), "initial_eta": ("theta", eta[4:5])}
        if not rolls:
            still = {"initial_nu": ("w, p, q", nu[2:5]), "initial_eta": ("phi, theta", eta[3:5])}
        for name, (labels, given) in still.items():
            if np.any(given):
                kind = "a ship on its draught and trim" if rolls else "a ship whose derivatives know no roll"
                raise ParameterError(
                    f"{called}.{name}: {kind} has {labels} = 0, not {', '.join(f'{v:g}' for v in given)}"
                )
