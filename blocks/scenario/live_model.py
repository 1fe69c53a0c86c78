"""The structure of `live:` in a scenario: how it runs beside a clock, and with whom."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from blocks.scenario.entry import Entry, Names, Quantity


class LiveEntry(Entry):
    """How a scenario runs in real time, what is shown of it, and who takes part."""

    factor: Quantity | None = Field(None, description="times real time, 1 if not given; 0: as fast as it goes")
    rate: Quantity | None = Field(
        None, description="how often others have their turn, such as 50 Hz; at every step, up to 50 Hz, if not given"
    )
    late: Literal["catch up", "skip", "stop"] | None = Field(
        None, description="what to do when the run is behind the clock; catch up if not given"
    )
    show: Names | None = Field(None, description="signals that the terminal shows, such as vessel.eta[psi]")
    ros2: dict[str, Any] | None = Field(None, description="the diagram as a node of ROS 2")
    ardupilot: dict[str, Any] | None = Field(None, description="the diagram as the physics of ArduPilot")
