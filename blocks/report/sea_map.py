"""The surface of a sea from above, drawn on axes, at one time after the other."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LightSource, LinearSegmentedColormap, Normalize
from matplotlib.image import AxesImage
from numpy.typing import NDArray

from blocks.block import Block
from blocks.environment.sea import ROWS
from blocks.environment.sea_surface import WaveGauges
from blocks.errors import ParameterError
from blocks.plan import make_plan

Array = NDArray[np.float64]

WATER = LinearSegmentedColormap.from_list("water", ["#06233f", "#0f4c81", "#3f8fc0", "#a9d6e5", "#f4fbfd"])

_LIGHT = LightSource(azdeg=315.0, altdeg=50.0)


class SeaMap:
    """The elevation on a square grid, north up, and how it is drawn.

    Lit from the northwest, or, as suits a film, in so many colours only. Raises ParameterError for a block that is no
    sea; `where` says who wanted one.
    """

    def __init__(
        self,
        ax: Axes,
        sea: Block,
        side: float | None,
        points: int,
        where: str,
        *,
        centre: tuple[float, float] = (0.0, 0.0),
        colours: int | None = None,
    ) -> None:
        if not isinstance(sea, Block) or "waves" not in sea.output_ports or sea.input_ports:
            raise ParameterError(f"{where} wants a sea, such as JonswapSea or RegularWave, not {type(sea).__name__}")
        waves = sea.evaluate().outputs["waves"]
        side = _wide_enough(waves) if side is None else side
        self.count, self.lit = points, colours is None
        line = np.linspace(-0.5 * side, 0.5 * side, points)
        east, north = np.meshgrid(line + centre[1], line + centre[0])
        plan = make_plan(
            WaveGauges(np.column_stack([north.ravel(), east.ravel()])), input_shapes={"waves": waves.shape}
        )
        self.engine: Any = plan.engine()
        self.engine.values[plan.inputs["waves"].slice] = waves.ravel()
        self.engine.initialise(0.0)
        (place,) = plan.outputs.values()
        self.place = place.slice
        amplitudes = waves[ROWS.index("amplitude")]  # 3.4 standard deviations, unless few waves cannot add up to that
        limit = min(2.4 * float(np.sqrt((amplitudes**2).sum())), 1.001 * float(amplitudes.sum())) or 1.0
        self.norm = Normalize(-limit, limit)
        self.spacing = side / (points - 1)
        ax.set(xlabel="east, m", ylabel="north, m")
        ax.grid(False)
        self.image: AxesImage = ax.imshow(
            np.zeros((2, 2)), cmap=WATER.resampled(colours) if colours else WATER, norm=self.norm, origin="lower",
            extent=(east[0, 0], east[0, -1], north[0, 0], north[-1, 0]), interpolation="bilinear",
            interpolation_stage="data",
        )  # fmt: skip

    @property
    def palette(self) -> list[tuple[float, float, float]]:
        """The colours of the water, if they are few, and white: what a film has to keep, though not all are in its
        first frame.
        """
        shades = self.image.cmap(np.arange(self.image.cmap.N)) if not self.lit else np.ones((0, 4))
        return [(1.0, 1.0, 1.0), *((float(r), float(g), float(b)) for r, g, b, _ in shades)]

    def elevation(self, t: float) -> Array:
        """On the grid, rows from south to north."""
        self.engine.look(t)
        z: Array = self.engine.values[self.place].reshape(self.count, self.count).copy()
        return z

    def show(self, t: float) -> None:
        """Draw the sea as it is at this time."""
        z = self.elevation(t)
        self.image.set_data(self._shaded(z) if self.lit else z)

    def _shaded(self, z: Array) -> Array:
        """In colours, with light from the northwest; slopes are shown alike in any sea."""
        steep = 0.2 * self.spacing / (float(np.abs(np.diff(z)).max()) or 1.0)
        shade = _LIGHT.shade(z, WATER, self.norm, "soft", vert_exag=steep, dx=self.spacing, dy=self.spacing)
        return np.asarray(shade, dtype=np.float64)[..., :3]


def _wide_enough(waves: Array) -> float:
    """Ten times the mean wave length by energy, in round numbers."""
    energy = waves[ROWS.index("amplitude")] ** 2 + 1e-300
    side = 20.0 * np.pi / float((energy * waves[ROWS.index("k")]).sum() / energy.sum())
    digit = 10.0 ** np.floor(np.log10(side))
    return float(np.ceil(side / digit) * digit)
