"""What waves do at a point, and their elevation at many."""

from __future__ import annotations

import numpy as np

from blocks.block import Block, Sizes
from blocks.environment.sea import ROWS
from blocks.model.declare import Input, Output, Parameter
from blocks.model.dependence import TIME, WHOLE, Pattern, Sources, elements, matrix
from blocks.signal import Length, Position, Signal, Velocity, Waves

_Slope = Signal("Slope", (2,), "1", "ned", ("north", "east"))
_Pressure = Signal("Pressure", unit="Pa")
_Elevations = Signal("Elevations", ("m",), "m")
_SURFACE = ("omega", "k_north", "k_east", "amplitude", "phase")


def _on(rows: tuple[str, ...], width: int, components: int) -> Pattern:
    """Every element depends on these rows of `waves`."""
    return matrix(np.tile(np.repeat([row in rows for row in ROWS], components), (width, 1)))


class SeaSurface(Block):
    """Elevation, slope, orbital velocity and dynamic pressure of waves at a point, by linear theory.

    ζ = Σ a cos θ,  θ = k_north x + k_east y - ω t + ε
    slope = (∂ζ/∂x, ∂ζ/∂y) = -Σ a (k_north, k_east) sin θ
    (v_north, v_east) = Σ a ω cosh k(h - z)/sinh kh (k_north, k_east)/k cos θ
    v_down = -Σ a ω sinh k(h - z)/sinh kh sin θ
    p = ρ g Σ a cosh k(h - z)/cosh kh cos θ

    a, ω, k, ε, h: of the components in `waves`, see `IrregularSea`; (x, y, z): `position`, north, east and down from
    the still water, m; ζ: `elevation`, positive **up**, m; `velocity` of the water, north, east, down, m/s; p:
    `pressure`, dynamic, that is over ρ g z, Pa; ρ: `density`, kg/m³; g: `gravity`, m/s². In deep water all three
    factors of z are e^(-kz).

    Above the still water, z < 0, velocity and pressure are those at z = 0: there the factors would grow beyond what
    linear theory can say. Below the bottom there is no water: positions there are the user's to avoid.

    Raises ParameterError if density or gravity is not positive.

    Source: Faltinsen (1990), Sea Loads on Ships and Offshore Structures, table 2.1.
    """

    kernel = "sea_surface"
    sizes = ("n",)
    uses_time = True

    waves = Input(Waves, "components of the sea")
    position = Input(Position, "where to look", default=0.0)
    elevation = Output(Length, "ζ, positive up")
    slope = Output(_Slope, "of the surface to north and to east, positive where it rises", nominal=0.1)
    velocity = Output(Velocity, "orbital velocity of the water")
    pressure = Output(_Pressure, "dynamic pressure p", nominal=1e4)

    density = Parameter(1025.0, unit="kg/m^3", above=0.0, doc="of the water ρ")
    gravity = Parameter(9.81, unit="m/s^2", above=0.0, doc="g, of the pressure; that of the waves is in `waves`")

    def output_sources(self, output: str, sizes: Sizes) -> Sources:
        """The depth counts for what is below the surface, and only there."""
        width = {"elevation": 1, "slope": 2, "velocity": 3, "pressure": 1}[output]
        at_surface = output in ("elevation", "slope")
        rows = _SURFACE if at_surface else ROWS
        found: dict[str, Pattern] = {
            "waves": _on(rows, width, sizes["n"]),
            "position": elements("x y") if at_surface else WHOLE,
            TIME: WHOLE,
        }
        if output == "pressure":
            found |= {"density": WHOLE, "gravity": WHOLE}
        return found


class WaveGauges(Block):
    """Elevation of waves at several fixed points, such as the gauges of a tank or the nodes of a picture.

    ζ_i = Σ a cos(k_north x_i + k_east y_i - ω t + ε)

    a, ω, k, ε: of the components in `waves`, see `IrregularSea`; (x_i, y_i): `positions`, m×2, north and east, m;
    `elevation`: ζ_i, m, positive **up**, m.

    Source: Faltinsen (1990), Sea Loads on Ships and Offshore Structures, table 2.1.
    """

    examples = ({"positions": [[0.0, 0.0], [2.0, -3.0]]},)

    kernel = "wave_gauges"
    sizes = ("n", "m")
    uses_time = True
    positional = ("positions",)

    waves = Input(Waves, "components of the sea")
    elevation = Output(_Elevations, "ζ at each position, positive up")
    positions = Parameter(shape=("m", 2), unit="m", frame="ned", doc="north and east of each")

    def output_sources(self, output: str, sizes: Sizes) -> Sources:
        """Not on the depth, which is in the wave numbers."""
        return {"waves": _on(_SURFACE, sizes["m"], sizes["n"]), TIME: WHOLE, "positions": WHOLE}
