"""Scenarios: a diagram, how it is run and what is reported, as one YAML file.

scenario = Scenario.load("examples/minerva_los.yaml")
result = scenario.run(end="60 s")
"""

from blocks.scenario.scenario import Scenario

__all__ = ["Scenario"]
