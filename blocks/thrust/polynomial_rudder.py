"""Rudder and propeller of a ship by hydrodynamic derivatives."""

from __future__ import annotations

from typing import Any

from blocks.basic.common import NO_LIMIT
from blocks.dynamics.derivative_set import DerivativeSet
from blocks.dynamics.derivatives import AXES, SYSTEMS, DerivativesParameter, Term
from blocks.dynamics.nondimensional import Ship, check_sizes
from blocks.dynamics.polynomial_sources import scaling
from blocks.errors import ParameterError
from blocks.model.declare import Parameter
from blocks.model.dependence import Pattern, Sources, between, rows
from blocks.model.derived import Derived
from blocks.thrust.rudder_gear import RudderGear

_ELSEWHERE = (
    "a rudder has u, v, p, r, the drift angle b, its own angle d, the revolutions n and the flow cc, and ζ as z; added "
    "masses and terms with phi go into the dynamics.PolynomialVessel"
)

_STEERING = ("N_d", "N_ccd")


def _says_the_side(block: Any) -> bool:
    """Whether the set itself says where its rudder turns the ship to."""
    return any(term.name in _STEERING and term.coefficient for term in block.terms_in_words)


class PolynomialRudder(DerivativeSet, RudderGear):
    """What rudder and propeller do to a ship, by hydrodynamic derivatives, and how they follow their commands.

    τ = (X, Y, 0, K, 0, N) of the polynomials in u_r - u_0, v_r, p, r, β, δ and n
    c² = c_uu u_r² + c_un u_r n + c_nn n², not below 0;  β = atan2(v_r, u_r)
    dδ/dt = (δ_c - δ)/T_δ within ±`rate_limit`,  dn/dt = (n_c - n)/T_n

    τ: `force`, N and N·m, 6; δ: `angle`, rad; δ_c: `command` within ±`angle_limit`; n: `speed`, rev/s; n_c:
    `shaft_command` within ±`speed_limit`; both only where the set has n; ν_r: `nu_r`; u_0: `reference_speed`, m/s; T_δ:
    `time_constant`, T_n: `shaft_time_constant`, s; c: speed of the flow at the rudder, m/s, of terms with cc; (c_uu,
    c_un, c_nn): `flow`.

    **Derivatives** are named and scaled as those of a `PolynomialVessel`: Y_d is that of δ, N_ddd of δ³, Y_vvd of v² δ,
    X_un of u n, X_ccdd of c² δ², N_cc|b|b|d| of c² |β| β |δ|. n is divided by U/L in the prime systems, by √(g/L) in
    bis. A set that is published in one takes both blocks, with the same `system`, `length`, `density` and
    `reference_speed`.

    **Signs.** `command` and `angle` are positive for a turn to starboard. Sets are often the other way round, N_d < 0:
    `derivatives_turn_to="port"` takes these as they are published, with -δ.

    **Response** is as of a `Rudder`. If it is not instant the shaft follows too.

    Raises ParameterError for names that mean nothing and terms of fourth order, a depth not above the draught, N_d
    whose sign contradicts `derivatives_turn_to`, or `initial_angle` beyond the limit.

    Sources: Abkowitz (1964), Lectures on ship hydrodynamics - steering and manoeuvrability, HyA report Hy-5; van
    Berlekom and Goddard (1972), Maneuvering of large tankers, Trans. SNAME 80, 264-298 (c, and terms with n).
    """

    examples = (
        {
            "derivatives": {
                "X_dd": -0.4, "X_vd": 0.2, "Y_d": 1.2, "Y_ddd": -0.4, "Y_ud": 0.8, "N_d": -0.7, "N_vvd": -2.0,
            },
            "derivatives_turn_to": "port",
            "system": "prime_I",
            "length": 3.0,
            "reference_speed": 0.8,
            "lowest_speed": 0.3,
            "angle_limit": 0.6,
        },
        {
            "derivatives": {
                "X_un": -0.6, "X_nn": 3.5, "X_ccdd": -0.4, "X_ccbdz": 0.3, "Y_ccd": -0.3, "K_ccd": 0.1, "K_pd": 0.2,
                "N_ccd": 0.2, "N_cc|b|b|d|z": -0.5, "N_|n|n": 0.1, "N_0": 0.02, "N_rd": 0.1,
            },
            "system": "bis",
            "length": 3.0,
            "mass": 110.0,
            "draught": 0.5,
            "water_depth": 1.5,
            "flow": [0.2, 0.6, 3.0],
            "angle_limit": 0.6,
            "speed_limit": 4.0,
            "response": "rate_limited",
            "time_constant": 0.4,
            "rate_limit": 0.3,
            "shaft_time_constant": 2.0,
        },
        {
            "derivatives": {"X_nn": 3.0, "N_und": 2.0, "N_uvd": 1.0},
            "system": "prime_II",
            "length": 3.0,
            "draught": 0.4,
            "angle_limit": 0.6,
            "speed_limit": 4.0,
        },
        {"derivatives": {"N_d": 20.0, "Y_d": -10.0}, "angle_limit": 0.6, "response": "first_order"},
    )  # fmt: skip

    kernels = ("polynomial_rudder", "polynomial_rudder_lag")
    sizes = ("n", "m", "s", "k")
    positional = ("derivatives",)
    faults = ("the depth of the water is not above the draught: the ship is aground",)

    derivatives = DerivativesParameter(("u", "v", "p", "r", "beta", "delta", "n"), _ELSEWHERE, inertia=False, flow=True)
    correction = Parameter(1.0, shape=("k",), doc="factor of each derivative, in the order of the set")
    system = Parameter("SI", choices=SYSTEMS, structural=True, doc="what the derivatives are divided by")
    derivatives_turn_to = Parameter(
        "starboard", choices=("starboard", "port"), structural=_says_the_side,
        doc="where δ > 0 of the derivatives turns the ship to",
    )  # fmt: skip
    length = Parameter(0.0, unit="m", at_least=0.0, doc="L that the derivatives are divided by; not used in SI")
    draught = Parameter(0.0, unit="m", at_least=0.0, doc="T; of prime II and of terms with ζ")
    water_depth = Parameter(NO_LIMIT, unit="m", above=0.0, doc="h; of terms with ζ")
    density = Parameter(1025.0, unit="kg/m^3", above=0.0, doc="of the water ρ; of the prime systems")
    mass = Parameter(0.0, unit="kg", at_least=0.0, doc="m of the ship; of bis")
    reference_speed = Parameter(0.0, unit="m/s", doc="u_0: u of the derivatives is u_r - u_0")
    lowest_speed = Parameter(0.1, unit="m/s", above=0.0, doc="U counts as this at least; of the prime systems")
    flow = Parameter(
        (1.0, 0.0, 0.0),
        shape=(3,),
        unit=("1", "m", "m^2"),
        labels=("c_uu", "c_un", "c_nn"),
        doc="of c², of terms with cc",
    )
    sign = Derived("-1: positive angles of the derivatives turn to port")
    drifting = Derived("1: the drift angle counts")
    turning = Derived("1: revolutions count")
    flowing = Derived("1: the flow counts")
    scales = Derived("length, factor of velocities, and least U; below 0: not divided by U", shape=(3,), unit=None)
    terms = Derived("factors and coefficients of each product", shape=("n", 8), unit=None)

    @property
    def kernel(self) -> str:  # type: ignore[override]
        """Without states if the response is instant."""
        return "polynomial_rudder_lag" if self.lags else "polynomial_rudder"

    @property
    def variables(self) -> set[str]:
        """What the set hangs on."""
        found: set[str] = set()
        for term in self.terms_in_words:
            found |= term.variables | ({"cc"} if term.flow else set())
        return found | ({"n"} if "cc" in found else set())

    @property
    def has_shaft(self) -> bool:
        """Whether the set has revolutions."""
        return "n" in self.variables

    def force_sources(self) -> Sources:
        """By what the derivatives have."""
        angle, shaft = self.angle_sources[0], self.shaft_sources[0]
        named = self._named(list(self.terms_in_words))
        found: dict[str, Pattern] = {}
        if moving := named & {"u", "v", "p", "r"}:  # components are summed together
            found["nu_r"] = between({"X Y K N": " ".join(sorted(moving))})
        found |= {angle: rows("X Y K N")} if "delta" in named else {}
        found |= {shaft: rows("X Y K N")} if "n" in named else {}
        parameters: dict[str, list[str]] = {}
        for axis in AXES:
            terms = [term for term in self.terms_in_words if term.axis == axis]
            own = self._named(terms)
            given = scaling(str(self.system), terms) | own - {"u", "v", "p", "r", "delta", "n"}
            given |= {*self.angle_sources[1:], "derivatives_turn_to"} if "delta" in own else set()
            given |= {*self.shaft_sources[1:]} if "n" in own else set()
            for name in given:
                parameters.setdefault(name, []).append(axis)
        return found | {name: rows(" ".join(axes)) for name, axes in parameters.items()}

    def _named(self, terms: list[Term]) -> set[str]:
        """Velocities, angles and parameters of a component of the force."""
        found = set().union(*(term.variables for term in terms)) if terms else set()
        if any("u" in term.variables for term in terms):
            found |= {"reference_speed"}
        if terms and self.system in ("prime_I", "prime_II"):
            found |= {"u", "v", "lowest_speed"}
        if "beta" in found:
            found = found - {"beta"} | {"u", "v"}
        if any(term.flow for term in terms):
            found |= {"u", "n", "flow"}
        return found

    def validate(self) -> None:
        """The ship has to be afloat, and the rudder turn it the way that is said."""
        super().validate()
        called, values = self._called(), self.values
        ship = Ship(*(float(values[name]) for name in ("mass", "density", "length", "draught")))
        check_sizes(called, str(self.system), ship, self.terms_in_words, float(self.water_depth))
        for term in self.terms_in_words:
            to = "starboard" if term.coefficient > 0.0 else "port"
            if term.name in _STEERING and term.coefficient and to != self.derivatives_turn_to:
                raise ParameterError(
                    f"{called}.derivatives: {term.name} = {term.coefficient:g} turns the ship to {to} with δ > 0: "
                    f'derivatives_turn_to="{to}" is wanted, or the other sign'
                )
