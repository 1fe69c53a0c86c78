"""Linear systems with names: what linearization gives, and what python-control takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy  # linalg is loaded where it is used: it takes half a second
from numpy.typing import NDArray

from blocks.errors import did_you_mean
from blocks.lab.analysis.errors import AnalysisError
from blocks.lab.analysis.point import OperatingPoint

if TYPE_CHECKING:
    import pandas as pd

Array = NDArray[np.float64]

_SHARE = 0.2
"""A state whose share of a mode is a smaller part of the greatest is not named with it."""
_NAMED = 4
_COINCIDE = 1e-6
"""Eigenvalues nearer than this part of the largest are one: those of a chain of integrators are so by rounding."""


@dataclass(frozen=True, eq=False)
class LinearSystem:
    """dx/dt = A x + B u, y = C x + D u, for small departures x, u, y from an operating point.

    A: n×n, B: n×m, C: p×n, D: p×m, in SI. states, inputs, outputs: names; state_units and so on: their units. point:
    where it holds. kinks: pairs of names, (of what, by what), whose derivative is not the same on both sides, such as
    at a limit: there it is a mean of them. held: sampled blocks, whose outputs are constant in it.
    """

    A: Array
    B: Array
    C: Array
    D: Array
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    state_units: tuple[str, ...]
    input_units: tuple[str, ...]
    output_units: tuple[str, ...]
    point: OperatingPoint
    kinks: tuple[tuple[str, str], ...] = ()
    held: tuple[str, ...] = ()
    opened: tuple[str, ...] = ()

    @property
    def eigenvalues(self) -> NDArray[np.complex128]:
        """Of A, 1/s, the slowest first."""
        values = np.linalg.eigvals(self.A).astype(np.complex128)
        return np.asarray(values[np.lexsort((values.imag, np.abs(values)))])

    @property
    def stable(self) -> bool:
        """True if all eigenvalues are in the left half plane; drifting states such as a position are not."""
        return bool(np.all(self.eigenvalues.real < 0.0))

    def modes(self) -> pd.DataFrame:
        """A table of the modes: eigenvalue, natural frequency, damping ratio, time constant, the states that take part.

        A state takes part by its participation factor |p_ii|, P the projection to the mode; those with a fifth of the
        greatest and more are named, the first first. Conjugate pairs, and eigenvalues that coincide, have one row.

        Source: Verghese, Pérez-Arriaga and Schweppe (1982), Selective modal analysis with applications to electric
        power systems, IEEE Trans. Power App. Syst. (participation factors).
        """
        import pandas as pd

        rows = []
        for value, times, share in _modes(self.A):
            dominant = [self.states[i] for i in np.argsort(-share, kind="stable") if share[i] >= _SHARE * share.max()]
            rows.append(
                {
                    "real": value.real,
                    "imag": value.imag,
                    "times": times,
                    "frequency": abs(value),
                    "damping": -value.real / abs(value) if abs(value) > 0.0 else np.nan,
                    "time_constant": -1.0 / value.real if value.real < 0.0 else np.inf,
                    "states": ", ".join(dominant[:_NAMED]) + (", …" if len(dominant) > _NAMED else ""),
                }
            )
        return pd.DataFrame(rows, columns=["real", "imag", "times", "frequency", "damping", "time_constant", "states"])

    def select(
        self, inputs: Sequence[str] | str | None = None, outputs: Sequence[str] | str | None = None
    ) -> LinearSystem:
        """The same system with some of its inputs and outputs. Raises AnalysisError for names that are not there."""
        columns = self._numbers(self.inputs, inputs, "input")
        rows = self._numbers(self.outputs, outputs, "output")
        return LinearSystem(
            self.A, self.B[:, columns], self.C[rows], self.D[np.ix_(rows, columns)],
            self.states, _of(self.inputs, columns), _of(self.outputs, rows),
            self.state_units, _of(self.input_units, columns), _of(self.output_units, rows),
            self.point, self.kinks, self.held, self.opened,
        )  # fmt: skip

    def remove(self, states: Sequence[str] | str) -> LinearSystem:
        """The same system with some states held where they are, such as those that drift. Raises AnalysisError."""
        gone = set(self._numbers(self.states, states, "state"))
        kept = [i for i in range(len(self.states)) if i not in gone]
        return LinearSystem(
            self.A[np.ix_(kept, kept)], self.B[kept], self.C[:, kept], self.D,
            _of(self.states, kept), self.inputs, self.outputs,
            _of(self.state_units, kept), self.input_units, self.output_units,
            self.point, self.kinks, self.held, self.opened,
        )  # fmt: skip

    def frequency_response(self, omega: Any) -> NDArray[np.complex128]:
        """C (jωI - A)⁻¹ B + D at ω, rad/s, n: n×p×m."""
        omega = np.atleast_1d(np.asarray(omega, dtype=np.float64))
        identity = np.eye(len(self.states))
        if not len(self.states):
            return np.array(np.broadcast_to(self.D, (len(omega), *self.D.shape)), dtype=np.complex128)
        inner = np.linalg.solve(1j * omega[:, None, None] * identity - self.A, np.broadcast_to(
            self.B.astype(np.complex128), (len(omega), *self.B.shape)))  # fmt: skip
        return np.asarray(self.C @ inner + self.D)

    def to_control(self) -> Any:
        """The same as `control.StateSpace` of python-control, with names.

        python-control wants names without dots and brackets: "vessel.nu[u]" is called "vessel_nu_u" there.
        """
        import control

        return control.ss(
            self.A, self.B, self.C, self.D,
            states=[_plain(name) for name in self.states],
            inputs=[_plain(name) for name in self.inputs],
            outputs=[_plain(name) for name in self.outputs],
        )  # fmt: skip

    def __str__(self) -> str:
        import pandas as pd

        lines = [
            f"{len(self.states)} states, {len(self.inputs)} inputs, {len(self.outputs)} outputs, "
            f"{'stable' if self.stable else 'not stable'}, at {self.point.time:g} s"
        ]
        with pd.option_context("display.width", 110, "display.max_colwidth", 50):
            lines.append(self.modes().to_string(index=False, float_format=lambda x: f"{x:.4g}"))
        if self.kinks:
            pairs = "; ".join(f"{one} by {other}" for one, other in self.kinks[:5])
            lines.append(f"at a kink, where derivatives are means of both sides: {pairs}")
        if self.held:
            lines.append(f"sampled blocks are held: {', '.join(self.held)}")
        return "\n".join(lines)

    @staticmethod
    def _numbers(names: tuple[str, ...], wanted: Sequence[str] | str | None, what: str) -> list[int]:
        if wanted is None:
            return list(range(len(names)))
        found: list[int] = []
        for name in [wanted] if isinstance(wanted, str) else wanted:
            matching = [i for i, one in enumerate(names) if name in (one, one.partition("[")[0])]
            matching = matching or [
                i for i, one in enumerate(names) if f".{one}".endswith(f".{name}") or f".{name}[" in one
            ]
            if not matching:
                raise AnalysisError(f"the linear system has no {what} '{name}'{did_you_mean(name, names)}")
            found += matching
        return found


def _modes(A: Array) -> list[tuple[complex, int, Array]]:
    """Eigenvalues of the upper half plane, the slowest first, how often each comes, and the states' shares of it."""
    values = np.linalg.eigvals(A).astype(np.complex128)
    near = _COINCIDE * max(float(np.abs(values).max(initial=0.0)), 1e-300)
    left = list(np.lexsort((values.imag, np.abs(values))))
    found = []
    while left:
        group = [i for i in left if abs(values[i] - values[left[0]]) <= near]
        left = [i for i in left if i not in group]
        value = complex(np.mean(values[group]))
        value = complex(0.0 if abs(value.real) < near else value.real, 0.0 if abs(value.imag) < near else value.imag)
        if value.imag >= 0.0:
            found.append((value, len(group), _shares(A, values[group], near)))
    return found


def _shares(A: Array, values: NDArray[np.complex128], near: float) -> Array:
    """The diagonal of the projection to the invariant subspace of some eigenvalues, which add up to their number."""
    T, Q, count = scipy.linalg.schur(A, output="complex", sort=lambda one: bool(np.abs(values - one).min() <= near))
    if count == len(A):
        return np.ones(count)
    X = scipy.linalg.solve_sylvester(T[:count, :count], -T[count:, count:], -T[:count, count:])
    return np.asarray(np.abs(np.einsum("ik,ki->i", Q[:, :count], Q[:, :count].conj().T - X @ Q[:, count:].conj().T)))


def _of(names: tuple[str, ...], numbers: Sequence[int]) -> tuple[str, ...]:
    return tuple(names[i] for i in numbers)


def _plain(name: str) -> str:
    return name.replace(".", "_").replace("[", "_").replace("]", "").replace(",", "_")
