"""Check what a scenario says of topics under `live:`, before anything runs, and without ROS 2."""

from __future__ import annotations

from blocks.errors import ScenarioError, raise_all
from blocks.live.messages import publications, subscriptions
from blocks.live.messages.entries import input_entries, topic_entries
from blocks.live.messages.outgoing import Signals
from blocks.plan import Plan
from blocks.run.named import element_of
from blocks.scenario import Scenario
from blocks.scenario.section import section


def check_live(scenario: Scenario, plan: Plan) -> None:
    """Raise ScenarioError, with their lines, for topics that do not fit the diagram."""
    faults: list[ScenarioError] = []
    ros2 = scenario.live.get("ros2") or {}
    document = section(scenario, "live", scenario.live)
    blocks = {leaf.name: leaf.block for leaf in plan.flat.leaves}
    signals = Signals(plan.outputs | plan.external_outputs | plan.inputs, blocks)
    for where, topics in (("topics",), scenario.live.get("topics")), (("ros2", "topics"), ros2.get("topics")):
        for name, entry in topic_entries(topics or {}).items():
            with document.noting(faults, (*where, name)):
                publications({name: entry}, signals)
    settable = plan.inputs | plan.parameters
    shapes = {name: place.shape for name, place in settable.items()}
    taken = {}
    for name, entry in input_entries(ros2.get("inputs") or {}).items():
        taken[name] = entry
        with document.noting(faults, ("ros2", "inputs", name)):
            for given in subscriptions(taken, shapes)[-1].inputs:
                if "[" in given:
                    element_of(settable[given.partition("[")[0]], given)
    raise_all(faults)
