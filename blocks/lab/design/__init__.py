"""Design of loops: what the loops of a scenario bear, which modes it has, and gains that look at all of it."""

from blocks.lab.design.design import design
from blocks.lab.design.found import Design
from blocks.lab.design.look import Look, look
from blocks.lab.design.modes import Mode
from blocks.lab.design.robustness import LoopMargins, disk_margin

__all__ = ["Design", "Look", "LoopMargins", "Mode", "design", "disk_margin", "look"]
