"""Manoeuvres in one call each, of any vessel: turning circle, zigzag, pull-out, stopping and spiral test.

circle = turning_circle(boat, "35 deg", helm="rudder", inputs={"throttle": 1.0}, length="1.06 m")
print(circle.table())
circle.figure().savefig("turning_circle.png")
"""

from blocks.lab.manoeuvres.conditions import Conditions
from blocks.lab.manoeuvres.criteria import Criterion, criteria
from blocks.lab.manoeuvres.figures import pull_out_figure, spiral_figure, stopping_figure
from blocks.lab.manoeuvres.outcome import Manoeuvre
from blocks.lab.manoeuvres.pull_out import pull_out
from blocks.lab.manoeuvres.spiral import spiral
from blocks.lab.manoeuvres.stopping import stopping
from blocks.lab.manoeuvres.turning_circle import turning_circle
from blocks.lab.manoeuvres.zigzag import zigzag
from blocks.lab.trial import ManoeuvreError

__all__ = [
    "Conditions",
    "Criterion",
    "Manoeuvre",
    "ManoeuvreError",
    "criteria",
    "pull_out",
    "pull_out_figure",
    "spiral",
    "spiral_figure",
    "stopping",
    "stopping_figure",
    "turning_circle",
    "zigzag",
]
