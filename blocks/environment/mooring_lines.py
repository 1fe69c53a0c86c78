"""What mooring lines are, whatever is computed of them: where they are, what they weigh, and what they hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from blocks.basic.common import NO_LIMIT
from blocks.block import Block
from blocks.environment.anchor_plan import LinesParameter
from blocks.errors import ParameterError
from blocks.model.declare import Input, Output, Parameter
from blocks.model.derived import Derived
from blocks.model.examples import Example
from blocks.problems import Problem
from blocks.signal import BodyVelocity, Forces, Pose, Signal, Velocity, Wrench

_Lengths = Signal("Lengths", ("n",), "m")
_Angles = Signal("Angles", ("n",), "rad")
_DEPTH_ERROR = 1e-6
"""Of an anchor, over the depth: what is closer lies on the floor."""

TWO_LINES: Example = {
    "lines": [
        {"anchor": [9.0, 1.0, 1.0], "fairlead": [1.0, 0.4, -0.2]},
        {"anchor": [-7.0, 3.0, 0.8], "fairlead": [-1.0, 0.3, 0.1]},
    ],
    "length": [8.6, 7.4],
    "mass_per_length": [1.2, 0.9],
    "diameter": [0.02, 0.01],
    "depth": 1.0,
    "axial_stiffness": 2000.0,
    "seabed_friction": 0.5,
}
BY_WEIGHT: Example = TWO_LINES | {"weight": [9.0, 5.0]}


class MooringLines(Block, abstract=True):
    """n lines from anchors to fairleads of a vessel."""

    examples: ClassVar[tuple[Example, ...]] = (TWO_LINES, BY_WEIGHT)
    sizes: ClassVar[tuple[str, ...]] = ("n",)

    eta = Input(Pose, "η, pose of the vessel")
    nu = Input(
        BodyVelocity, "ν, velocity of the vessel over ground", default=0.0, wanted=lambda block: block.feels_velocity
    )
    current = Input(Velocity, "velocity of the water", default=0.0)
    anchor_eta = Input(Pose, "pose of what holds the anchors, a second vessel; the ground stays at 0", default=0.0)
    anchor_nu = Input(BodyVelocity, "its velocity over ground", default=0.0)

    disturbance = Output(Wrench, "pull of all lines on the vessel about the body origin", nominal=1e4)
    anchor_disturbance = Output(Wrench, "pull on what holds the anchors, about its origin, in its axes", nominal=1e4)
    tension = Output(Forces, "at the fairlead", nominal=1e4)
    anchor_tension = Output(Forces, "at the anchor", nominal=1e4)
    suspended = Output(_Lengths, "how much of each hangs free, unstretched")
    angle = Output(_Angles, "how far each points below the horizontal at the fairlead")

    lines = LinesParameter()
    length = Parameter(shape=("n",), unit="m", above=0.0, doc="L, unstretched")
    axial_stiffness = Parameter(shape=("n",), unit="N", above=0.0, doc="EA")
    mass_per_length = Parameter(0.0, shape=("n",), unit="kg/m", at_least=0.0, doc="m, in air")
    diameter = Parameter(0.0, shape=("n",), unit="m", at_least=0.0, doc="d, of a cylinder of the same volume")
    weight = Parameter(
        NO_LIMIT, shape=("n",), unit="N/m", doc="w, in water, negative if it floats; not given: g (m - ρ π d²/4)"
    )
    seabed_friction = Parameter(0.0, shape=("n",), at_least=0.0, doc="μ, of the line on the floor")
    depth = Parameter(NO_LIMIT, unit="m", doc="of the floor, below the datum of η; not given: there is none")
    density = Parameter(1025.0, unit="kg/m^3", above=0.0, doc="density of the water ρ")
    gravity = Parameter(9.81, unit="m/s^2", above=0.0, doc="g")

    feels_velocity: ClassVar[bool] = False
    """Whether loads depend on ν, too."""

    wet_weight = Derived("w of each line", shape=("n",), unit="N/m")

    @property
    def anchors(self) -> NDArray[np.float64]:
        """Where the anchors are: north, east, down, m, n×3."""
        return np.asarray(self.lines, dtype=np.float64)[:, :3]

    @property
    def fairleads(self) -> NDArray[np.float64]:
        """Where the fairleads are: ahead, starboard, down from the body origin, m, n×3."""
        return np.asarray(self.lines, dtype=np.float64)[:, 3:]

    def _each(self, name: str) -> NDArray[np.float64]:
        """A parameter with a number for each line."""
        value: NDArray[np.float64] = np.broadcast_to(np.asarray(self.values[name], dtype=np.float64), len(self.lines))
        return value

    def validate(self) -> None:
        """Ends for each line, anchors not below the floor, and a weight."""
        if np.ndim(self.lines) != 2:
            raise ParameterError(
                f"{self._called()}.lines must be {type(self).parameters['lines'].form()}, "
                f"not the single number {self.lines:g}"
            )
        for i, anchor in enumerate(self.anchors):
            if anchor[2] > self.depth + _DEPTH_ERROR * abs(self.depth):
                raise ParameterError(
                    f"{self._called()}.lines[{i}]: its anchor is {anchor[2]:g} m down, below the floor at a depth of "
                    f"{self.depth:g} m; down is positive"
                )
        bare = (self._each("weight") >= NO_LIMIT) & (self._each("mass_per_length") == 0.0)
        if np.any(bare):
            raise ParameterError(
                f"{self._called()}.lines[{int(np.argmax(bare))}] has no weight: give `weight` in water, N/m, or `mass` "
                f"per length and `diameter`; a line without weight says weight: 0"
            )

    def improbable(self) -> Iterator[Problem]:
        """Anchors above the floor, no floor under anchors, and lines that do not reach their anchors."""
        yield from super().improbable()
        if np.ndim(self.lines) != 2:
            return
        for i, (anchor, fairlead, length) in enumerate(
            zip(self.anchors, self.fairleads, self._each("length"), strict=True)
        ):
            yield from self._improbable_line(i, anchor, fairlead, float(length))

    def _improbable_line(self, i: int, anchor: Any, fairlead: Any, length: float) -> Iterator[Problem]:
        above = self.depth - anchor[2]
        deep = anchor[2] - fairlead[2] > 0.02 * length
        distance = float(np.sqrt(np.sum(np.square(anchor - fairlead))))
        if deep and self.depth < NO_LIMIT and above > _DEPTH_ERROR * self.depth:
            yield Problem(
                "warning",
                "anchor-above-seabed",
                f"{self._called()}: the anchor of line {i} is {above:g} m above the floor: the line hangs from it, and "
                f"friction does not hold it",
                hint=f"an anchor on the floor is {self.depth:g} m down",
                block=self.path,
                parameter="lines",
            )
        if deep and self.depth >= NO_LIMIT and length > distance:
            yield Problem(
                "warning",
                "no-seabed",
                f"{self._called()}.depth is not given: lines hang freely, and line {i} maybe below its anchor",
                hint=f"if that anchor is on the floor, write depth: {anchor[2]:g}",
                block=self.path,
                parameter="lines",
            )
        if distance > length:
            yield Problem(
                "warning",
                "line-too-short",
                f"{self._called()}: line {i} is {length:g} m long, and its ends are {distance:g} m apart with the "
                f"vessel at the origin, which stretches it by {distance / length - 1.0:.2%}",
                hint="chain and steel wire break at some 1 %, polyester at some 10 %",
                block=self.path,
                parameter="lines",
            )
