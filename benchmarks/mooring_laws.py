"""Why `MooringDynamics` and MoorDyn differ on a floor: python -m benchmarks.mooring_laws

One chain of 20 segments, its fairlead driven, as in `line_of_moordyn`. The pull on the fairlead is compared with that
of MoorDyn on several floors: of the block, and of the block's equations written anew with two laws of MoorDyn: its
floor damps nodes that leave it, too, and so pulls on them, and a segment that shortens fast pushes.
"""

from __future__ import annotations

import numpy as np

from benchmarks.line_of_moordyn import CHAIN, ENDS, Array, apart, pull_of_block, pull_of_moordyn, surge
from blocks.environment import MooringDynamics

RHO, G = 1025.0, 9.81
LENGTH, DEPTH, SEGMENTS, END = 250.0, 50.0, 20, 20.0
FLOORS = {"soft, little damping": (3e5, 1e3), "usual, little damping": (3e6, 1e4), "usual": (3e6, 3e5)}
"""Stiffness, Pa/m, and damping, Pa·s/m; the last are MoorDyn's own."""
STEPS = {"soft, little damping": 0.002, "usual, little damping": 0.001, "usual": 0.0005}


class Trial:
    """The equations of the block by NumPy, z down, with MoorDyn's laws of floor and segments."""

    def __init__(self, stiffness: float, damping: float) -> None:
        """At rest, where the block is."""
        diameter, mass = CHAIN["diameter"], CHAIN["mass_per_length"]
        self.part = part = LENGTH / SEGMENTS
        volume = RHO * np.pi / 4.0 * diameter**2
        self.weight = G * (mass - volume) * part
        self.across = 1.0 / ((mass + volume) * part)
        self.along = 1.0 / (mass * part) - self.across
        self.internal = 0.8 * np.sqrt(CHAIN["axial_stiffness"] * mass)
        self.normal, self.tangential = (0.5 * RHO * part * diameter * c for c in (1.2, 0.05 * np.pi))
        self.push, self.damp = diameter * part * stiffness, diameter * part * damping
        given = {"length": LENGTH, "depth": DEPTH, "seabed_stiffness": stiffness, "seabed_damping": damping}
        block = MooringDynamics(lines=ENDS, segments=SEGMENTS, **CHAIN, **given)
        still = block.evaluate(eta=np.zeros(6), nu=np.zeros(6)).outputs["nodes"]
        self.state = np.stack([np.reshape(still, (-1, 3)), np.zeros((SEGMENTS - 1, 3))])

    def segments(self, t: float, state: Array) -> tuple[Array, Array, Array]:
        """Places, velocities, and the pull of each segment on its lower end, pushing too."""
        x, u = surge(t)
        low, high = np.array(ENDS[0][:3]), ENDS[0][3:] + np.array([float(x), 0.0, 0.0])
        places = np.vstack([low, state[0], high])
        velocities = np.vstack([np.zeros(3), state[1], [float(u), 0.0, 0.0]])
        chord = np.diff(places, axis=0)
        size = np.linalg.norm(chord, axis=1)
        strain = np.maximum(size - self.part, 0.0) / self.part
        tension = CHAIN["axial_stiffness"] * strain
        tension += self.internal * (chord * np.diff(velocities, axis=0)).sum(axis=1) / size
        return places, velocities, chord * (tension / size)[:, None]

    def drag(self, velocity: Array, direction: Array) -> Array:
        """On nodes in still water."""
        along = -(velocity * direction).sum(axis=1, keepdims=True)
        across = -velocity - along * direction
        size = np.linalg.norm(across, axis=1, keepdims=True)
        drag: Array = self.normal * size * across + self.tangential * np.abs(along) * along * direction
        return drag

    def rates(self, t: float, state: Array) -> Array:
        """Of places and velocities."""
        places, _, pull = self.segments(t, state)
        direction = places[2:] - places[:-2]
        direction /= np.linalg.norm(direction, axis=1, keepdims=True)
        force = np.diff(pull, axis=0) + self.drag(state[1], direction)
        sunk = state[0][:, 2] - DEPTH
        force[:, 2] += self.weight - (sunk > 0.0) * (self.push * sunk + self.damp * state[1][:, 2])
        along = (direction * force).sum(axis=1, keepdims=True)
        return np.stack([state[1], self.across * force + self.along * along * direction])

    def pull(self, t: float) -> Array:
        """On the fairlead, north, west, up."""
        places, velocities, pull = self.segments(t, self.state)
        direction = (places[-1:] - places[-2:-1]) / np.linalg.norm(places[-1] - places[-2])
        force = -pull[-1] + 0.5 * self.drag(velocities[-1:], direction)[0]
        force[2] += 0.5 * self.weight
        return force * np.array([1.0, -1.0, -1.0])

    def run(self, step: float, count: int) -> Array:
        """By the Runge-Kutta method of fourth order."""
        found = np.empty((count, 3))
        for k in range(count):
            t, y = k * step, self.state
            one = self.rates(t, y)
            two = self.rates(t + 0.5 * step, y + 0.5 * step * one)
            three = self.rates(t + 0.5 * step, y + 0.5 * step * two)
            four = self.rates(t + step, y + step * three)
            self.state = y + step / 6.0 * (one + 2.0 * two + 2.0 * three + four)
            found[k] = self.pull(t + step)
        return found


def main() -> None:
    """Print the table."""
    print(f"{'difference of the pull from MoorDyn':38}{'this block':>12}{'with its laws':>16}")
    free = {"length": 240.0, "depth": 300.0}
    off = apart(pull_of_block(0.002, 10_000, **free), pull_of_moordyn(0.002, 10_000, **free))
    print(f"{'free, no floor':38}{100 * off:10.2f} %")
    for name, (stiffness, damping) in FLOORS.items():
        step = STEPS[name]
        count = round(END / step)
        given = {"length": LENGTH, "depth": DEPTH, "seabed_stiffness": stiffness, "seabed_damping": damping}
        wanted = pull_of_moordyn(step, count, inner=0.5 * step, **given)
        ours, theirs = pull_of_block(step, count, **given), Trial(stiffness, damping).run(step, count)
        print(f"{name:38}{100 * apart(ours, wanted):10.2f} %{100 * apart(theirs, wanted):14.2f} %", flush=True)


if __name__ == "__main__":
    main()
