"""What thrusters can give: the greatest wrench in a direction."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from blocks.block import Block
from blocks.errors import ParameterError, shown

__all__ = ["attainable"]

Floats = NDArray[np.float64]
_FULL = 1e12
"""A command beyond any limit."""


def attainable(
    thrusters: Block, directions: ArrayLike, *, available: ArrayLike = 1.0, nu_r: ArrayLike | None = None
) -> Floats:
    """The greatest wrench that fixed thrusters give along each direction, with nothing in the other components.

    s d with the greatest s ≥ 0 for which f exists: T f = s d,  -a_i F_min,i ≤ f_i ≤ a_i F_max,i

    thrusters: a block whose `command` n thrusters follow that stand still in the hull, such as `KnownThrusters`,
    `MeasuredThruster`, `PropellerThrusters` or `DifferentialThrust`; directions: wrenches d, 6 or k×6, N and N·m, of
    which the length does not count; available: a, of each thruster 1 if it works and 0 if it has failed; nu_r: velocity
    through the water for which the greatest thrusts are, 0 unless given. The result has the shape of `directions`; 0
    where the thrusters give nothing that way alone, as two propellers below the origin, which pitch with any force
    ahead. Raises ParameterError for other blocks and shapes.

    Source: Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, 2nd ed., ch. 11 (attainable set).
    """
    from scipy.optimize import linprog  # takes longer to import than all thrusters

    wanted = _numbers(directions, "directions", "X, Y, Z, K, M, N: 6 or k×6")
    if wanted.shape[-1:] != (6,) or wanted.ndim > 2 or not wanted.any(axis=-1).all():
        raise ParameterError(
            f"directions must be 6 or k×6, X, Y, Z, K, M, N, such as [1, 0, 0, 0, 0, 0], and not zero, "
            f"not {shown(directions)}"
        )
    velocity = np.zeros(6) if nu_r is None else _numbers(nu_r, "nu_r", "u, v, w, p, q, r")
    matrix, lower, upper = _limits(thrusters, velocity)
    part = _numbers(available, "available", "1 for each thruster that works, 0 for each that has failed")
    if part.shape not in ((), upper.shape):
        raise ParameterError(
            f"available must be a number or {len(upper)} of them, one per thruster, not {shown(available)}"
        )
    part = np.broadcast_to(part, upper.shape).clip(0.0, 1.0)
    bounds = [*zip(part * lower, part * upper, strict=True), (0.0, None)]
    cost = np.r_[np.zeros(len(upper)), -1.0]
    found = np.zeros((wanted.size // 6, 6))
    for one, direction in zip(found, wanted.reshape(-1, 6), strict=True):
        unit = direction / np.sqrt((direction * direction).sum())
        solved = linprog(cost, A_eq=np.column_stack([matrix, -unit]), b_eq=np.zeros(6), bounds=bounds)
        one[:] = abs(solved.x[-1]) * unit + 0.0 if solved.success else 0.0
    return found.reshape(wanted.shape)


def _numbers(value: ArrayLike, name: str, what: str) -> Floats:
    """An argument as finite numbers. Raises ParameterError, which says what it is."""
    try:
        numbers = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise ParameterError(f"{name} must be numbers, {what}; not {shown(value)}") from None
    if not np.isfinite(numbers).all():
        raise ParameterError(f"{name} must be finite, not {shown(value)}")
    return numbers


def _limits(thrusters: Block, nu_r: Floats) -> tuple[Floats, Floats, Floats]:
    """T, and the greatest thrusts astern and ahead, as the block itself gives them."""
    if not isinstance(thrusters, Block):
        what = f"the class {thrusters.__name__}" if isinstance(thrusters, type) else shown(thrusters)
        raise ParameterError(f"attainable takes a block, such as KnownThrusters(thrusters=[…]), not {what}")
    ports = ("command" in thrusters.input_ports, "force" in thrusters.output_ports, "thrust" in thrusters.output_ports)
    if not all(ports) or "angle" in thrusters.input_ports:
        raise ParameterError(
            f"attainable takes thrusters that stand still in the hull, such as KnownThrusters or MeasuredThruster, not "
            f"{type(thrusters).__name__}"
        )
    thrusters = thrusters.copy()
    if "response" in thrusters.values:
        thrusters.set(response="instant")
    inputs: dict[str, Any] = {"nu_r": nu_r} if "nu_r" in thrusters.input_ports else {}
    count = thrusters.known_sizes().get("n", 2)

    def given(command: Floats) -> tuple[Floats, Floats]:
        outputs = thrusters.evaluate(command=command, **inputs).outputs
        return np.asarray(outputs["force"]), np.asarray(outputs["thrust"])

    still, idle = given(np.zeros(count))
    columns = []
    for i, command in enumerate(_FULL * np.eye(count)):
        force, thrust = given(command)
        columns.append((force - still) / (thrust[i] - idle[i]))
    (_, upper), (_, lower) = given(np.full(count, _FULL)), given(np.full(count, -_FULL))
    return np.array(columns).T, np.minimum(lower, 0.0), np.maximum(upper, 0.0)
