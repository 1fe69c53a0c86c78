"""What a controller is designed by: mass, damping and stiffness of a vessel about a steady speed.

They are asked of the vessel's own equations: its acceleration for a force, and its differences for velocities and
positions nearby. So every vessel of `blocks.dynamics` will do, and no equation of motion stands here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.block import Block
from blocks.dynamics.inertia import MOTIONS
from blocks.dynamics.nomoto import NomotoVessel
from blocks.dynamics.vessel import Vessel
from blocks.dynamics.vessel_6dof import Vessel6DOF
from blocks.errors import ParameterError
from blocks.model.declare import Parameter

Floats = NDArray[np.float64]

_FORCE = 2.0**20
"""N and N·m. Accelerations are linear in it, so it may be large, and what is there without it is lost in rounding."""
_STEP = 2.0**-17
"""m/s, rad/s, m and rad: small against any motion, large against rounding."""


class OperatingPoint:
    """A vessel that goes ahead at a steady speed, upright, north and without a current, and what moves it from that.

    M ν̇ = τ - D δν - G δη. `mass`: M, 6×6, zero where the vessel does not move; `moves`: where it does. `who` asks, for
    messages. Raises ParameterError if `vessel` is none.
    """

    def __init__(self, vessel: Block, speed: float | str, who: str) -> None:
        if not isinstance(vessel, Vessel):
            given = type(vessel).__name__ if isinstance(vessel, Block) else repr(vessel)
            raise ParameterError(
                f'{who}: vessel must be a vessel of blocks.dynamics, such as Vessel6DOF.from_vehicle("otter"), '
                f"not {given}"
            )
        self.who = who
        self.called = vessel._called()
        self.vessel = _with_plain_states(vessel)
        self.nu = np.zeros(6)
        self.nu[0] = number(speed, "m/s", f"{who}: speed")
        self._steady = self._acceleration(self.nu, np.zeros(6), np.zeros(6))
        mobility = np.empty((6, 6))
        for j, force in enumerate(_FORCE * np.eye(6)):
            mobility[:, j] = (self._acceleration(self.nu, np.zeros(6), force) - self._steady) / _FORCE
        self.moves = np.any(mobility != 0.0, axis=1)
        self.mass = np.zeros((6, 6))
        own = np.ix_(self.moves, self.moves)
        self.mass[own] = _inverse(mobility[own])

    def _acceleration(self, nu: Floats, eta: Floats, force: Floats) -> Floats:
        found: Floats = self.vessel.evaluate(states={"nu": nu, "eta": eta}, force=force).outputs["acceleration"]
        return found

    def _force(self, acceleration: Floats) -> Floats:
        """M ν̇, summed from left to right: BLAS has an order of its own on each processor."""
        force: Floats = sum(column * part for column, part in zip(self.mass.T, acceleration, strict=True))
        return force

    @staticmethod
    def _slope(function: Callable[[Floats], Floats], step: Floats) -> Floats:
        """By a central difference."""
        slope: Floats = (function(step) - function(-step)) / (2.0 * np.max(step))
        return slope

    def matrices(self, motions: Sequence[int]) -> tuple[Floats, Floats, Floats]:
        """M, D and G of these motions while the others are held. Raises ParameterError if one has no mass above 0."""
        still = [MOTIONS[j] for j in motions if not self.moves[j]]
        if still:
            raise ParameterError(
                f"{self.who}: {self.called} does not move in {' and '.join(still)}: take a vessel that does, such as a "
                f"Vessel6DOF"
            )
        for j in motions:
            if self.mass[j, j] <= 0.0:
                hint = ": K and T need the same sign" if isinstance(self.vessel, NomotoVessel) else ""
                raise ParameterError(
                    f"{self.who}: the mass of {self.called} in {MOTIONS[j]}, force over acceleration, must be > 0, not "
                    f"{self.mass[j, j]:g}{hint}"
                )
        chosen = np.ix_(motions, motions)
        zero = np.zeros(6)
        damping, stiffness = np.zeros((6, 6)), np.zeros((6, 6))
        for j in motions:
            direction = np.eye(6)[j]
            slopes = [
                self._slope(lambda s: self._acceleration(self.nu + s, zero, zero), step * direction)
                for step in (_STEP, 0.5 * _STEP)
            ]
            damping[:, j] = -self._force(2.0 * slopes[1] - slopes[0])  # exact for |v| v at 0, too
            stiffness[:, j] = -self._force(
                self._slope(lambda s: self._acceleration(self.nu, s, zero), _STEP * direction)
            )
        m, d, g = (self._tidy(matrix)[chosen] for matrix in (self.mass, damping, stiffness))
        return m, d, g

    def _tidy(self, matrix: Floats) -> Floats:
        """Without what rounding leaves of zeros in differences, beside the masses and 1 s, and to ten digits."""
        least = 1e-9 * np.sqrt(np.abs(np.outer(np.diag(self.mass), np.diag(self.mass))))
        tidy: Floats = _ten_digits(np.where(np.abs(matrix) > least, matrix, 0.0))
        return tidy

    def motion(self, name: str) -> tuple[float, float, float]:
        """m, d and k of one motion while the others are held."""
        m, d, k = (float(matrix[0, 0]) for matrix in self.matrices([MOTIONS.index(name)]))
        return m, d, k

    def turned_from_its_way(self, name: str) -> float:
        """What a level, straight path at the speed U adds to the stiffness of roll or pitch.

        A pitch of δθ comes with a heave of U δθ, whose moment, Munk's and that of lift, is in the damping matrix. A
        roll leaves the flow along the axis of the body as it is.
        """
        if name != "pitch" or self.nu[0] == 0.0 or not self.moves[2]:
            return 0.0
        heave, pitch = MOTIONS.index("heave"), MOTIONS.index("pitch")
        _, damping, _ = self.matrices([heave, pitch])
        return float(damping[1, 0] * self.nu[0])

    def damping_law(self, name: str, damping: float) -> tuple[float, float]:
        """d_l and d_q of the load d_l v + d_q |v| v that the steady motion takes, v in m/s or rad/s.

        It has the slope `damping` and the right value at the operating speed; where v = 0 there, at v = 1.
        """
        j = MOTIONS.index(name)
        at = float(self.nu[j]) or 1.0
        nu = self.nu.copy()
        nu[j] = at
        load = -float(self._force(self._acceleration(nu, np.zeros(6), np.zeros(6)))[j])
        if self.nu[j] == 0.0:
            load += float(self._force(self._steady)[j])
            linear, quadratic = damping, (load - damping * at) / (abs(at) * at)
        else:
            quadratic = (damping * at - load) / (abs(at) * at)
            linear = damping - 2.0 * quadratic * abs(at)
        least = 1e-8 * abs(damping)
        linear, quadratic = linear * (abs(linear) > least), quadratic * (abs(quadratic * at) > least)
        return float(_ten_digits(linear)), float(_ten_digits(quadratic))


def number(value: Any, unit: str, where: str, **limits: float) -> float:
    """An argument as a number in SI: plain, or text with a unit. Raises ParameterError."""
    return float(Parameter(unit=unit, **limits).read(value, where))  # type: ignore[arg-type]


def _inverse(matrix: Floats) -> Floats:
    """By Gauss and Jordan with the largest pivot of each column, in an order that no library chooses."""
    count = len(matrix)
    work = np.hstack([matrix, np.eye(count)])
    for k in range(count):
        pivot = k + int(np.argmax(np.abs(work[k:, k])))
        work[[k, pivot]] = work[[pivot, k]]
        work[k] /= work[k, k]
        for i in range(count):
            if i != k:
                work[i] -= work[i, k] * work[k]
    return work[:, count:]


_ten_digits = np.vectorize(lambda value: float(f"{value:.10g}"), otypes=[float])
"""Differences give no more, and numbers that people read end there."""


def _with_plain_states(vessel: Vessel) -> Vessel:
    """The same vessel with the states η and ν and no others."""
    vessel = vessel.copy()
    if isinstance(vessel, Vessel6DOF):
        vessel.set(attitude="euler", integrate_pose=True)
    if isinstance(vessel, NomotoVessel) and vessel.order == "second":
        time_constant = vessel.time_constant + vessel.second_time_constant - vessel.lead_time_constant
        vessel.set(order="first", time_constant=time_constant)
    return vessel
