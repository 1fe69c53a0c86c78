"""What currents and winds on a grid share: the axes, what happens outside of them, and what is said then."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from blocks.basic.common import check_increasing
from blocks.block import Block, Sizes
from blocks.model.declare import Input, Parameter
from blocks.model.dependence import TIME, Pattern, Sources, between, rows
from blocks.signal import Pose

_HORIZONTAL = "north east"

# Of which the examples of fields are made: a wide grid and a narrow one, and velocities at 2 times and depths.
WIDE = {"x": [-60.0, -0.9, 0.8, 70.0], "y": [-80.0, -1.1, 75.0], "times": [-1.5, 2.0]}
NARROW = {"x": [-1.4, -0.5, 0.6, 1.7], "y": [-1.6, 0.4, 1.3], "outside": "fill", "fill": [0.3, -0.4]}
NORTH, EAST = (0.618 * np.arange(144.0) % 2.0 - 1.0).reshape(2, 2, 3, 4, 3)


class VelocityField(Block, abstract=True):
    """A horizontal velocity that is given on a grid over north and east, and over time.

    Between the nodes of the grid and the times it is straight in each of them: bilinear in space. Nodes need not be at
    equal distances. The vertical velocity is zero.

    **Outside** the grid `outside="error"` stops the run, with the place and what the grid spans; "fill" gives the
    velocity `fill`, with a jump at the border. Before the first and after the last time `time_outside="hold"` gives
    what there is then, and "error" stops the run.

    Definition: of this library.
    """

    uses_time = True
    least_sizes: ClassVar[Mapping[str, int]] = {"nx": 2, "ny": 2}
    faults = (
        "eta is outside of the grid",
        "the time is outside of those of the field",
    )

    eta = Input(Pose, "η; the position counts")

    x = Parameter(shape=("nx",), unit="m", doc="increasing distances of the nodes to north")
    y = Parameter(shape=("ny",), unit="m", doc="increasing distances of the nodes to east")
    times = Parameter([0.0], shape=("nt",), unit="s", doc="increasing times; one: a steady field")

    def horizontal_sources(self, sizes: Sizes, depths: bool) -> Sources:
        """North and east on everything that has a choice."""
        found: dict[str, Pattern] = {
            "x": rows(_HORIZONTAL),
            "y": rows(_HORIZONTAL),
            "north": rows("north"),
            "east": rows("east"),
            "fill": rows(_HORIZONTAL),
            "eta": between({_HORIZONTAL: "x y z" if depths else "x y"}),
        }
        if sizes["nt"] > 1:
            found |= dict.fromkeys((TIME, "times"), rows(_HORIZONTAL))
        return found

    def validate(self) -> None:
        """Axes in order."""
        for name, least in (("x", 2), ("y", 2), ("times", 1)):
            check_increasing(self, name, at_least=least)

    def fault_details(self, fault: int, inputs: Mapping[str, NDArray[np.float64]]) -> str:
        """Where it is, and what the grid spans."""
        if fault == 2:
            return f": it has {self.times[0]:g} to {self.times[-1]:g} s; time_outside='hold' holds what there is then"
        x, y = inputs["eta"][:2]
        return (
            f": it is at x = {x:.10g} m, y = {y:.10g} m, and the grid spans x = {self.x[0]:g} to {self.x[-1]:g} m, "
            f"y = {self.y[0]:g} to {self.y[-1]:g} m; outside='fill' gives the velocity fill there"
        )


def outside() -> Parameter:
    """What happens outside of the grid."""
    return Parameter("error", choices=("error", "fill"), doc="outside of the grid: stop the run, or take fill")


def fill() -> Parameter:
    """The velocity there."""
    return Parameter(
        0.0, shape=(2,), unit="m/s", frame="ned", labels=("north", "east"), doc="velocity outside, if it is filled"
    )


def time_outside() -> Parameter:
    """What happens at other times."""
    return Parameter(
        "hold", choices=("hold", "error"), doc="before the first and after the last time: hold, or stop the run"
    )


def values(doc: str, *dimensions: str) -> Any:
    """A component of the velocity at each node."""
    return Parameter(shape=dimensions, unit="m/s", doc=doc)
