"""The structure of `live: ros2:` in a scenario: a diagram as a node of ROS 2."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StrictInt, StringConstraints

from blocks.scenario.entry import Entry, Names
from blocks.scenario.topics_model import InputTopics, Topics

NodeName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]
Namespace = Annotated[str, StringConstraints(pattern=r"^(/?[A-Za-z_][A-Za-z0-9_]*(/[A-Za-z_][A-Za-z0-9_]*)*)?$")]
Clock = Literal["publish", "follow", "none"]


class Ros2Entry(Entry):
    """Which topics a node publishes and takes, and what it offers besides."""

    node: NodeName | None = Field(None, description="name of the node; that of the scenario if not given")
    namespace: Namespace = Field("", description="before topics and services without a leading /, such as usv_1")
    topics: Topics | None = Field(
        None, description="what is published, by topic; every signal ten times a second if not given, {} for nothing"
    )
    inputs: InputTopics | None = Field(
        None,
        description="topics that give inputs and parameters; cmd/NAME for each input of the diagram if not given, {} "
        "for none",
    )
    clock: Clock = Field(
        "publish",
        description="publish: simulated time goes out on /clock and into stamps; follow: the run keeps to the /clock "
        "of others; none: stamps are the time of the machine; publish if not given",
    )
    parameters: Names = Field(
        default_factory=lambda: ["*"],
        description="parameters of blocks that are parameters of the node, with * as in file names; all if not given, "
        "[] for none",
    )
    services: bool = Field(True, description="whether there are ~/reset, ~/pause, ~/step and ~/save; true if not given")
    depth: StrictInt = Field(10, ge=1, le=10_000, description="messages that wait for slow subscribers, of each topic")
    vehicles: Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_/]*\{\}[A-Za-z0-9_/]*$")] = Field(
        "vehicle_{}", description="names of the vehicles of a fleet, with {} for the number"
    )
    domain: StrictInt | None = Field(None, ge=0, le=232, description="ROS_DOMAIN_ID; that of the environment otherwise")
