"""What motions of a vessel in waves share: ports, and how they are added to the slow motion."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from blocks.block import Block, Sizes
from blocks.environment.sea import ROWS
from blocks.model.declare import Input, Output
from blocks.model.dependence import TIME, Pattern, Sources, matrix
from blocks.signal import BodyAcceleration, BodyVelocity, Pose, Signal, Waves

_WAVES = ("omega", "k_north", "k_east", "amplitude", "phase")
_LABELS = ("surge", "sway", "heave", "roll", "pitch", "yaw")
_Motion = Signal("Motion", (6,), ("m", "m", "m", "rad", "rad", "rad"), "body", _LABELS)


class WaveMotion(Block, abstract=True):
    """The base of first-order motions in waves: those of each wave, added, and added to the slow motion.

    η_w,d = Σ a |H_d| cos(θ + ∠H_d),  θ = k_north x + k_east y - ω t + ε,  d = 1 … 6
    ν_w = ∂η_w/∂t,  a_w = ∂²η_w/∂t²,  with ∂θ/∂t = -ω_e,  ω_e = ω - k_north ẋ - k_east ẏ = ω - k U cos(β - χ)
    η + η_w: x + ξ_1 cos ψ - ξ_2 sin ψ,  y + ξ_1 sin ψ + ξ_2 cos ψ,  z + ξ_3,  φ + ξ_4,  θ + ξ_5,  ψ + ξ_6

    a, ω, k, ε: of the components in `waves`, see `IrregularSea`; (x, y), ψ: place and heading of the slow motion, from
    `eta`, and (ẋ, ẏ) = (u cos ψ - v sin ψ, u sin ψ + v cos ψ), from `nu`, U its size and χ its direction relative to
    the bow; H: motion per amplitude, m/m and rad/m; ξ = η_w: `eta_w`, in axes that go along with the slow motion,
    level, forward, starboard, down, m and rad; ν_w: `nu_w`; a_w: `acceleration_w`; `eta_total` = η + η_w; `nu_total` =
    ν + ν_w.

    **Encounter.** Phases follow the vessel's place, so that the frequency of encounter ω_e comes by itself, also
    astern, where ω_e < 0 when the vessel overtakes the waves. H is asked for at the wave's own frequency ω: to one ω_e
    in following seas belong up to three waves, which a table over ω_e would mix.

    Motions are small and linear: velocities are those in the slow motion's axes, and what a turn changes in the
    heading β is left out of them.
    """

    sizes: ClassVar[tuple[str, ...]] = ("n",)
    uses_time = True

    waves = Input(Waves, "components of the sea")
    eta = Input(Pose, "η, pose of the slow motion")
    nu = Input(BodyVelocity, "ν of the slow motion; (u, v) give the frequency of encounter", default=0.0)
    eta_w = Output(_Motion, "η_w, motion in the waves alone")
    nu_w = Output(BodyVelocity, "ν_w, its velocity")
    acceleration_w = Output(BodyAcceleration, "its acceleration")
    eta_total = Output(Pose, "η + η_w")
    nu_total = Output(BodyVelocity, "ν + ν_w")

    moved: ClassVar[str] = "*"
    """The labels of motions that there are."""
    number_counts: ClassVar[str] = ""
    """The labels of motions for which the wave number counts besides its components."""
    tables: ClassVar[dict[str, str]] = {}
    """Parameters, and the labels of motions that depend on them."""
    speed_counts: ClassVar[bool] = False
    """Whether H itself depends on the speed."""

    def feedthrough(self, output: str) -> tuple[str, ...]:
        """Where the vessel is does not depend on its speed, unless the transfer functions do."""
        still = output in ("eta_w", "eta_total") and not self.speed_counts
        return ("waves", "eta") if still else ("waves", "eta", "nu")

    def output_sources(self, output: str, sizes: Sizes) -> Sources:
        """Motions on waves and on where the vessel is; velocities and accelerations on its speed too."""

        def of(text: str) -> list[int]:
            """Elements that depend on motions of these labels; heading turns surge and sway into north and east."""
            found = [k for k, label in enumerate(_LABELS) if text == "*" or label in text.split()]
            return sorted({0, 1, *found}) if output == "eta_total" and min(found) < 2 else found

        lines = np.zeros((6, len(ROWS), sizes["n"]), dtype=bool)
        lines[np.ix_(of(self.moved), [ROWS.index(row) for row in _WAVES])] = True
        if self.number_counts:
            lines[of(self.number_counts), ROWS.index("k")] = True
        found: dict[str, Pattern] = {"waves": matrix(lines.reshape(6, -1))}
        masks = np.zeros((6, 6), dtype=bool)
        masks[np.ix_(of(self.moved), [0, 1, 5])] = True
        if output == "eta_total":
            masks |= np.eye(6, dtype=bool)
        found["eta"] = matrix(masks)
        speeds = np.zeros((6, 6), dtype=bool)
        if self.speed_counts or output not in ("eta_w", "eta_total"):
            speeds[np.ix_(of(self.moved), [0, 1])] = True
        if output == "nu_total":
            speeds |= np.eye(6, dtype=bool)
        if speeds.any():
            found["nu"] = matrix(speeds)
        for name, text in ({TIME: self.moved} | self.tables).items():
            chosen = np.zeros((6, 1), dtype=bool)
            chosen[of(text)] = True
            found[name] = matrix(chosen)
        return found
