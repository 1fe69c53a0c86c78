"""Datagrams of JSON over UDP: other programs set inputs, and see outputs, whatever language they are written in.

A datagram is one object: {"t": 1.5, "vessel.eta": {"x": 3.1, …}, "speed": 1.2, "thrust": [4, 4]}. Elements with names
are an object, others a list, a single number is a number; in SI. What one run sends another can read.
"""

from __future__ import annotations

import json
import math
import socket
import warnings
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from blocks.errors import KeelblocksError, KeelblocksWarning, SimulationError, shown
from blocks.realtime.readings import place_of, usual
from blocks.realtime.turns import Turns
from blocks.run.named import element_labels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from blocks.simulator import Simulator

HOST = "127.0.0.1"
"""Where sockets are, unless told otherwise."""
_LARGEST = 65535
"""Bytes of a datagram."""
_MOST = 64
"""Datagrams that are read in a turn; those beyond have their turn in the next."""


class UdpSource:
    """Sets inputs, and parameters, by datagrams that arrive.

    address: port, or "host:port"; 127.0.0.1 unless told otherwise. Port 0 is one that is free: see `address`.
    What is no JSON, names something that is not there or has a value that does not fit is left out, counted in
    `refused` and told of at the end; nothing that arrives can stop a run.
    """

    def __init__(self, address: str | int) -> None:
        self._wanted = address_of(address)
        self.received = self.refused = 0
        self.reason = ""
        """Why the last one was refused."""

    @property
    def address(self) -> tuple[str, int]:
        """Where it listens, while it is open."""
        host, port = self._socket.getsockname()[:2]
        return str(host), int(port)

    def open(self, simulator: Simulator) -> None:
        """Listen. Raises SimulationError if the port is taken."""
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.setblocking(False)
        try:
            self._socket.bind(self._wanted)
        except OSError as problem:
            self._socket.close()
            raise SimulationError(f"cannot listen on {_text(self._wanted)}: {problem.strerror or problem}") from None

    def read(self, simulator: Simulator, t: float) -> None:
        """Take what has arrived."""
        for _ in range(_MOST):
            try:
                data = self._socket.recv(_LARGEST)
            except (BlockingIOError, InterruptedError):
                return
            except OSError as problem:  # Windows tells here that nobody listens on the other side
                self._refuse(str(problem))
                return
            self.received += 1
            self._take(simulator, data)

    def close(self) -> None:
        """Listen no more, and say what was refused."""
        self._socket.close()
        if self.refused:
            warnings.warn(
                f"{self.refused} of {self.received} datagrams were refused; the last: {self.reason}",
                KeelblocksWarning,
                stacklevel=2,
            )

    def _take(self, simulator: Simulator, data: bytes) -> None:
        try:
            given = json.loads(data)
            if not isinstance(given, dict):
                raise ValueError(f"an object is wanted, not {shown(given)}")
            wanted = {name: _numbers(simulator, name, value) for name, value in given.items() if name != "t"}
            for name, value in wanted.items():
                simulator[name] = value
        except (KeelblocksError, ValueError, RecursionError) as problem:  # a JSONDecodeError is a ValueError
            self._refuse(str(problem))

    def _refuse(self, reason: str) -> None:
        self.refused += 1
        self.reason = reason


class UdpSink:
    """Sends outputs as datagrams of JSON.

    address: port, or "host:port"; 127.0.0.1 unless told otherwise.
    signals: what is sent; None: outputs of the diagram, or motions of vessels.
    rate: times per second of simulated time at most; None: every turn.
    """

    def __init__(
        self, address: str | int, signals: Iterable[str] | None = None, rate: float | str | None = None
    ) -> None:
        self.address = address_of(address)
        self.signals = None if signals is None else [signals] if isinstance(signals, str) else list(signals)
        self._turns = Turns(rate)
        self.lost = 0
        """Datagrams that could not be sent."""

    def open(self, simulator: Simulator) -> None:
        """Find the signals."""
        names = usual(simulator) if self.signals is None else self.signals
        self._views = [(name, simulator[name], _labels(simulator, name)) for name in names]
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.setblocking(False)

    def write(self, simulator: Simulator, t: float) -> None:
        """Send the signals, if it is time."""
        if not self._turns.due(t):
            return
        data = {"t": t, **{name: _plain(view, labels) for name, view, labels in self._views}}
        try:
            self._socket.sendto(json.dumps(data).encode(), self.address)
        except OSError:  # nobody listens, or there is no room at this moment
            self.lost += 1

    def close(self) -> None:
        """Send no more."""
        self._socket.close()


def address_of(given: str | int) -> tuple[str, int]:
    """Host and port. Raises SimulationError."""
    host, colon, port = str(given).rpartition(":")
    if isinstance(given, bool) or not port.isdecimal() or not int(port) < 65536 or (colon and not host):
        raise SimulationError(f"an address is a port or host:port, 5005 or 127.0.0.1:5005, not {shown(given)}")
    return host or HOST, int(port)


def _text(address: tuple[str, int]) -> str:
    return f"{address[0]}:{address[1]}"


def _labels(simulator: Simulator, name: str) -> tuple[str, ...]:
    """The names of the elements, or nothing if they have none."""
    place = place_of(simulator, name)
    labels = element_labels(place)
    return () if "[" in name or not place.shape or labels[:1] in ((), ("0",)) else labels


def _plain(view: NDArray[np.float64], labels: tuple[str, ...]) -> Any:
    """Numbers as JSON has them; what is not finite is null."""
    if labels:
        return {label: _finite(value) for label, value in zip(labels, view.tolist(), strict=True)}
    return _finite(view.item() if view.size == 1 else view.tolist())


def _finite(value: Any) -> Any:
    if isinstance(value, list):
        return [_finite(item) for item in value]
    return value if math.isfinite(value) else None


def _numbers(simulator: Simulator, name: str, value: Any) -> Any:
    """A value that arrived, checked; elements that are named in the order that they have."""
    current = simulator[name]
    if isinstance(value, Mapping):
        labels = _labels(simulator, name)
        wrong = [label for label in value if label not in labels]
        if wrong:
            raise SimulationError(f"{name} has no element {shown(wrong[0])}; it has {', '.join(labels) or 'none'}")
        value = [value.get(label, before) for label, before in zip(labels, current.tolist(), strict=True)]
    array = np.asarray(value)
    if array.dtype.kind not in "iuf" or not np.all(np.isfinite(array)):
        raise SimulationError(f"{name} must be finite numbers, not {shown(value)}")
    if array.size == current.size == 1:
        return array.reshape(current.shape)
    if array.shape != current.shape:
        raise SimulationError(f"{name} has the shape {current.shape}, and {array.shape} was given")
    return array
