"""A linear system with all its loops opened at once: from it come each loop, all of them, and the closed system."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from blocks.lab.analysis.linear_system import LinearSystem
from blocks.lab.design.channels import Channel
from blocks.lab.design.robustness import Array, Complex, LoopMargins, disk_margin, loop_margins

_GRID = 300
_CLOSES = 1e-7
"""A channel whose loop gain stays below this has no loop: nothing that it does comes back."""


@dataclass(frozen=True, eq=False)
class OpenLoops:
    """The system from all channels to all channels, dx/dt = A x + B u, y = C x + D u; closed by u = y."""

    system: LinearSystem
    channels: tuple[Channel, ...]

    def closed_but(self, open_ones: Collection[int] = ()) -> tuple[Array, Array, Array, Array]:
        """A, B, C, D with all channels closed but some."""
        one = self.system
        out = list(open_ones)
        back = [i for i in range(len(self.channels)) if i not in out]
        solved = np.linalg.solve(np.eye(len(back)) - one.D[np.ix_(back, back)], np.eye(len(back)))
        to_x, to_u = solved @ one.C[back], solved @ one.D[np.ix_(back, out)]
        return (
            one.A + one.B[:, back] @ to_x,
            one.B[:, out] + one.B[:, back] @ to_u,
            one.C[out] + one.D[np.ix_(out, back)] @ to_x,
            one.D[np.ix_(out, out)] + one.D[np.ix_(out, back)] @ to_u,
        )

    @cached_property
    def closed(self) -> Array:
        """A of the closed system."""
        return self.closed_but()[0]

    @cached_property
    def drifting(self) -> tuple[int, ...]:
        """States of the closed system on which, one after the other, nothing depends: a position, energy used."""
        depends = np.abs(self.closed) > 1e-9 * max(float(np.abs(self.closed).max(initial=0.0)), 1e-300)
        kept = list(range(len(depends)))
        while gone := [j for j in kept if not np.any(depends[kept, j])]:
            kept = [j for j in kept if j not in gone]
        return tuple(j for j in range(len(depends)) if j not in kept)

    @cached_property
    def omega(self) -> Array:
        """Frequencies at which something happens, rad/s, closer about the closed system's modes."""
        both = np.concatenate([np.linalg.eigvals(self.closed), np.linalg.eigvals(self.system.A)])
        sizes = np.abs(both)
        sizes = sizes[sizes > 1e-6 * max(float(sizes.max(initial=0.0)), 1e-300)]
        low, high = (float(sizes.min()), float(sizes.max())) if sizes.size else (0.1, 10.0)
        low, high = max(low, 1e-4), min(high, 1e3)
        light = both[(np.abs(both.real) < 0.3 * np.abs(both)) & (np.abs(both) > low)]
        near = [abs(value) * np.linspace(0.9, 1.1, 11) for value in light]
        return np.unique(np.concatenate([np.geomspace(0.05 * low, 20.0 * high, _GRID), *near]))

    def response(self, omega: Array) -> Complex:
        """From all channels to all, n×k×k, all opened."""
        return self.system.frequency_response(omega)

    @cached_property
    def _on_grid(self) -> Complex:
        return self.response(self.omega)

    def loops(self, which: Collection[int], omega: Array | None = None) -> Complex:
        """L of some channels at once, n×k×k, the others closed, with the sign of a negative feedback."""
        G = self._on_grid if omega is None else self.response(omega)
        out = list(which)
        back = [i for i in range(len(self.channels)) if i not in out]
        own = G[:, out][:, :, out]
        if not back:
            return -own
        inner = np.eye(len(back)) - G[:, back][:, :, back]
        return np.asarray(-(own + G[:, out][:, :, back] @ np.linalg.solve(inner, G[:, back][:, :, out])))

    @cached_property
    def looped(self) -> tuple[int, ...]:
        """Channels through which a loop goes."""
        return tuple(
            i for i in range(len(self.channels)) if float(np.nanmax(np.abs(self.loops([i])[:, 0, 0]))) > _CLOSES
        )

    def margins(self, channel: int) -> LoopMargins:
        """Of one loop, the others closed."""
        return loop_margins(self.omega, lambda at: self.loops([channel], at)[:, 0, 0])

    @property
    def together(self) -> tuple[int, ...]:
        """Loops that act, rather than ask others to: those whose disk margin is that of all at once."""
        return tuple(i for i in self.looped if not self.channels[i].steers)

    def disk(self) -> float:
        """The disk margin of all loops that act, changed at once."""
        return disk_margin(self.loops(self.together)) if self.together else 2.0
