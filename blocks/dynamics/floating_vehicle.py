"""A floating vehicle from its main dimensions."""

from __future__ import annotations

import numpy as np

from blocks.block import Sizes
from blocks.dynamics.vessel import Vessel
from blocks.dynamics.vessel_6dof import EULER_RATES
from blocks.errors import ParameterError
from blocks.model.calculated import CalculatedParameter
from blocks.model.declare import Parameter, State
from blocks.model.dependence import Sources, between, each, elements, rows, whole
from blocks.model.derived import Derived
from blocks.model.examples import variants
from blocks.signal import BodyVelocity, Pose
from blocks.units import INERTIA, LINEAR_DAMPING, QUADRATIC_DAMPING, STIFFNESS

_HULL = ("length", "breadth", "draught", "water_density")
_RIGID = ("displacement", "radii_of_gyration", "water_density")
_AFLOAT = (
    "length",
    "breadth",
    "centre_of_gravity",
    "water_density",
    "gravity",
    "draught",
    "displacement",
    "hydrostatics",
)


class FloatingVehicle(Vessel):
    """A vehicle afloat in six degrees of freedom, from its main dimensions.

    M ν̇ + f_c + f_d + f_h = τ + τ_d,  M = M_RB + M_A,  f_c as in `Vessel6DOF`,  f_h = G (0, 0, z, φ, θ, 0)
    f_d = D_l ν_r + D_q (|ν_r| ∘ ν_r)
    M_RB = diag(m, m, m, m r_x², m r_y², m r_z²),  m = ρ ∇
    M_A = ρ π T diag(b², a², a b, 0, 0, 0),  a = L/2, b = B/2
    D_q = diag(½ρ C_D(B/L) B T, ½ρ C_D(L/B) L T, ½ρ 1.9 π a b, K_|p|p, M_|q|q, N_|r|r)
    G_33 = ρ g A,  A = π a b,  x_f = a - x_g,  y_f = -y_g
    G_44 = ρ g A (b²/4 + y_f²) + m g GB,  G_55 = ρ g A (a²/4 + x_f²) + m g GB
    G_34 = ρ g A y_f,  G_35 = -ρ g A x_f,  G_45 = -ρ g A x_f y_f,  G symmetric, 0 elsewhere

    L: `length` and B: `breadth` of the water plane, T: `draught`, m; ∇: `displacement`, m³; (x_g, y_g, z_g):
    `centre_of_gravity` in the hull, m, forward from the aft end of the water line, to starboard from the centre line,
    down from the water line; r_x, r_y, r_z: `radii_of_gyration` about axes through it, m; K_|p|p, M_|q|q, N_|r|r:
    `rotational_drag`, N·m·s²; D_l: `linear_damping`, 6×6; ρ: `water_density`, kg/m³; g: `gravity`, m/s². GB = 0 with
    `hydrostatics="water_plane"`, where the metacentre is taken to be as far above the centre of gravity as above that
    of buoyancy; with "metacentric" GB = z_g - T/2, the centre of gravity below that of buoyancy at half the draught.

    The hull under water is taken for an upright elliptical cylinder. C_D of an ellipse goes linearly through 0.22, 0.3,
    0.6, 1.0, 1.6 at breadths across the flow over lengths along it of ⅛, ¼, ½, 1, 2, and stays constant beyond; 1.9
    is that of a plate. Added mass in roll, pitch and yaw is left out, as it is in the source.

    **The body origin is the centre of gravity**: `eta`, `nu` and wrenches refer to it. z = 0, φ = 0, θ = 0 is where the
    vehicle floats at rest, whatever its trim; z is positive below. Valid for small roll and pitch and as long as the
    water plane keeps its size; pitch stops at ±90°. The attitude is held as Euler angles.

    The matrices are there to be looked at: `rigid_body_inertia`, `added_mass`, `mass_matrix`, `quadratic_damping`,
    `stiffness`.

    Raises ParameterError if a dimension is not positive, if the displacement is more than length, breadth and draught
    enclose, or if the centre of gravity is not over the water plane.

    Source: Thomas, Bossens and Tarapore (2021), ASVLite: a high-performance simulator for autonomous surface vehicles,
    and its code, release 1.1, which names DNVGL (2017), RP-N103, tables A-1 and B-1, for added mass and drag and
    Bhattacharyya (1978), Dynamics of Marine Vehicles, for the stiffness. That code has 0.075 N·m·s² for the
    `rotational_drag` of SMARTY, which is the default here; give your own.
    """

    examples = variants(
        {
            "length": 1.2,
            "breadth": 0.8,
            "draught": 0.2,
            "displacement": 0.12,
            "centre_of_gravity": [0.55, 0.03, 0.12],
            "radii_of_gyration": [0.25, 0.3, 0.32],
            "rotational_drag": [3.0, 4.0, 5.0],
            "initial_nu": [0.4, 0.1, -0.1, 0.02, 0.01, 0.05],
        },
        {"hydrostatics": "metacentric", "coriolis": False},
    )

    kernel = "floating_vehicle"
    faults = (
        "the mass matrix is singular: displacement and radii of gyration must be positive",
        "the pitch angle has reached ±90°: a floating vehicle is modelled for small roll and pitch",
    )

    length = Parameter(unit="m", above=0.0, doc="L of the water plane")
    breadth = Parameter(unit="m", above=0.0, doc="B of the water plane")
    draught = Parameter(unit="m", above=0.0, doc="T at rest")
    displacement = Parameter(unit="m^3", above=0.0, doc="∇, volume under water at rest")
    centre_of_gravity = Parameter(
        shape=(3,), unit="m", labels=("x", "y", "z"), doc="from the aft end of the water line: forward, starboard, down"
    )
    radii_of_gyration = Parameter(shape=(3,), unit="m", above=0.0, labels=("x", "y", "z"), doc="r_x, r_y, r_z")
    rotational_drag = Parameter(
        0.075, shape=(3,), unit="N*m*s^2", at_least=0.0, labels=("K", "M", "N"), doc="K_|p|p, M_|q|q, N_|r|r, positive"
    )
    linear_damping = Parameter(
        0.0, shape=(6, 6), unit=LINEAR_DAMPING, usually_at_least=0.0, doc="D_l, of waves made, say"
    )
    hydrostatics = Parameter(
        "water_plane", choices=("water_plane", "metacentric"), doc="what makes the stiffness in roll and pitch"
    )
    coriolis = Parameter(True, doc="Coriolis and centripetal forces f_c")
    water_density = Parameter(1025.0, unit="kg/m^3", above=0.0, doc="ρ")
    gravity = Parameter(9.81, unit="m/s^2", above=0.0, doc="g")

    eta_state = State(Pose, "η of the centre of gravity", depends=EULER_RATES, name="eta")
    nu_state = State(BodyVelocity, "ν of the centre of gravity", name="nu")

    inverse_mass = Derived("M⁻¹", shape=(6, 6), unit=None)
    rigid_body_inertia = CalculatedParameter(shape=(6, 6), unit=INERTIA, doc="M_RB", depends=_RIGID)
    added_mass = CalculatedParameter(shape=(6, 6), unit=INERTIA, doc="M_A", depends=_HULL)
    mass_matrix = CalculatedParameter(
        shape=(6, 6), unit=INERTIA, doc="M = M_RB + M_A", depends=(*_RIGID, "length", "breadth", "draught")
    )
    linear_columns = Derived("D_l, column by column", shape=(6, 6), unit=LINEAR_DAMPING)
    quadratic_damping = CalculatedParameter(
        shape=(6, 6), unit=QUADRATIC_DAMPING, doc="D_q", depends=("rotational_drag", *_HULL)
    )
    stiffness = CalculatedParameter(shape=(6, 6), unit=STIFFNESS, doc="G", depends=_AFLOAT)

    def output_sources(self, output: str, sizes: Sizes) -> Sources | None:
        """The attitude turns the current into body axes, and lifts the hull out of the water."""
        turned = {"eta": elements("phi theta psi")}
        if output == "nu_r":
            tilted = {"eta": between({"u": "theta psi", "v w": "phi theta psi"})}
            return {"current": rows("u v w")} | each("nu") | tilted
        if output == "restoring_force":
            plane = {name: rows("Z K M") for name in ("length", "breadth", "centre_of_gravity")}
            moment = {name: rows("K M") for name in ("draught", "displacement", "hydrostatics")}
            both = {name: rows("Z K M") for name in ("water_density", "gravity")}
            return {"eta": between({"Z K M": "z phi theta"})} | plane | moment | both
        if output == "damping_force":
            hull = {name: rows("X Y Z") for name in ("length", "breadth", "water_density")}
            own = {"draught": rows("X Y"), "rotational_drag": rows("K M N")}
            return turned | whole("current", "nu", "linear_damping") | hull | own
        if output == "coriolis_force":
            moving = {"nu": between({"X K": "v w q r", "Y M": "u w p r", "Z N": "u v p q"})}
            given = whole("coriolis", "displacement", *_HULL) | {"radii_of_gyration": rows("K M N")}
            return turned | whole("current") | moving | given
        if output == "acceleration":
            return self._acceleration_sources("u_dot v_dot w_dot p_dot q_dot r_dot")
        return super().output_sources(output, sizes)

    def state_sources(self, state: str, sizes: Sizes) -> Sources | None:
        """The derivative of ν is the acceleration."""
        return self._acceleration_sources("u v w p q r") if state == "nu" else super().state_sources(state, sizes)

    def _acceleration_sources(self, motions: str) -> Sources:
        """Inertia is diagonal, so what stiffens heave, roll and pitch counts in these alone."""
        u, v, w, p, q, r = motions.split()
        found = {"eta": between({f"{w} {p} {q}": "z phi theta psi", f"{u} {v} {r}": "phi theta psi"})}
        found |= each("force", "disturbance")
        found |= whole("current", "nu", "linear_damping", "coriolis", "displacement", *_HULL)
        found |= {name: rows(f"{w} {p} {q}") for name in ("centre_of_gravity", "gravity")}
        found |= {name: rows(f"{p} {q} {r}") for name in ("radii_of_gyration", "rotational_drag")}
        return found | {"hydrostatics": rows(f"{p} {q}")}

    def validate(self) -> None:
        """What floats is not larger than the box around it, and its weight is over its water plane."""
        box = self.length * self.breadth * self.draught
        if self.displacement > box * (1.0 + 1e-9):
            raise ParameterError(
                f"{self._called()}.displacement is {self.displacement:g} m³, more than length × breadth × draught = "
                f"{box:g} m³: it is a volume in m³, not a mass in kg"
            )
        x, y, _ = np.asarray(self.centre_of_gravity)
        if not 0.0 <= x <= self.length or abs(y) > 0.5 * self.breadth:
            raise ParameterError(
                f"{self._called()}.centre_of_gravity is at x = {x:g} m, y = {y:g} m, off the water plane of "
                f"{self.length:g} m by {self.breadth:g} m: x counts forward from its aft end, y from the centre line"
            )
