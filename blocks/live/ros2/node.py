"""The node: source and sink of a run in real time, and what rclpy needs beside it."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from blocks.errors import SimulationError
from blocks.live.messages import publications, stamp_of, stamp_of_nanoseconds, subscriptions
from blocks.live.messages.contents import Message
from blocks.live.messages.entries import input_entries, topic_entries
from blocks.live.messages.outgoing import Signals
from blocks.live.ros2.automatic import automatic_inputs, automatic_topics
from blocks.live.ros2.available import Ros2Error, require
from blocks.live.ros2.publishing import Topic, of_vehicles
from blocks.live.ros2.receiving import Inbox
from blocks.live.ros2.requests import Requests
from blocks.realtime.loop import RATE
from blocks.realtime.turns import hertz
from blocks.scenario.ros2_model import Ros2Entry
from blocks.swarm.fleet_run import FleetRun

if TYPE_CHECKING:
    from blocks.realtime.loop import RealTime
    from blocks.simulator import Simulator

_FIRST_CLOCK = 30.0
"""How long a run that follows /clock waits for it to begin, s."""
_POLL = 0.002
"""Time between two looks at a clock that is followed, s."""


class Ros2Node:
    """A diagram as a node of ROS 2, attached to a run in real time as its source and its sink.

        node = Ros2Node(topics={"odom": {"type": "nav_msgs/Odometry", "eta": "vessel.eta", "nu": "vessel.nu"}},
                        inputs={"wrench": {"type": "geometry_msgs/WrenchStamped", "force": "force"}})
        simulator.run_realtime(**node.attached)

    topics, inputs: as `live: ros2:` in a scenario has them; see docs/ros2.md. None: every signal, and what signals make
        together, ten times a second; every input of the diagram, under cmd/.
    name, namespace: of the node.
    clock: "publish", "follow" or "none".
    parameters: patterns of those that are shown.
    services: whether there are ~/reset, ~/pause, ~/step and ~/save; file: what the last one writes.
    depth: messages of a topic that wait for slow subscribers.
    vehicles: names of those of a `Fleet`, with {} for the number, which is as wide for all. Topics without a leading /
        and frames of bodies begin with them. A fleet has no parameters here.
    domain: ROS_DOMAIN_ID instead of the environment's. arguments: those of ROS, ["--ros-args", "-r", "odom:=track"].

    Messages are taken and requests are done between two turns, by the thread that runs the simulation; a thread of its
    own waits for them, since waiting by rclpy costs 0.1 ms a turn, and one turn for each message.

    Raises SimulationError for what cannot be, here and when it is opened, and Ros2Error where there is no ROS 2.
    """

    def __init__(
        self,
        *,
        topics: Mapping[str, Any] | None = None,
        inputs: Mapping[str, Any] | None = None,
        name: str = "keelblocks",
        namespace: str = "",
        clock: str = "publish",
        parameters: Iterable[str] = ("*",),
        services: bool = True,
        file: str | PathLike[str] = "run.nc",
        depth: int = 10,
        vehicles: str = "vehicle_{}",
        domain: int | None = None,
        arguments: Sequence[str] = (),
    ) -> None:
        self.entry = _entry(
            node=name, namespace=namespace, clock=clock, services=services, depth=depth, domain=domain,
            vehicles=vehicles, parameters=parameters if isinstance(parameters, str) else list(parameters),
        )  # fmt: skip
        self.topics = None if topics is None else topic_entries(topics)
        self.inputs = None if inputs is None else input_entries(inputs)
        self.file, self.arguments = Path(file), list(arguments)
        self.node: Any = None
        """The node of rclpy while the run goes on, for what is not offered here: publishers of your own, transforms."""
        self._realtime: RealTime | None = None
        self._requests: Requests | None = None
        self._context: Any = None
        self._executor: Any = None
        self._thread: threading.Thread | None = None
        self._inbox: Inbox | None = None
        self._topics: list[Topic] = []
        self._vehicles: list[str] = []
        self._clock: Any = None
        self._services: Any = None
        self._last = 0.0
        self._called = threading.Event()

    @property
    def attached(self) -> dict[str, Any]:
        """What `run_realtime` takes of it."""
        return {"sources": {"ros2": self}, "sinks": {"ros2": self}} | self.timing

    @property
    def timing(self) -> dict[str, Any]:
        """The clock that the loop keeps to, and the rate of the fastest topic, if it would be slower otherwise."""
        taken: dict[str, Any] = {"clock": self.clock, "sleep": self.sleep}
        rates = [hertz(entry.rate) for entry in (self.topics or {}).values() if entry.rate is not None]
        return taken | ({"rate": max(rates)} if max(rates, default=0.0) > RATE else {})

    # --- time ------------------------------------------------------------------------------------------------------

    def clock(self) -> float:
        """The clock that the run keeps to, s: that of the machine, or /clock."""
        if self.entry.clock != "follow":
            return time.monotonic()
        return 0.0 if self.node is None else float(self.node.get_clock().now().nanoseconds) * 1e-9

    def sleep(self, seconds: float) -> None:
        """Wait, until a request comes in at most."""
        follow = self.entry.clock == "follow"
        self._called.wait(min(seconds, _POLL) if follow else seconds)
        self._called.clear()
        if follow:
            self._last, before = self.clock(), self._last
            if (
                self._last < before and self._realtime is not None
            ):  # the other run was reset: this one goes on from here
                self._realtime.pacing.anchor(self._realtime.simulator.time)

    def _stamp(self, t: float) -> Message:
        if self.entry.clock == "publish":
            return stamp_of(t)
        return stamp_of_nanoseconds(self.node.get_clock().now().nanoseconds)

    # --- source and sink ---------------------------------------------------------------------------------------------

    def attach(self, realtime: RealTime) -> None:
        """Know the loop, for services and rates."""
        self._realtime = realtime

    def open(self, simulator: Simulator) -> None:
        """Make the node. Raises SimulationError for topics and names that cannot be."""
        require()
        try:
            self._open(simulator)
        except BaseException:
            self.close()
            raise

    def _open(self, simulator: Simulator) -> None:
        import rclpy
        from rclpy.exceptions import InvalidTopicNameException
        from rclpy.executors import SingleThreadedExecutor
        from rclpy.impl.implementation_singleton import rclpy_implementation
        from rclpy.parameter import Parameter

        from blocks.live.ros2.parameter_node import ParameterNode
        from blocks.live.ros2.parameters import BlockParameters
        from blocks.live.ros2.services import Services

        entry = self.entry
        self._requests = Requests(self._called.set)
        self._context = rclpy.Context()
        try:
            rclpy.init(args=self.arguments, context=self._context, domain_id=entry.domain)
        except rclpy_implementation.RCLError as problem:
            raise Ros2Error(str(problem).partition(", at /")[0]) from None
        follow = [Parameter("use_sim_time", Parameter.Type.BOOL, True)] if entry.clock == "follow" else []
        self.node = ParameterNode(
            entry.node or "keelblocks", namespace=entry.namespace, context=self._context, parameter_overrides=follow
        )
        try:
            self._open_topics(simulator)
        except InvalidTopicNameException as problem:
            raise Ros2Error(str(problem)) from None
        if entry.parameters and not self._vehicles:
            self.node.show(BlockParameters(simulator, entry.parameters), self._requests)
        if entry.services:
            self._services = Services(self.node, simulator, self._realtime, self._requests, self.file)
        self._executor = SingleThreadedExecutor(context=self._context)
        self._executor.add_node(self.node)
        self._thread = threading.Thread(target=self._spin, name="ros2", daemon=True)
        self._thread.start()
        if entry.clock == "follow":
            self._await_clock()

    def _open_topics(self, simulator: Any) -> None:
        entry = self.entry
        self._vehicles = []
        if isinstance(simulator, FleetRun):
            width = len(str(len(simulator.fleet) - 1))
            self._vehicles = [entry.vehicles.replace("{}", f"{i:0{width}d}") for i in range(len(simulator.fleet))]
        outputs, inputs = simulator.plan.outputs | simulator.plan.external_outputs, simulator.plan.inputs
        signals = Signals(outputs | inputs, {leaf.name: leaf.block for leaf in simulator.plan.flat.leaves})
        turn = 0.0 if self._realtime is None else self._realtime.turn
        topics = automatic_topics(signals, turn) if self.topics is None else self.topics
        if self._vehicles:
            topics = of_vehicles(topics, self._vehicles)
        self._topics = [Topic(self.node, one, entry.depth, self._vehicles) for one in publications(topics, signals)]
        for one in self._topics:
            one.check(turn)
        settable = inputs if self._vehicles else inputs | simulator.plan.parameters
        shapes = {name: place.shape for name, place in settable.items()}
        taken = automatic_inputs(inputs) if self.inputs is None else self.inputs
        self._inbox = Inbox(self.node, simulator, subscriptions(taken, shapes), self._vehicles)
        if entry.clock == "publish":
            [clock] = publications(topic_entries({"/clock": {"type": "rosgraph_msgs/Clock"}}), signals)
            self._topics.insert(0, Topic(self.node, clock, entry.depth))

    def read(self, simulator: Simulator, t: float) -> None:
        """Do what was asked for, and set inputs by what came in."""
        assert self._requests is not None
        assert self._inbox is not None
        if self._thread is None or not self._thread.is_alive():
            raise Ros2Error("the node of ROS 2 was shut down")
        self._requests.serve()
        self._inbox.take(simulator.time)

    def write(self, simulator: Simulator, t: float) -> None:
        """Publish what is due."""
        stamp = self._stamp(t)
        for topic in self._topics:
            topic.publish(simulator.__getitem__, stamp, t)
        if self._services is not None:
            self._services.turn_ended()

    def idle(self, simulator: Simulator) -> None:
        """Do what is asked for while the run is paused."""
        if self._realtime is not None and self._realtime.paused and self._requests is not None:
            self._requests.serve()

    def close(self) -> None:
        """Leave the graph."""
        if self._requests is not None:
            self._requests.close()
        if self._executor is not None:
            self._executor.shutdown(timeout_sec=5.0)
        if self._thread is not None:
            self._thread.join(5.0)
        if self.node is not None:
            self.node.destroy_node()
        if self._context is not None:
            self._context.try_shutdown()
        self.node = self._context = self._executor = self._thread = self._services = self._inbox = None
        self._topics = []

    # --- inside ------------------------------------------------------------------------------------------------------

    def _spin(self) -> None:
        from rclpy.executors import ExternalShutdownException, ShutdownException

        while True:
            try:
                self._executor.spin()
            except (ExternalShutdownException, ShutdownException):
                return
            except Exception as problem:  # of rclpy, or of callbacks that others have added to the node
                self.node.get_logger().error(f"{type(problem).__name__}: {problem}")
            else:
                return

    def _await_clock(self) -> None:
        """Wait for the first time on /clock."""
        deadline = time.monotonic() + _FIRST_CLOCK
        while self.clock() == 0.0:
            if time.monotonic() > deadline:
                raise Ros2Error(f"nothing came on /clock for {_FIRST_CLOCK:g} s, and clock: follow keeps to it")
            time.sleep(_POLL)


def _entry(**given: Any) -> Ros2Entry:
    try:
        return Ros2Entry.model_validate(given)
    except ValidationError as problem:
        lines = (f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in problem.errors())
        raise SimulationError("Ros2Node: " + "\n".join(lines)) from None
