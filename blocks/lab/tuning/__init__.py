"""Tuning: the parameters at which a metric of runs is least.

tuned = tune(loop, "itae(vessel.eta[psi], wanted.y)", over={"heading.kp": (10, 1000)}, end="60 s")
print(tuned)
tuned.diagram            # a copy with the parameters set
"""

from blocks.lab.tuning.errors import TuningError, TuningInterrupted
from blocks.lab.tuning.figures import tuning_figure
from blocks.lab.tuning.file import Tuning
from blocks.lab.tuning.outcome import Tuned
from blocks.lab.tuning.tune import tune

__all__ = ["Tuned", "Tuning", "TuningError", "TuningInterrupted", "tune", "tuning_figure"]
