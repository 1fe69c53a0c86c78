"""The benchmark model: a 3-DOF vessel on line-of-sight guidance, stated once as numbers.

Equations (u surge, v sway, r yaw rate; X surge force, N yaw moment; wrap to [−π, π)):

* vessel: u̇ = (X + m22·v·r − d11·u)/m11, v̇ = (−m11·u·r − d22·v)/m22, ṙ = (N + (m11 − m22)·u·v − d33·r)/m33,
  ẋ = u cos ψ − v sin ψ, ẏ = u sin ψ + v cos ψ, ψ̇ = r;
* line of sight to the line through the origin at course χ: y_e = −x sin χ + y cos χ, ψ_d = χ − atan2(y_e, Δ);
* heading PID: e = wrap(ψ_d − ψ), N = 4e + 0.2z − 1.0r, ż = e, then N limited to ±1.84 N·m;
* speed PI: e = u_d − u, X = 40e + 20w, ẇ = e, then X limited to ±23 N.

It is integrated by RK4 with a step of 0.02 s for 300 s, each part is its own block, and the six vessel states are
recorded at every step. What is timed is the simulation with that recording: not the building of the diagram, not
compilation, not the import.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

VesselState: TypeAlias = tuple[float, float, float, float, float, float]
"""x [m], y [m], ψ [rad], u [m/s], v [m/s], r [rad/s]"""

STATE_NAMES: Final = ("x", "y", "psi", "u", "v", "r")

M11: Final = 9.75  # kg
M22: Final = 10.364  # kg
M33: Final = 1.158  # kg·m²
D11: Final = 16.296  # kg/s
D22: Final = 10.193  # kg/s
D33: Final = 4.63  # kg·m²/s

COURSE: Final = math.pi / 6.0  # χ, rad
LOOKAHEAD: Final = 4.0  # Δ, m
DESIRED_SPEED: Final = 1.0  # u_d, m/s

HEADING_KP: Final = 4.0
HEADING_KI: Final = 0.2
HEADING_KD: Final = 1.0
SPEED_KP: Final = 40.0
SPEED_KI: Final = 20.0

FORCE_LIMIT: Final = 23.0  # N
MOMENT_LIMIT: Final = 1.84  # N·m

START: Final[VesselState] = (0.0, 10.0, 2.0, 0.0, 0.0, 0.0)
STEP: Final = 0.02  # s
END: Final = 300.0  # s

EXPECTED_END: Final = {"x": 255.266121904403, "y": 147.377963298368, "psi": 0.523598812132772, "u": 1.0}
"""The vessel state at `END` as far as it is stated in digits; sway and yaw rate have then decayed below `REST`."""

REST: Final = 2e-9  # m/s and rad/s

TOLERANCE: Final = 1e-9
"""How far two fixed-step RK4 runs of this model may end apart, by `end_state_difference`.

They do the same arithmetic in another order, which moves the end by about 1e-13; twice or half the step moves it by
about 1e-8.
"""


@dataclass(frozen=True)
class Outcome:
    """One finished simulation of the benchmark model.

    Attributes:
        seconds: wall time [s] of the simulation alone, warm.
        steps: integration steps taken.
        end_state: the vessel state at the end.
    """

    seconds: float
    steps: int
    end_state: VesselState

    @property
    def microseconds_per_step(self) -> float:
        """Wall time per integration step [µs]."""
        return self.seconds / self.steps * 1e6


Run: TypeAlias = Callable[[float], Outcome]
"""What every contender offers: simulate the benchmark model from 0 to the given time [s]."""


class BenchmarkError(RuntimeError):
    """The benchmark cannot be run, or a contender did not solve the benchmark model."""


def step_count(end: float) -> int:
    """Return how many steps of `STEP` lead to `end` [s].

    Raises:
        BenchmarkError: `end` is not a positive multiple of the step.
    """
    steps = round(end / STEP) if math.isfinite(end) else 0
    if steps < 1 or not math.isclose(steps * STEP, end, rel_tol=1e-12):
        raise BenchmarkError(f"end time {end!r} s: expected a positive multiple of the step, {STEP} s")
    return steps


def end_state_difference(end_state: VesselState, reference: VesselState) -> float:
    """Return the largest difference of two end states, relative where the reference exceeds one, else absolute."""
    return _largest_difference(
        dict(zip(STATE_NAMES, end_state, strict=True)), dict(zip(STATE_NAMES, reference, strict=True))
    )


def check_end_state(name: str, end_state: VesselState) -> None:
    """Check that `name`, after simulating to `END`, is where the model has to be.

    Raises:
        BenchmarkError: it is not; the message shows what was expected and what was given.
    """
    got = dict(zip(STATE_NAMES, end_state, strict=True))
    resting = abs(got["v"]) < REST and abs(got["r"]) < REST
    difference = _largest_difference(got, EXPECTED_END)
    if not resting or difference > TOLERANCE:
        expected = ", ".join(f"{symbol} {value:.15g}" for symbol, value in EXPECTED_END.items())
        given = ", ".join(f"{symbol} {value:.15g}" for symbol, value in got.items())
        raise BenchmarkError(
            f"{name} does not end where the benchmark model has to at {END:g} s\n"
            f"  expected {expected} to {TOLERANCE:.0e}, |v| and |r| below {REST:.0e}\n"
            f"  got      {given}"
        )


def _largest_difference(values: Mapping[str, float], reference: Mapping[str, float]) -> float:
    differences = [abs(values[key] - expected) / max(1.0, abs(expected)) for key, expected in reference.items()]
    # max() can drop a NaN, and a diverged run must not look exact.
    return math.inf if any(map(math.isnan, differences)) else max(differences)
