"""Root loci: eigenvalues over a parameter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.errors import did_you_mean
from blocks.lab.analysis.elements import elements_of, find_one
from blocks.lab.analysis.errors import AnalysisError
from blocks.lab.analysis.linearization import derivatives, stand_at
from blocks.lab.analysis.model import Array, number
from blocks.lab.analysis.point import OperatingPoint


@dataclass(frozen=True, eq=False)
class RootLocus:
    """Eigenvalues over a parameter.

    values: of the parameter, n, in `unit`. eigenvalues: n × states, 1/s; columns go on from one row to the next.
    """

    parameter: str
    unit: str
    values: Array
    eigenvalues: NDArray[np.complex128]

    @property
    def crossings(self) -> Array:
        """Values of the parameter, between two of the given ones, at which an eigenvalue passes the imaginary axis."""
        found = []
        real = self.eigenvalues.real
        for i, j in np.argwhere(np.sign(real[:-1]) * np.sign(real[1:]) < 0.0):
            part = real[i, j] / (real[i, j] - real[i + 1, j])
            found.append(self.values[i] + part * (self.values[i + 1] - self.values[i]))
        return np.unique(found)


def root_locus(
    component: Diagram | Block,
    parameter: str,
    values: ArrayLike | Sequence[str],
    at: OperatingPoint | float | str | None = None,
    *,
    given: Mapping[str, Any] | None = None,
    step: float | str = 0.01,
) -> RootLocus:
    """Eigenvalues of a linearized diagram over values of a parameter, "heading.kp" or "vessel.linear_damping[0,0]".

    The states stay those of the point: a gain does not move it, other parameters may, and then `trim` for each value
    and `linearize` are right. Raises AnalysisError for a name that is not there, or values that the parameter refuses.
    """
    model = stand_at(component, at, given or {}, step=step)
    try:
        bare = parameter.partition("[")[0]
        if model.parameter(bare) is None:
            raise AnalysisError(f"there is no parameter '{bare}'{did_you_mean(bare, model.parameters)}")
        element = find_one(model.parameters, parameter, "parameter")
        wanted = np.array([number(value, element) for value in np.atleast_1d(np.asarray(values, dtype=object))])
        if len(wanted) < 2:
            raise AnalysisError("a root locus needs at least two values of its parameter")
        time = at.time if isinstance(at, OperatingPoint) else model.engine.time
        states = [one for place in model.continuous.values() for one in elements_of(place)]
        places = [one.place + model.plan.derivative_offset for one in states]
        rows: list[NDArray[np.complex128]] = []
        for value in wanted:
            model.values[element.place] = value
            model.hold(time)
            A, _ = derivatives(model, time, states, [False] * len(states), places)
            found = np.linalg.eigvals(A).astype(np.complex128)
            rows.append(_continued(rows[-1], found) if rows else found[np.lexsort((found.imag, np.abs(found)))])
        return RootLocus(parameter, element.unit, wanted, np.array(rows))
    finally:
        model.close()


def _continued(before: NDArray[np.complex128], found: NDArray[np.complex128]) -> NDArray[np.complex128]:
    """Eigenvalues in the order in which they follow those before."""
    _, order = scipy.optimize.linear_sum_assignment(np.abs(before[:, None] - found[None, :]))
    return np.asarray(found[order])
