"""From a diagram to numbers: what an engine runs, in Python, in an FMU or in a swarm."""

from blocks.plan.plan import Plan, make_plan

__all__ = ["Plan", "make_plan"]
