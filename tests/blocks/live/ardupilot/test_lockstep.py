"""A vehicle on loopback, sailed by a helm of a few lines that speaks as ArduPilot does."""

from __future__ import annotations

import math
import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fake_ardupilot import Autopilot, packet

from blocks.errors import ScenarioError, SimulationError
from blocks.live.ardupilot import ArduPilot
from blocks.scenario import Scenario
from blocks.simulation import RunInterrupted, RunStopped

EXAMPLES = Path(__file__).parents[4] / "examples"
REST = [1500, 0, 1500]


class Clock:
    """A clock that stands still unless it is told."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def otter() -> Scenario:
    return Scenario.load(EXAMPLES / "otter_ardupilot.yaml")


@pytest.fixture
def vehicle(otter: Scenario, clock: Clock) -> Iterator[ArduPilot]:
    with otter.simulator() as simulator, ArduPilot(simulator, otter.live["ardupilot"], port=0, clock=clock) as found:
        yield found


@pytest.fixture
def autopilot(vehicle: ArduPilot) -> Iterator[Autopilot]:
    found = Autopilot(vehicle)
    yield found
    found.close()


def steered(bearing: float, heading: float, rate: float) -> list[int]:
    """A proportional helm: pulse widths of port and starboard throttle."""
    error = math.remainder(bearing - heading, 2.0 * math.pi)
    turn = max(-150.0, min(150.0, 200.0 * error - 200.0 * rate))
    return [round(1650 + turn), 0, round(1650 - turn)]


def test_the_otter_sails_to_its_mark_over_a_bad_link(vehicle: ArduPilot, clock: Clock) -> None:
    """Packets are dropped, doubled, held up and torn on the way, and others talk in between; the time does not jump."""
    generator = np.random.default_rng(3)
    autopilot, stranger = Autopilot(vehicle, rate=50), Autopilot(vehicle)
    mark, found, times = (25.0, -12.0), autopilot.frame(REST), []
    while math.dist(found["position"][:2], mark) > 2.0 and len(times) < 4000:
        north, east, _ = found["position"]
        pulses = steered(math.atan2(mark[1] - east, mark[0] - north), found["attitude"][2], found["imu.gyro"][2])
        data, trouble = packet(autopilot.count, pulses, 50), generator.random()
        for late in (data,) * (trouble < 0.1) + (packet(max(autopilot.count - 3, 0), REST, 50),) * (trouble > 0.9):
            autopilot.send(late)  # doubled ahead, or from before
            vehicle.exchange()
        if trouble < 0.1:
            answer = autopilot.answer()
            autopilot.send(data)
            assert not vehicle.exchange()
            if trouble < 0.05:  # the answer is lost, and ArduPilot asks again after a second
                clock.now += 1.0
                autopilot.send(data)
                assert vehicle.exchange()
                assert autopilot.answer() == answer
            found = answer
            autopilot.count += 1
        else:
            if trouble < 0.2:
                autopilot.send(data[: int(trouble * 200)])
                stranger.send(packet(99, [1900, 0, 1100]))
                assert not vehicle.exchange()
                assert not vehicle.exchange()
            found = autopilot.frame(pulses)
        times.append(found["timestamp"])
    assert math.dist(found["position"][:2], mark) <= 2.0
    assert np.diff(times) == pytest.approx(0.02, abs=2e-9)
    assert found["imu.accel_body"][2] == pytest.approx(-9.81, abs=0.05)
    traffic = vehicle.traffic
    assert min(traffic.repeated, traffic.late, traffic.malformed, traffic.strangers) > 20
    assert (traffic.frames, traffic.restarts) == (len(times) + 1, 0)
    stranger.close()
    autopilot.close()


def test_what_it_sailed_can_be_run_again_to_the_same_bits(
    vehicle: ArduPilot, autopilot: Autopilot, otter: Scenario
) -> None:
    """And the battery drains as in any other run."""
    simulator, held = vehicle.simulator, []
    for count in range(400):
        answer = autopilot.frame([1500 + count, 0, 1500 + 3 * count])
        held.append(simulator["thrust"].copy())
    result = simulator.result()
    times = [0.0025 * count for count in range(400)]
    again = otter.run(end=simulator.time, inputs={"thrust": (times, np.array(held), "hold")})
    for name in ("vessel.eta", "battery.state_of_charge"):
        assert np.array_equal(again.values(name), result.values(name))
    assert result.values("battery.state_of_charge")[-1] < 1.0
    assert answer["battery.voltage"] == pytest.approx(again.values("battery.voltage")[-1], abs=1e-9)
    assert answer["battery.current"] == pytest.approx(again.values("battery.current")[-1], abs=1e-9)


@pytest.mark.parametrize("rates", [[400], [1200], [50], [399, 400, 401], [1]])
def test_any_frame_rate(vehicle: ArduPilot, autopilot: Autopilot, rates: list[int]) -> None:
    """A frame is as long as its packet says, whatever the step of the scenario."""
    wanted = 0.0
    for number in range(12):
        autopilot.rate = rates[number % len(rates)]
        wanted += 1.0 / autopilot.rate
        assert autopilot.frame(REST)["timestamp"] == pytest.approx(wanted, abs=1.1e-9)


def test_when_ardupilot_starts_again_so_does_the_vehicle(vehicle: ArduPilot, autopilot: Autopilot) -> None:
    first = [autopilot.frame([1900, 0, 1900]) for _ in range(200)]
    again = Autopilot(vehicle)
    assert [again.frame([1900, 0, 1900]) for _ in range(200)] == first
    assert vehicle.autopilot == ("127.0.0.1", again.socket.getsockname()[1])
    assert [len(session) for session in vehicle.sessions] == [6]
    assert vehicle.sessions[0].values("vessel.eta")[-1] == pytest.approx(
        vehicle.simulator.result().values("vessel.eta")[-1], abs=0.0
    )
    again.close()


def test_when_the_vehicle_starts_again_ardupilot_goes_on(vehicle: ArduPilot, autopilot: Autopilot) -> None:
    """It sends the frame that had no answer; time is that of the new vehicle."""
    autopilot.count = 70000
    assert autopilot.frame(REST)["timestamp"] == 0.0025
    assert autopilot.frame(REST)["timestamp"] == 0.005


def test_rangefinders_are_elements_too(otter: Scenario) -> None:
    entry = otter.live["ardupilot"] | {"rangefinders": ["vessel.eta[x]", "vessel.eta[y]"]}
    with ArduPilot(otter.simulator(), entry, port=0) as vehicle:
        autopilot = Autopilot(vehicle, rate=10)
        found = [autopilot.frame([1900, 0, 1500]) for _ in range(5)][-1]
        assert [found["rng_1"], found["rng_2"]] == found["position"][:2] != [0.0, 0.0]
        autopilot.close()


def test_random_bytes_do_nothing(vehicle: ArduPilot, autopilot: Autopilot) -> None:
    generator, before = np.random.default_rng(8), autopilot.frame(REST)
    good = packet(0, REST)
    for number in range(400):
        data = generator.bytes(int(generator.integers(0, 100)))
        if number % 4 == 0:
            torn = bytearray(good)
            torn[int(generator.integers(2))] ^= int(generator.integers(1, 256))
            data = bytes(torn)
        autopilot.send(data)
        assert not vehicle.exchange()
    for data in (generator.bytes(60000), packet(1, [1900] * 32) + b"\0"):
        autopilot.send(data)
        assert not vehicle.exchange()
    assert vehicle.traffic.malformed == 402
    assert vehicle.simulator.time == before["timestamp"]
    assert autopilot.frame(REST)["timestamp"] == 0.005


def test_well_formed_packets_with_anything_in_them_cannot_stop_it(vehicle: ArduPilot, autopilot: Autopilot) -> None:
    generator = np.random.default_rng(9)
    other = Autopilot(vehicle)
    for _ in range(300):
        count, rate = int(generator.integers(0, 5)), int(generator.integers(200, 65536))
        sender = autopilot if generator.random() < 0.7 else other
        sender.send(packet(count, generator.integers(0, 65536, 16).tolist(), rate))
        vehicle.exchange()
    assert vehicle.simulator.running
    assert len(vehicle.sessions) <= 16
    other.close()


def test_it_runs_until_the_end(vehicle: ArduPilot) -> None:
    """In a thread of its own, as a test of the loop; the end is a whole frame."""
    autopilot = Autopilot(vehicle)
    thread = threading.Thread(target=vehicle.run, kwargs={"end": "50 ms"})
    thread.start()
    for count in range(20):
        autopilot.send(packet(count, REST))
        assert autopilot.answer()["timestamp"] == pytest.approx(0.0025 * (count + 1), abs=1e-9)
    thread.join(5.0)
    assert not thread.is_alive()
    assert vehicle.simulator.time == 0.05
    autopilot.close()


def test_it_tells_what_happens(otter: Scenario) -> None:
    told: list[str] = []
    with ArduPilot(
        otter.simulator(), otter.live["ardupilot"], port=0, told=lambda event, _: told.append(event)
    ) as vehicle:
        vehicle.run(end=0)
        for _ in range(2):
            autopilot = Autopilot(vehicle)
            autopilot.frame(REST)
            autopilot.frame(REST)
            autopilot.close()
        vehicle.run(end=0.005)
    assert told == ["waiting", "connected", "restart"]


@pytest.mark.skipif(os.name == "nt", reason="no such signals")
def test_ctrl_c_keeps_the_result(vehicle: ArduPilot, autopilot: Autopilot) -> None:
    for _ in range(80):
        autopilot.frame([1900, 0, 1900])
    timer = threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(RunInterrupted, match=r"interrupted at t = 0\.2 s") as stopped:
        vehicle.run()
    timer.join()
    assert stopped.value.result.attributes["status"] == "interrupted"
    assert stopped.value.result.time[-1] == pytest.approx(0.2)


@pytest.mark.parametrize(
    ("parameter", "value", "message"),
    [
        ("vessel.linear_damping", (-1e9 * np.eye(6)).tolist(), r"vessel stopped the run at t = 0(\.0025)? s"),
        (
            "vessel.initial_eta",
            [1e10, 0, 0, 0, 0, 0],
            r"what ArduPilot is told at t = 0\.0025 s is not finite, or above 9e9",
        ),
    ],
)
def test_numbers_that_are_none_end_the_run_with_its_result(
    otter: Scenario, parameter: str, value: Any, message: str
) -> None:
    otter.set(parameter, value)
    with ArduPilot(otter.simulator(), otter.live["ardupilot"], port=0) as vehicle:
        autopilot = Autopilot(vehicle)
        for count in range(50):
            autopilot.send(packet(count, [1900, 0, 1900]))
        with pytest.raises(RunStopped, match=message) as stopped:
            vehicle.run()
        assert stopped.value.result.attributes["status"] == "failed"
        assert len(stopped.value.result) > 0
        autopilot.close()


def test_it_listens_on_this_machine_only_unless_told(vehicle: ArduPilot, otter: Scenario) -> None:
    assert vehicle.address[0] == "127.0.0.1"
    with ArduPilot(otter.simulator(), otter.live["ardupilot"], address="127.0.0.2", port=0) as elsewhere:
        assert elsewhere.address[0] == "127.0.0.2"


def test_a_port_that_is_taken(vehicle: ArduPilot, otter: Scenario) -> None:
    port = vehicle.address[1]
    with pytest.raises(SimulationError, match=rf"cannot listen on UDP 127\.0\.0\.1:{port}: .*in use.*--port"):
        ArduPilot(otter.simulator(), otter.live["ardupilot"], port=port)
    with pytest.raises(SimulationError, match=r"'nowhere\.invalid' is no address to listen on"):
        ArduPilot(otter.simulator(), otter.live["ardupilot"], address="nowhere.invalid")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"vessel": "vesel"}, r"ardupilot\.vessel: 'vesel' must be a dynamics block.*did you mean 'vessel'"),
        ({"imu": "battery"}, r"ardupilot\.imu: 'battery' must be a sensors\.Imu, with angular_rate and specific_force"),
        ({"battery": "hotel"}, r"ardupilot\.battery: 'hotel' must be a power\.Battery"),
        ({"wind": "wind.wid"}, r"ardupilot\.wind: there is no output 'wind\.wid'; did you mean 'wind\.wind'"),
        ({"wind": "vessel.eta"}, r"'vessel\.eta' has 6 elements in m, rad, but 3 in m/s are wanted"),
        ({"rangefinders": ["vessel.eta"]}, r"'vessel\.eta' has 6 elements .*name one, such as vessel\.eta\[x\]"),
        ({"rangefinders": ["vessel.eta[psi]"]}, r"'vessel\.eta\[psi\]' has 1 element in rad, but 1 in m is wanted"),
        ({"rangefinders": ["vessel.eta[z]"] * 7}, r"rangefinders: .*at most 6 items"),
        ({"port": 70000}, r"ardupilot\.port: .*65535"),
        ({"servo": {}}, r"ardupilot\.servo: Extra inputs"),
        ({"servos": {}}, r"ardupilot\.servos: .*at least 1"),
    ],
)
def test_entries_that_do_not_fit(otter: Scenario, change: dict[str, Any], message: str) -> None:
    with pytest.raises(ScenarioError, match=message):
        ArduPilot(otter.simulator(), otter.live["ardupilot"] | change, port=0)


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("thrst[port]", {}, r"servos: thrst\[port\]: there is no input of the diagram 'thrst'; did you mean 'thrust'"),
        ("thrust", {}, r"'thrust' has 2 elements \(port, starboard\); name one, such as thrust\[port\]"),
        ("thrust[prt]", {}, r"'thrust' has no element 'prt'; did you mean 'port'"),
        ("thrust[port]", {"low": "3 m"}, r"servos: thrust\[port\]\.low: '3 m' is in m, but N is wanted"),
        ("thrust[port]", {"high": float("nan")}, r"thrust\[port\]\.high must be a finite number, not nan"),
        ("thrust[port]", {"channel": 33}, r"channel: .*less than or equal to 32"),
        ("thrust[port]", {"min": 1600}, r"pulse widths must be in the order min, trim, max, not 1600, 1500, 1900"),
    ],
)
def test_servos_that_do_not_fit(otter: Scenario, name: str, change: dict[str, Any], message: str) -> None:
    servo = {"channel": 1, "low": -60, "high": 60} | change
    with pytest.raises(ScenarioError, match=message):
        ArduPilot(otter.simulator(), {"servos": {name: servo}}, port=0)
