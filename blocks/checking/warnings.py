"""What is legal and improbable in a scenario, as warnings."""

from __future__ import annotations

from blocks.plan import Plan
from blocks.problems import Problem
from blocks.scenario import Scenario
from blocks.yaml.reading import Document


def warnings_of(scenario: Scenario, plan: Plan, document: Document) -> tuple[Problem, ...]:
    """All warnings, in the order of the file."""
    return ()
