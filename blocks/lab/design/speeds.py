"""What sets the speed of a scenario."""

from __future__ import annotations

from blocks.lab.design.channels import is_controller
from blocks.lab.design.rig import Rig
from blocks.plan.flatten import Leaf


def speed_parameter(rig: Rig) -> str | None:
    """The parameter from which the speed that is wanted comes: of guidance, or a constant. None if there is none."""
    known = rig.closed.plan.parameters
    for leaf in rig.flat.leaves:
        if not is_controller(leaf):
            continue
        port = _wanted(rig, leaf)
        feed = rig.flat.feeds[leaf].get(port) if port else None
        while feed is not None and feed.block is not None:
            source = feed.block
            for name in ("cruise_speed", "value", "after"):
                if f"{source.name}.{name}" in known:
                    return f"{source.name}.{name}"
            inner = list(rig.flat.feeds[source].values())
            feed = inner[0] if len(inner) == 1 else None
    return None


def _wanted(rig: Rig, leaf: Leaf) -> str | None:
    """The input of a controller of surge that says what is wanted."""
    if "speed" in leaf.inputs:
        return "speed"
    measured = rig.flat.feeds[leaf].get("measurement")
    if measured is None or measured.block is None or measured.port not in ("nu", "nu_r"):
        return None
    return "reference" if measured.start == 0 else None
