"""Studies: many runs that differ in factors, in threads, in processes or on a cluster, as one table.

from blocks.study import LatinHypercube, Study, Uniform
"""

from blocks.study.design import Grid, LatinHypercube, Random, Sobol
from blocks.study.distribution import Choice, LogUniform, Normal, Uniform
from blocks.study.errors import StudyError
from blocks.study.factor import Factor
from blocks.study.metric import Metric
from blocks.study.outcome import Outcome, StudyInterrupted, StudyStopped
from blocks.study.seeds import Seeds
from blocks.study.study import Study

__all__ = [
    "Choice",
    "Factor",
    "Grid",
    "LatinHypercube",
    "LogUniform",
    "Metric",
    "Normal",
    "Outcome",
    "Random",
    "Seeds",
    "Sobol",
    "Study",
    "StudyError",
    "StudyInterrupted",
    "StudyStopped",
    "Uniform",
]
