"""The lab: experiments on vessels, and what is measured in them.

trial = Trial.of_run(run, order="helm.y", rudder="rudder.angle")
circle = measure_turning_circle(trial)
print(table({"35° to starboard": circle}))
turning_circle_figure({"35° to starboard": trial}).savefig("turning_circle.png")

`blocks.lab.manoeuvres` does such trials in one call each.
"""

from typing import TYPE_CHECKING, Any

from blocks.lab.measures import table
from blocks.lab.pull_out import PullOut, measure_pull_out
from blocks.lab.spiral import Spiral, measure_spiral
from blocks.lab.stopping import Stopping, measure_stopping
from blocks.lab.trial import Execute, ManoeuvreError, Trial
from blocks.lab.turning_circle import SteadyTurn, TurningCircle, measure_turning_circle
from blocks.lab.zigzag import Zigzag, measure_zigzag

if TYPE_CHECKING:
    from blocks.lab.figures import turning_circle_figure, zigzag_figure

__all__ = [
    "Execute",
    "ManoeuvreError",
    "PullOut",
    "Spiral",
    "SteadyTurn",
    "Stopping",
    "Trial",
    "TurningCircle",
    "Zigzag",
    "measure_pull_out",
    "measure_spiral",
    "measure_stopping",
    "measure_turning_circle",
    "measure_zigzag",
    "table",
    "turning_circle_figure",
    "zigzag_figure",
]


def __getattr__(name: str) -> Any:
    """The figures, imported when they are asked for: matplotlib takes long to load."""
    if name in __all__ and name.endswith("_figure"):
        from blocks.lab import figures

        return getattr(figures, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
