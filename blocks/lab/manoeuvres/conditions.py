"""What all manoeuvres have in common: how a vessel is held, how it approaches, how it is integrated."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.errors import did_you_mean
from blocks.lab.manoeuvres.craft import Array, Craft, Lever, Reference
from blocks.lab.manoeuvres.helmsman import Helmsman, seconds
from blocks.lab.manoeuvres.outcome import hull_length
from blocks.lab.trial import ManoeuvreError, Trial

if TYPE_CHECKING:
    from blocks.plan import Plan


class Conditions(TypedDict, total=False):
    """Arguments that every manoeuvre takes.

    inputs: what inputs are held at, by name: {"speed": 1.0}; inputs of blocks inside too, "thruster.command".
    pose: the output that is the vessel's pose, if there are several. rudder: the recorded output that is the rudder
    angle, for figures. approach: how long the vessel goes on straight before, s or text with a unit; by default until
    its speed is steady. longest: the longest that anything may take; by default 1 h, and for hulls of more than 30 m as
    much more as Froude's law has it, by the root of their length. length: of the hull, m, for the criteria and
    to draw it. solver, step, …: as `simulate` takes them; the step is 0.02 s.
    """

    inputs: Mapping[str, Any] | None
    pose: str | None
    rudder: str | None
    approach: float | str | None
    longest: float | str
    length: float | str | None
    solver: str
    step: float | str
    relative_tolerance: float
    absolute_tolerance: float
    max_step: float | str


HOUR = 3600.0
QUICK = 30.0
"""Length of a hull for which an hour is enough of anything, m."""
_SOLVER = ("solver", "step", "relative_tolerance", "absolute_tolerance", "max_step")


class Ground:
    """A craft under conditions. Raises ManoeuvreError for what is unknown."""

    def __init__(self, craft: Diagram | Block, given: Conditions) -> None:
        valid = Conditions.__annotations__
        for name in given:
            if name not in valid:
                raise ManoeuvreError(f"a manoeuvre has no condition '{name}'{did_you_mean(name, valid)}")
        self.craft = Craft(craft, given.get("inputs"), given.get("pose"))
        self.rudder = given.get("rudder")
        self.wait = given.get("approach")
        self.length = hull_length(given.get("length"))
        self.longest = seconds(given.get("longest", self._patience()), "longest")
        self.settings: dict[str, Any] = {"step": 0.02} | {n: v for n, v in given.items() if n in _SOLVER}
        self._plan: Plan | None = None

    def _patience(self) -> float:
        """How long a hull of this length may take, s."""
        vessel = self.craft.diagram.blocks()[self.craft.pose.rpartition(".")[0]]
        own = [vessel.values.get(name, 0.0) for name in ("length", "cross_flow_length")]
        length = self.length or max(float(np.max(value)) for value in own)
        return HOUR * max(1.0, math.sqrt(length / QUICK))

    def helm(self, reference: Reference, order: Any = None) -> Lever:
        """The lever that turns the vessel; an input without a unit takes that of the order."""
        return self.craft.lever(reference, "helm", order=order)

    def set_out(self) -> Helmsman:
        """A run of which the approach is over."""
        if self._plan is None:
            self.craft.check()
            self._plan = self.craft.plan(**self.settings)
        helmsman = Helmsman(self.craft, self._plan, self.longest)
        helmsman.approach(self.wait)
        return helmsman

    def trial(self, helmsman: Helmsman, unit: str, engine: Array | None = None) -> Trial:
        """What was recorded."""
        rudder = None if self.rudder is None else helmsman.result().values(self.rudder)
        return Trial(helmsman.time, helmsman.position(), helmsman.heading(), helmsman.ordered(), rudder, engine, unit)
