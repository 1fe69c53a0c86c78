"""Two seas at once."""

from __future__ import annotations

from typing import ClassVar

from blocks.block import Block, Sizes
from blocks.environment.sea import ROWS
from blocks.model.declare import Input, Output
from blocks.model.dependence import WHOLE, Elements, Pattern, Sources
from blocks.signal import Signal, Waves

_First = Signal("Waves", (7, "n1"), "1", "ned")
_Second = Signal("Waves", (7, "n2"), "1", "ned")

_MANY = 20_000
"""Elements of a sea beyond which their places are no longer told apart."""


class _Beside(Pattern):
    """Columns of a sea within those of both: element by element, from a column on."""

    def __init__(self, start: int, count: int, total: int) -> None:
        self.start, self.count, self.total = start, count, total

    def masks(self, target: Elements, source: Elements) -> list[int]:
        found = [0] * target.count
        for row in range(len(ROWS)):
            for column in range(self.count):
                found[row * self.total + self.start + column] = 1 << (row * self.count + column)
        return found


class CrossingSeas(Block):
    """Two seas at once, such as wind sea and swell from different directions: their components side by side.

    ζ = ζ_1 + ζ_2,  H² = H_1² + H_2²

    ζ: elevation, m; H: significant height, m; `first`, 7×n_1, and `second`, 7×n_2: components of seas, see
    `IrregularSea`; `waves`, 7×(n_1 + n_2): those of the first, then those of the second. Elevations,
    loads and motions are linear in the components, so those of both seas add; slow drift has the differences of both.
    More than two seas: the `waves` of one such block are the `first` of another.

    Give the seas different seeds: with equal seeds their phases are those of each other, which two storms have not.
    Both must be given for the same depth of water.

    Definition: of this library; wind sea and swell as systems: DNV-RP-C205 (2010), sec. 3.5.
    """

    kernel = "crossing_seas"
    sizes: ClassVar[tuple[str, ...]] = ("n", "n1", "n2")

    first = Input(_First, "components of one sea")
    second = Input(_Second, "components of the other")
    waves = Output(Waves, "those of the first, then those of the second")

    def sizes_that_follow(self, sizes: Sizes) -> Sizes:
        """As many components as both have."""
        if "n1" in sizes and "n2" in sizes:
            return {"n": sizes["n1"] + sizes["n2"]}
        return {}

    def output_sources(self, output: str, sizes: Sizes) -> Sources:
        """Element by element."""
        one, two = sizes["n1"], sizes["n2"]
        if len(ROWS) * (one + two) > _MANY:
            return {"first": WHOLE, "second": WHOLE}
        return {"first": _Beside(0, one, one + two), "second": _Beside(one, two, one + two)}
