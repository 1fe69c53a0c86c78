"""Modes of a closed loop: what moves in them, which loop acts on them, and what is the matter with them."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import scipy

from blocks.lab.design.open_loops import OpenLoops
from blocks.lab.design.robustness import Array

SHARE = 0.2
"""A state whose share of a mode is a smaller part of the greatest is not named with it."""
UNSTABLE = 1e-3
"""1/s. What grows more slowly may be rounding, or the way of a vehicle that drifts."""
RINGING = 0.2
"""A damping ratio below which a step rings: it overshoots by more than half."""
UNTOUCHED = 0.05
"""A loop whose gain moves an eigenvalue by a smaller part of it, per part of the gain, does not act on it."""

_MOTIONS = {
    "nu[u]": "surge", "nu[v]": "sway", "nu[w]": "heave", "nu[p]": "roll", "nu[q]": "pitch", "nu[r]": "yaw",
    "eta[z]": "depth", "eta[phi]": "roll", "eta[theta]": "pitch", "eta[psi]": "yaw", "eta[y]": "way across",
    "eta[x]": "way along",
}  # fmt: skip


@dataclass(frozen=True)
class Mode:
    """An eigenvalue of the closed system, 1/s, of a pair the upper one.

    states: those that take part, the first first. pull: for each loop, by how much the eigenvalue moves with the
    logarithm of the loop's gain, 1/s: where the real part is positive, less gain calms the mode.
    """

    value: complex
    states: tuple[str, ...]
    pull: dict[str, complex]

    @property
    def frequency(self) -> float:
        """Natural, rad/s."""
        return abs(self.value)

    @property
    def damping(self) -> float:
        """The damping ratio; 1 or -1 of what does not oscillate."""
        return -self.value.real / abs(self.value) if self.value else 0.0

    @property
    def time_constant(self) -> float:
        """In which it grows, or decays, by the factor e, s."""
        return 1.0 / abs(self.value.real) if self.value.real else float("inf")

    @property
    def period(self) -> float | None:
        """Of what oscillates, s."""
        return 2.0 * float(np.pi) / abs(self.value.imag) if self.value.imag else None

    @property
    def acting(self) -> tuple[str, ...]:
        """The loops that move it, the first first; none: no controller acts on it."""
        least = UNTOUCHED * max(abs(self.value), UNSTABLE)
        named = sorted(self.pull, key=lambda name: -abs(self.pull[name]))
        return tuple(name for name in named if abs(self.pull[name]) > least)

    @property
    def unstable(self) -> bool:
        """Whether it grows."""
        return self.value.real > UNSTABLE

    @property
    def ringing(self) -> bool:
        """Whether it oscillates for long."""
        return bool(self.value.imag) and not self.unstable and self.damping < RINGING

    @property
    def name(self) -> str:
        """What moves, in words: "pitch", "sway and yaw", "depth and depth.integral"."""
        words = dict.fromkeys(_word(state) for state in self.states)
        several = list(words)[:3]
        return several[0] if len(several) == 1 else f"{', '.join(several[:-1])} and {several[-1]}"

    @property
    def symbols(self) -> str:
        """The states by their symbols: "theta, q"."""
        return ", ".join(dict.fromkeys(_symbol(state) for state in self.states[:4]))


def modes_of(loops: OpenLoops) -> tuple[Mode, ...]:
    """Modes of the closed system but for states that drift, the fastest growing first.

    A state takes part by its participation factor; that a loop acts on a mode is seen from its residue: with L scaled
    by k, dλ/d ln k = (w b)(c v)/((w v)(1 - d)²), w and v left and right eigenvectors.

    Source: Verghese, Pérez-Arriaga and Schweppe (1982), IEEE Trans. Power App. Syst. (participation factors);
    Hamdan and Nayfeh (1989), J. Guidance 12(3) (modal controllability).
    """
    kept = [i for i in range(len(loops.closed)) if i not in loops.drifting]
    if not kept:
        return ()
    values, left, right = scipy.linalg.eig(loops.closed[np.ix_(kept, kept)], left=True, right=True)
    names = [loops.system.states[i] for i in kept]
    ways = {i: loops.closed_but([i]) for i in loops.looped}
    found = []
    for value, w, v in zip(values, left.T.conj(), right.T, strict=True):
        if value.imag < -1e-9 * abs(value):
            continue
        whole = complex(w @ v)
        shares = np.abs(w * v)
        order = [i for i in np.argsort(-shares, kind="stable") if shares[i] >= SHARE * shares.max()]
        pull = {
            loops.channels[i].name: _residue(w, v, whole, kept, ways[i]) for i in loops.looped
        } if abs(whole) > 1e-12 else {}  # fmt: skip
        found.append(Mode(complex(value), tuple(names[i] for i in order), pull))
    return tuple(sorted(found, key=lambda mode: -mode.value.real))


def _residue(w: Array, v: Array, whole: complex, kept: list[int], way: tuple[Array, Array, Array, Array]) -> complex:
    _, B, C, D = way
    return complex((w @ B[kept, 0]) * (C[0, kept] @ v) / (whole * (1.0 - D[0, 0]) ** 2))


def _word(state: str) -> str:
    tail = state.rpartition(".")[2]
    return _MOTIONS.get(tail, re.sub(r"\[.*\]$", "", ".".join(state.split(".")[-2:])))


def _symbol(state: str) -> str:
    tail = state.rpartition(".")[2]
    inner = re.fullmatch(r"(?:eta|nu)\[(.+)\]", tail)
    return inner[1] if inner else ".".join(state.split(".")[-2:])
