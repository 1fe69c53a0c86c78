"""One regular wave."""

from __future__ import annotations

from blocks.block import Block, Sizes
from blocks.environment.sea import ROWS, depth, gravity, wave_sources, waves_output
from blocks.model.declare import Parameter
from blocks.model.dependence import Sources
from blocks.model.derived import Derived


class RegularWave(Block):
    """One regular wave, as of a tank: a sea of one component.

    ζ = a cos(k (x cos μ + y sin μ) - ω t + ε),  ω = 2π/T,  ω² = g k tanh kh

    ζ: elevation, positive up, m; a: `amplitude`, half of the height, m; T: `period`, s; μ: `direction` that the wave
    travels **to**, from north, clockwise, rad; ε: `phase`, rad; h: `depth`, m; g: `gravity`, m/s². `waves`, 7×1: ω,
    k_north, k_east, k, a, ε and e^(-2kh), which is 0 in deep water.

    Raises ParameterError if the amplitude is negative, or the period, depth or gravity not positive.

    Source: Airy (1845), Tides and Waves; Faltinsen (1990), Sea Loads on Ships and Offshore Structures, table 2.1.
    """

    examples = ({"amplitude": 0.3, "period": 3.0, "direction": 0.7, "phase": 0.4, "depth": 3.0},)

    kernel = "regular_wave"
    sizes = ("n",)
    positional = ("amplitude", "period", "direction", "phase")

    waves = waves_output()
    amplitude = Parameter(unit="m", at_least=0.0, doc="a, half of the height")
    period = Parameter(unit="s", above=0.0, doc="T")
    direction = Parameter(0.0, unit="rad", doc="μ that the wave travels to, from north, clockwise")
    phase = Parameter(0.0, unit="rad", doc="ε; 0: a crest at the origin at time 0")
    depth = depth()
    gravity = gravity()

    component = Derived("ω, k_north, k_east, k, a, ε, e^(-2kh)", shape=(len(ROWS),), unit=None)

    def known_sizes(self) -> dict[str, int]:
        """One component."""
        return super().known_sizes() | {"n": 1}

    def output_sources(self, output: str, sizes: Sizes) -> Sources:
        """Row by row."""
        number = {"k_north", "k_east", "k", "bottom"}
        return wave_sources(
            {
                "amplitude": {"amplitude"},
                "period": {"omega"} | number,
                "direction": {"k_north", "k_east"},
                "phase": {"phase"},
                "depth": number,
                "gravity": number,
            },
            sizes["n"],
        )
