"""The node that `live: ros2:` in a scenario describes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from blocks.live.ros2.available import require
from blocks.live.ros2.node import Ros2Node
from blocks.scenario import Scenario


def node_of(scenario: Scenario, folder: Path, arguments: Sequence[str] = ()) -> Ros2Node:
    """The node of a scenario; `~/save` writes to `folder`; arguments: those of ROS, from --ros-args on.

    Raises SimulationError for topics that cannot be, and Ros2Error where there is no ROS 2.
    """
    require()
    given = dict(scenario.live.get("ros2") or {})
    name = given.pop("node", scenario.name)
    return Ros2Node(name=name, file=folder / f"{scenario.name}_saved.nc", arguments=arguments, **given)
