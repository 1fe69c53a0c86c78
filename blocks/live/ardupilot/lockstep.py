"""The physics behind ArduPilot's JSON interface: each packet of servo outputs moves a simulator on by one frame."""

from __future__ import annotations

import errno
import os
import socket
import struct
import time
from collections import deque
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any

from blocks.errors import ScenarioError, SimulationError
from blocks.live.ardupilot.frame import LONGEST
from blocks.live.ardupilot.sequence import IGNORED, REPEATED, RESTART, Sequence, Traffic
from blocks.live.ardupilot.wiring import sensors_of, servos_of
from blocks.simulation import RunInterrupted, RunStopped

if TYPE_CHECKING:
    from blocks.run.result import Result
    from blocks.scenario.ardupilot_model import ArduPilotEntry
    from blocks.simulator import Simulator

_LOOK = 0.25
"""Time without a packet after which the loop looks at what else there is to do, s."""
_SESSIONS = 16
"""How many results are kept of runs that ended as the autopilot started again; the last ones."""

Told = Callable[[str, "ArduPilot"], None]


class ArduPilot:
    """A vehicle for ArduPilot: the physics backend of its JSON interface, over UDP.

        scenario = Scenario.load("examples/ardupilot/otter.yaml")
        with scenario.simulator() as simulator, ArduPilot(simulator, scenario.live["ardupilot"]) as vehicle:
            vehicle.run(end="10 min")
        simulator.result().save("otter.nc")

    Lockstep: a packet sets inputs of the diagram, the simulation goes on by one frame, 1/frame_rate of the packet, and
    the answer says how things then are, at a timestamp that is ArduPilot's clock. So ArduPilot sets the pace, in real
    time or at its SPEEDUP, and while it is silent time stands still. A frame that comes again is answered with the
    same bytes. When ArduPilot starts again, so does the vehicle, and what was recorded until then is in `sessions`.

    entry: what `live: ardupilot:` of a scenario says, as a mapping. address, port: instead of those of the entry; port
    0 is any that is free. told: called with "waiting", "connected" or "restart", and this, as that happens.

    Raises ScenarioError if the entry does not fit the diagram, SimulationError if the port cannot be had.
    """

    def __init__(
        self,
        simulator: Simulator,
        entry: Mapping[str, Any],
        *,
        address: str | None = None,
        port: int | None = None,
        told: Told | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.simulator = simulator
        self.entry = _checked(entry)
        self.sensors = sensors_of(simulator, self.entry)
        self.servos = servos_of(simulator, self.entry)
        self.sessions: deque[Result] = deque(maxlen=_SESSIONS)
        """What was recorded of runs that ended as the autopilot started again."""
        self._sequence = Sequence()
        self._told = told or (lambda event, vehicle: None)
        self._clock = clock
        self._buffer = bytearray(LONGEST + 1)  # one more, by which a packet that is too long is seen
        self._answer = b""
        self._rate, self._since, self._frames = 0, 0.0, 0
        self._socket = _listening(
            self.entry.address if address is None else address, self.entry.port if port is None else port
        )

    @property
    def address(self) -> tuple[str, int]:
        """Where it listens."""
        host, port = self._socket.getsockname()[:2]
        return host, port

    @property
    def traffic(self) -> Traffic:
        """What has arrived, by kind."""
        return self._sequence.traffic

    @property
    def autopilot(self) -> tuple[str, int] | None:
        """Where the autopilot is; None before its first packet."""
        return self._sequence.sender

    def run(self, end: float | str | None = None) -> None:
        """Answer packets until simulated time `end`, s or text with a unit, or the stop signal.

        Raises RunStopped, whose `result` holds what was recorded, if the simulation has to stop, and RunInterrupted on
        Ctrl-C.
        """
        simulator = self.simulator
        last = simulator.settings.number("end", end) if end is not None else float("inf")
        if self.autopilot is None:
            self._told("waiting", self)
        try:
            if simulator.status == "ready":
                self.servos.rest()
                simulator.start()
            while simulator.running and simulator.time < last - 1e-9:
                self.exchange()
        except KeyboardInterrupt:
            message = f"interrupted at t = {simulator.time:g} s"
            raise RunInterrupted(message, self._result("interrupted", message)) from None

    def exchange(self) -> bool:
        """Take one packet, if one comes within a quarter of a second, and answer it; whether there was an answer."""
        try:
            size, sender = self._socket.recvfrom_into(self._buffer)
        except OSError as problem:  # nothing has come; or, on Windows, the one who got the last answer is gone
            if isinstance(problem, (BlockingIOError, TimeoutError, ConnectionError)):
                return False
            raise self._broken(problem) from None
        if not self.servos.read(self._buffer, size):
            self.traffic.malformed += 1
            return False
        verdict = self._sequence.judge(self.servos.frame_count, sender[:2], self._clock())
        if verdict == IGNORED:
            return False
        if verdict == RESTART:
            self._begin_again()
        if verdict != REPEATED or not self._answer:
            if self.traffic.frames == 1:
                self._told("connected", self)
            self._go_on()
        try:
            self._socket.sendto(self._answer, sender)
        except OSError:  # as lost on its way: ArduPilot asks again
            return False
        self._sequence.answered(self._clock())
        return True

    def _go_on(self) -> None:
        """One frame on, and the answer to it."""
        simulator, servos = self.simulator, self.servos
        if servos.frame_rate != self._rate:
            self._rate, self._since, self._frames = servos.frame_rate, simulator.time, 0
        self._frames += 1
        servos.apply()
        reached = simulator.advance(until=self._since + self._frames / self._rate)
        try:
            self._answer = self.sensors.line(reached)
        except ValueError:
            message = f"what ArduPilot is told at t = {reached:g} s is not finite, or above 9e9"
            raise RunStopped(message, self._result("failed", message)) from None

    def _begin_again(self) -> None:
        """The autopilot has started again: so does the vehicle."""
        self.sessions.append(self.simulator.result())
        self.simulator.reset()
        self._rate = 0
        self._told("restart", self)

    def _result(self, status: str, message: str) -> Result:
        if self.simulator.status == "ready":  # interrupted ahead of everything
            self.simulator.start()
        result = self.simulator.result()
        result.attributes |= {"status": status, "message": message}
        return result

    def _broken(self, problem: OSError) -> RunStopped:
        host, port = self.entry.address, self.entry.port
        message = f"the UDP socket on {host}:{port} failed: {problem.strerror or problem}"
        return RunStopped(message, self._result("failed", message))

    def close(self) -> None:
        """Give the port back."""
        self._socket.close()

    def __enter__(self) -> ArduPilot:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _checked(entry: Mapping[str, Any]) -> ArduPilotEntry:
    """An entry, checked as in a scenario."""
    from pydantic import ValidationError

    from blocks.scenario.ardupilot_model import ArduPilotEntry

    try:
        return ArduPilotEntry.model_validate(entry)
    except ValidationError as problem:
        found = problem.errors()[0]
        where = ".".join(map(str, ("live.ardupilot", *found["loc"])))
        raise ScenarioError(f"{where}: {found['msg']}") from None


def _listening(address: str, port: int) -> socket.socket:
    """A socket that listens there."""
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(address, port, type=socket.SOCK_DGRAM)[0]
        found = socket.socket(family, kind, protocol)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, _time_limit(_LOOK))
    except (OSError, UnicodeError) as problem:
        raise SimulationError(
            f"'{address}' is no address to listen on: {getattr(problem, 'strerror', None) or problem}"
        ) from None
    try:
        found.bind(place)
    except OSError as problem:
        found.close()
        taken = problem.errno == errno.EADDRINUSE
        hint = "; is another simulation running? another port: --port, and SITL's --sim-port-out" if taken else ""
        raise SimulationError(f"cannot listen on UDP {address}:{port}: {problem.strerror or problem}{hint}") from None
    return found


def _time_limit(seconds: float) -> bytes:
    """A time as sockets want it. Python's own time limits cost two more calls of the system for each frame."""
    if os.name == "nt":
        return struct.pack("@I", round(1e3 * seconds))
    return struct.pack("@ll", int(seconds), round(1e6 * (seconds % 1.0)))
