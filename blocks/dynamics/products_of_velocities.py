"""Hydrodynamic derivatives of second order: `{Y_uv: "-28.6 kg/m", N_ur: -3.93}`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from blocks.errors import ParameterError
from blocks.model.declare import Parameter, Value

__all__ = ["derivatives_of_coriolis"]

FORCES = "XYZKMN"
VELOCITIES = "uvwpqr"
PRODUCTS = tuple("".join(pair) for pair in combinations_with_replacement(VELOCITIES, 2))
"""uu, uv, uw, … rr: every product of two velocities once."""
NAMES = tuple(f"{force}_{product}" for force in FORCES for product in PRODUCTS)

_PER_PRODUCT = {("N", 0): "N*s^2/m^2", ("N", 1): "N*s^2/m", ("N", 2): "N*s^2",
                ("N*m", 0): "N*s^2/m", ("N*m", 1): "N*s^2", ("N*m", 2): "N*m*s^2"}  # fmt: skip


def unit_per_product(force: int, first: int, second: int) -> str:
    """The unit of a force or moment, by its row, per product of two velocities."""
    return _PER_PRODUCT["N" if force < 3 else "N*m", (first >= 3) + (second >= 3)]


class VelocityProducts(Parameter):
    """H, 6×21: forces and moments per product of two velocities. It is given as numbers, a row for each of X … N and a
    column for each product, or as a mapping of the derivatives by their names, of which those left out are 0."""

    named_like = f"^[{FORCES}]_[{VELOCITIES}]{{2}}$"

    def __init__(self, structural: Callable[[Any], bool]) -> None:
        pairs = tuple(combinations_with_replacement(range(6), 2))
        super().__init__(
            0.0,
            shape=(6, len(PRODUCTS)),
            unit=tuple(unit_per_product(force, *pair) for force in range(6) for pair in pairs),
            structural=structural,
            doc="H, derivatives such as Y_uv with their own signs, {Y_uv: -28.6, …}, or X … N by uu, uv, … rr",
        )
        self._one = {name: Parameter(unit=unit) for name, unit in zip(NAMES, self.unit or (), strict=True)}

    def read(self, value: Any, where: str) -> Value:
        """`value` checked, as a matrix. Raises ParameterError."""
        if isinstance(value, Mapping):
            table = np.zeros(len(NAMES))
            for name, number in value.items():
                known = _ordered(str(name))
                if known not in self._one:
                    raise ParameterError(
                        f"{where} has no derivative '{name}': one of X, Y, Z, K, M, N, and two of u, v, w, p, q, r",
                        code="unknown-key", wrong=str(name), valid=NAMES,
                    )  # fmt: skip
                if table[NAMES.index(known)] != 0.0:
                    raise ParameterError(f"{where} has {known} twice: {name} is the same product of velocities")
                table[NAMES.index(known)] = self._one[known].read(number, f"{where}.{name}")
            value = table.reshape(6, -1)
        return super().read(value, where)

    def form(self) -> str:
        """What a value looks like, in words."""
        return "derivatives by their names, such as {Y_uv: -28.6, N_ur: -3.93}, or an array of 6×21"

    def hint(self) -> str:
        """The type of what may be given, as Python writes it."""
        return "Quantities | Mapping[str, Quantities]"


def _ordered(name: str) -> str:
    """Y_vu is Y_uv."""
    force, _, product = name.partition("_")
    if len(product) == 2 and set(product) <= set(VELOCITIES):
        product = "".join(sorted(product, key=VELOCITIES.index))
    return f"{force}_{product}"


def derivatives_of_coriolis(mass: ArrayLike) -> dict[str, float]:
    """What -C(ν) ν of a 6×6 mass matrix is as derivatives of second order, by their names; none that are 0.

    -C(ν) ν = -(ω × a, v × a + ω × b),  (a, b) = M ν

    For added mass these are what potential flow has in published derivatives: Z_wp and the like, N_uv = Y_v̇ - X_u̇ of
    the Munk moment. `ComplexVessel6DOF` has them in its Coriolis forces, so that they are taken off published ones.
    Source: as of `Vessel6DOF` (Theorem 3.2 of Fossen).
    """
    matrix = np.asarray(mass, dtype=np.float64)
    table = np.zeros((6, 6, 6))  # force, velocity, velocity
    for i, j, k, sign in ((0, 1, 2, 1), (1, 2, 0, 1), (2, 0, 1, 1), (0, 2, 1, -1), (1, 0, 2, -1), (2, 1, 0, -1)):
        table[i, 3 + j] -= sign * matrix[k]  # ω × a
        table[3 + i, j] -= sign * matrix[k]  # v × a
        table[3 + i, 3 + j] -= sign * matrix[3 + k]  # ω × b
    found = {}
    for force in range(6):
        for first, second in combinations_with_replacement(range(6), 2):
            value = table[force, first, second] + (table[force, second, first] if first != second else 0.0)
            if value != 0.0:
                found[f"{FORCES[force]}_{VELOCITIES[first]}{VELOCITIES[second]}"] = float(value)
    return found
