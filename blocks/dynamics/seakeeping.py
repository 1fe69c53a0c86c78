"""The vessel in waves: Cummins' equation, with the memory of the water as damped oscillators."""

from __future__ import annotations

import numpy as np

from blocks.block import Sizes
from blocks.dynamics.conditions import parts_no_waves, parts_waves
from blocks.dynamics.inertia import check_dissipation
from blocks.dynamics.vessel_6dof import Vessel6DOF
from blocks.errors import ParameterError
from blocks.model.calculated import CalculatedParameter
from blocks.model.declare import AT_START, Output, Parameter, State
from blocks.model.dependence import Pattern, Sources, between, each, elements, rows, whole
from blocks.model.derived import Derived
from blocks.model.examples import variants
from blocks.signal import BodyVelocity, Signal, Wrench
from blocks.units import INERTIA

_MEMORY = ("memory_displacement", "memory_velocity", "memory_coupling")
_TURNING = between({"X": "q r", "Y": "p r", "Z": "p q", "K": "v w q r", "M": "u w p r", "N": "u v p q"})
"""The velocities with which each component of momentum turns and moves."""
_TURNED = between({"X": "v w", "Y": "u w", "Z": "u v", "K": "v w q r", "M": "u w p r", "N": "u v p q"})
"""And the components of momentum, by the velocities that go with them."""


class SeakeepingVessel(Vessel6DOF):
    """A vessel that makes waves: a `Vessel6DOF` whose water remembers how it moved (Cummins' equation).

    M ν̇ + f_c + f_d + f_h + f_m = τ + τ_d,  M = M_RB + A_∞
    f_m = μ + (ω × a, v_r × a + ω × b),  (a, b) = Bᵀ y,  μ = Bᵀ ẏ
    ÿ + D ẏ + Ω² y = B ν_r

    A_∞: `added_mass`, that of infinite frequency, 6×6; y, ẏ: states of n damped oscillators, √kg·m and √kg·m/s, which
    stand for the waves that are still about; Ω: `memory_frequencies`, rad/s, n; D:
    `memory_damping`, 1/s, n×n; B: `memory_coupling`, √kg/s and √kg·m/s, n×6; `memory_force`: f_m, N and N·m. M_RB, ν =
    (v, ω), ν_r = (v_r, ω) and f_c, f_d, f_h are as in `Vessel6DOF`: damping that does not remember, such as that of
    viscous roll, stands in `linear_damping` and `quadratic_damping`, and the restoring of the water plane in
    `stiffness`.

    **Memory.** μ is the convolution ∫ K(t - t') ν_r(t') dt' with the retardation functions whose transform is

    K(iω) = iω Bᵀ (Ω² - ω² + iω D)⁻¹ B = B_rad(ω) + iω (A(ω) - A_∞)

    so that it has added mass A and radiation damping B_rad of potential theory at all frequencies at once, with the
    zero at ω = 0 and the fall with 1/ω that these have. As ẏᵀDẏ is never negative, waves take energy and never give
    more back than they have: ½ ẏᵀẏ + ½ yᵀΩ²y is stored, ẏᵀDẏ leaves. `blocks.hydro.fit_memory` finds the
    oscillators from A(ω) and B_rad(ω). A(0) is `zero_frequency_added_mass`.

    **Forward speed.** A_∞ ν_r + Bᵀ y is the momentum of the water, and the body's axes turn and move in it, which is
    what f_c and f_m have beside M_A ν̇ and μ. At low frequency that is manoeuvring with A(0), and the same block turns,
    stops and drifts. To first order about a speed U, with axes that go along, it is strip theory's dependence on speed
    without terms of the stern:

    A_35 = A⁰_35 - U B⁰_33/ω²,  B_35 = B⁰_35 + U A⁰_33,  A_55 = A⁰_55 + U² A⁰_33/ω², …

    so that A and B_rad of zero speed do for all speeds. f_m does no work but by μ.

    **Slow motion.** Products of motions are a mean force in waves, too, a part of the second order that is wrong
    without the rest; the mean drift of a `WaveForceRAO` has the whole. With a time T, `slow_motion_time`, s, they are
    those of a manoeuvre alone: from f_c + f_m goes

    (δ_ω × a, δ_v × a + δ_ω × b),  (a, b) = M δ + σ
    δ̇ = ν̇_r - δ/T,  σ̇ = Bᵀ ẏ - σ/T

    where δ = (δ_v, δ_ω) and σ are what ν_r and Bᵀ y have besides their averages over T, those of first-order filters:
    12 more states, zero at the start. Steady motion stays as it is, and response and stability about it, speed
    included, as all is there that is linear in δ and σ. Of the mean force of waves 1/(1 + ω²T²) stays: 2.5 % with T
    their period as the vessel meets them, 0.6 % with twice that; what changes slower than T is a manoeuvre. f_c and f_m
    may then do work of second order. T = 0: all products are there. With `coriolis=False` none is: f_c = 0 and f_m = μ,
    without Munk's moment of a current and without terms of U.

    **Start.** With `initial_memory="steady"` the water is as if the vessel had had its initial u, v and r for long, so
    that way is not lost by making it; heave, roll and pitch begin at that moment. With "still" all begins then: a
    vessel that is set going so loses the part (M_RB + A(0))⁻¹ (A(0) - A_∞) of its velocity to the water.

    Excitation comes in by `disturbance`, from a `WaveForceRAO`. For small motions; G e is as in `Vessel6DOF`.

    Raises ParameterError if M_RB + A_∞ is singular or not positive definite, if ẏᵀDẏ could be negative, or
    if the numbers of oscillators differ.

    Source: Cummins (1962), The impulse response function and ship motions, Schiffstechnik 9; Ogilvie (1964), Recent
    progress toward the understanding and prediction of ship motions, 5th Symp. on Naval Hydrodynamics; Fossen (2005), A
    nonlinear unified state-space model for ship maneuvering and control in a seaway, Int. J. of Bifurcation and Chaos
    15; Perez and Fossen (2009), A Matlab toolbox for parametric identification of radiation-force models, Modeling,
    Identification and Control 30 (properties of K); Salvesen, Tuck and Faltinsen (1970), Ship motions and sea loads,
    SNAME Trans. 78 (speed). That slow motion manoeuvres and motions in waves are linear is the common separation into a
    low-frequency and a wave-frequency model, which Fossen (2005) names and overcomes; by filters within one equation,
    and oscillators in place of transfer functions: of this library.
    """

    kernels = ("seakeeping_vessel_euler", "seakeeping_vessel_quaternion", "seakeeping_vessel_velocity")
    examples = variants(
        {
            "rigid_body_inertia": np.diag([20.0, 20.0, 20.0, 3.0, 4.0, 5.0]),
            "added_mass": np.diag([2.0, 9.0, 15.0, 0.5, 1.5, 1.0]),
            "linear_damping": np.diag([3.0, 4.0, 0.0, 0.5, 0.0, 1.0]),
            "quadratic_damping": np.diag([4.0, 30.0, 0.0, 0.4, 0.0, 2.0]),
            "stiffness": np.diag([0.0, 0.0, 900.0, 40.0, 60.0, 0.0]),
            "memory_frequencies": [4.0, 6.0, 5.0],
            "memory_damping": [[5.0, 1.0, 0.0], [1.0, 6.0, 0.0], [0.0, 0.0, 4.0]],
            "memory_coupling": [[1.0, 0, 20, 0, -4, 0], [2.0, 0, -5, 0, 9, 0], [0, 12.0, 0, 3.0, 0, 1.0]],
            "initial_nu": [0.4, 0.1, -0.1, 0.02, 0.01, 0.05],
        },
        {"attitude": "quaternion"},
        {"integrate_pose": False},
        {"coriolis": False},
        {"slow_motion_time": 3.0},
        {"slow_motion_time": 3.0, "attitude": "quaternion"},
    )

    model = "seakeeping_vessel"
    sizes = (*Vessel6DOF.sizes, "n", "waves_apart")

    memory_force = Output(Wrench, "f_m, from waves that were made earlier", feedthrough=("current",))

    memory_frequencies = Parameter(shape=("n",), unit="rad/s", above=0.0, doc="Ω, of each oscillator without damping")
    memory_damping = Parameter(shape=("n", "n"), unit="1/s", doc="D, positive, with all couplings of damping")
    memory_coupling = Parameter(shape=("n", 6), unit=None, doc="B, what drives each, √kg/s and √kg·m/s")

    initial_memory = Parameter(
        "steady", choices=("steady", "still"), fixed=AT_START, doc="how the water is at the start"
    )

    slow_motion_time = Parameter(
        0.0,
        unit="s",
        at_least=0.0,
        structural=parts_no_waves,
        doc="T: f_c and f_m leave out products of motions that are faster than this, those in waves; 0: they have all",
    )

    memory_displacement = State(
        Signal("Any", ("n",)),
        "y",
        private=True,
        depends=each("memory_velocity"),
        start=each("memory_frequencies") | whole("initial_nu", "memory_coupling", "initial_memory"),
    )
    memory_velocity = State(Signal("Any", ("n",)), "ẏ", private=True, start={})
    wave_velocity = State(BodyVelocity, "δ, the part of ν_r in waves", private=True, when=parts_waves, start={})
    wave_momentum = State(
        BodyVelocity, "σ, the part of Bᵀ y in waves, over M_ii", private=True, when=parts_waves, start={}
    )

    zero_frequency_added_mass = CalculatedParameter(
        shape=(6, 6),
        unit=INERTIA,
        doc="A(0) = A_∞ + Bᵀ Ω⁻² B",
        depends=("added_mass", "memory_frequencies", "memory_coupling"),
    )
    memory_damping_columns = Derived("D, column by column", shape=("n", "n"), unit="1/s")

    def output_sources(self, output: str, sizes: Sizes) -> Sources | None:
        """The memory counts in its own force and in the acceleration, waves that are known apart in f_c, too."""
        apart = parts_waves(self)
        if output != "memory_force":
            found = super().output_sources(output, sizes)
            if found is None or output not in ("acceleration", "coriolis_force"):
                return found
            waves = ("wave_velocity", "wave_momentum") if apart else ()
            return {**found, **whole(*(_MEMORY + waves if output == "acceleration" else waves[:1]))}
        relative = self.output_sources("nu_r", sizes) or {}
        turned: dict[str, Pattern] = dict.fromkeys((name for name in relative if name != "nu"), rows("K M N"))
        for pose in turned.keys() & {"eta", "pose"}:
            turned[pose] = between({"K M N": "phi theta psi"})
        turned |= {"nu": _TURNING} | whole(*_MEMORY, "coriolis")
        if apart:
            turned |= {"wave_velocity": _TURNING, "wave_momentum": _TURNED}
            turned |= whole("rigid_body_inertia", "added_mass")
        return turned

    def state_sources(self, state: str, sizes: Sizes) -> Sources | None:
        """Oscillators are driven by ν_r, in which attitude and current are."""
        if state == "wave_velocity":
            return {**(self.output_sources("acceleration", sizes) or {}), **each("slow_motion_time")}
        if state == "wave_momentum":
            own = each("wave_momentum", "slow_motion_time")
            return own | whole("memory_velocity", "memory_coupling", "rigid_body_inertia", "added_mass")
        if state != "memory_velocity":
            return super().state_sources(state, sizes)
        relative = whole(*(self.output_sources("nu_r", sizes) or {}))
        for pose in relative.keys() & {"eta", "pose"}:
            relative[pose] = elements("phi theta psi")
        own = whole("memory_velocity", "memory_damping", "memory_coupling")
        return relative | own | each("memory_displacement", "memory_frequencies")

    def start_sources(self, state: str, sizes: Sizes) -> Sources | None:
        """η begins with its own parameter, where it is a state."""
        return each("initial_eta") if state == "eta" else super().start_sources(state, sizes)

    def validate(self) -> None:
        """M positive definite, and oscillators that lose energy."""
        super().validate()
        self._check_oscillators()
        check_dissipation(
            np.asarray(self.memory_damping),
            f"{self._called()}.memory_damping",
            "take the matrix as `blocks.hydro.fit_memory` gives it",
        )

    def _check_oscillators(self) -> None:
        """As many rows everywhere, with single numbers for one oscillator left out."""
        count = self.known_sizes().get("n", 1)
        for name, shape in (("memory_damping", f"{count}×{count}"), ("memory_coupling", f"{count}×6")):
            if np.ndim(getattr(self, name)) != 2:
                raise ParameterError(
                    f"{self._called()}.{name} must be an array of {shape}, not the single number "
                    f"{getattr(self, name):g}"
                )

    def known_sizes(self) -> dict[str, int]:
        """One oscillator, where single numbers leave it open; whether waves are known apart."""
        return {"n": 1} | super().known_sizes() | {"waves_apart": int(parts_waves(self))}
