"""Datagrams of JSON: they set inputs, carry outputs, and nothing that arrives can stop a run."""

from __future__ import annotations

import json
import socket

import pytest

from blocks import KeelblocksWarning, Simulator
from blocks.basic import Integrator
from blocks.control import PID
from blocks.diagram import Diagram
from blocks.dynamics import Vessel3DOF
from blocks.errors import SimulationError
from blocks.live.udp import UdpSink, UdpSource


def boat() -> Simulator:
    diagram = Diagram("boat")
    vessel = diagram.add("vessel", Vessel3DOF.diagonal(m=(100, 100, 20), d=(50, 50, 10)))
    level = diagram.add("level", Integrator())
    helm = diagram.add("helm", PID(kp=1.0))
    diagram.connect(vessel.eta["psi"], helm.measurement)
    diagram.inputs(force=vessel.force, flow=level.u, course=helm.reference)  # of shapes (6,), () and (1,)
    return Simulator(diagram, step=0.1, inputs={"force": [0.0] * 6, "flow": 0.0, "course": [0.0]})


BAD = [
    b"", b"\xff\xfe", b"[1, 2]", b"{", b'{"force": "full ahead"}', b'{"force": [1, 2]}', b'{"forse": 1}',
    b'{"force": {"Q": 1}}', b'{"flow": NaN}', b'{"flow": true}', b'{"vessel.eta": [0, 0, 0, 0, 0, 0]}',
    b'{"flow": 9, "force": null}', b'{"vessel.mass": -1}', b"[" * 5000,
]  # fmt: skip


def test_inputs_arrive_and_what_is_wrong_is_left_out() -> None:
    simulator, source = boat(), UdpSource(0)
    sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    source.open(simulator)
    try:
        for data in [
            b'{"t": 0, "force": {"X": 10, "N": -1}}',
            *BAD,
            b'{"flow": 2, "course": 0.1}',
            b'{"force": [1, 2, 0, 0, 0, 3]}',
            b"5",
        ]:
            sender.sendto(data, source.address)
        for _ in range(2):  # what is sent to this machine is there at once
            source.read(simulator, 0.0)
    finally:
        with pytest.warns(
            KeelblocksWarning, match="15 of 18 datagrams were refused; the last: an object is wanted, not 5"
        ):
            source.close()
        sender.close()
    assert simulator["force"].tolist() == [1, 2, 0, 0, 0, 3]
    assert float(simulator["flow"]) == 2.0
    assert simulator["course"].tolist() == [0.1]
    assert float(simulator["vessel.eta[psi]"]) == 0.0


def test_a_run_sends_what_another_reads() -> None:
    """The wrench that one was given, with names, and a speed at half the rate."""
    first, second, source = boat(), boat(), UdpSource(0)
    first["force[X]"] = 7.5
    listener = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    listener.bind(("127.0.0.1", 0))
    listener.settimeout(5)
    source.open(second)
    host, port = source.address
    first.run_realtime(
        end=1, factor=0, rate=10,
        sinks=[UdpSink(f"{host}:{port}", "force"),
               UdpSink(listener.getsockname()[1], ["vessel.nu[u]", "flow", "course"], rate="5 Hz")],
    )  # fmt: skip
    source.read(second, 0.0)
    source.close()
    assert second["force"].tolist() == [7.5, 0, 0, 0, 0, 0]
    received = [json.loads(listener.recv(1000)) for _ in range(6)]
    listener.close()
    assert [data["t"] for data in received] == pytest.approx([0, 0.2, 0.4, 0.6, 0.8, 1.0])
    assert received[-1]["vessel.nu[u]"] == float(first["vessel.nu[u]"]) > 0.0
    assert (received[-1]["flow"], received[-1]["course"]) == (0.0, 0.0)


def test_a_port_that_is_taken_and_addresses_that_are_none() -> None:
    simulator, first = boat(), UdpSource(0)
    first.open(simulator)
    try:
        with pytest.raises(
            SimulationError, match=f"cannot listen on 127.0.0.1:{first.address[1]}: Address already in use"
        ):
            UdpSource(first.address[1]).open(simulator)
    finally:
        first.close()
    for wrong in ("here", "host:", ":5005", 70000, -1, True):
        with pytest.raises(SimulationError, match=r"an address is a port or host:port, 5005 or 127.0.0.1:5005, not"):
            UdpSink(wrong)
