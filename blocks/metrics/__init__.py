"""Metrics: what is measured of a run, by name, with units.

measure(run, "steady(guidance.cross_track_error)")
measure(run, {"heading": "overshoot(vessel.eta[psi], guidance.heading, leg=2)", "energy": "used(meter.energy)"})
"""

from blocks.metrics.definition import DEFINITIONS, Definition
from blocks.metrics.errors import MetricError
from blocks.metrics.measure import Measured, measure
from blocks.metrics.text import RunMetric

__all__ = ["DEFINITIONS", "Definition", "Measured", "MetricError", "RunMetric", "measure"]
