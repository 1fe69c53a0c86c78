"""A boat with instruments, and how it was steered."""

import numpy as np
import pytest

from blocks import Diagram, Simulator
from blocks.dynamics import Vessel3DOF
from blocks.power import Battery
from blocks.sensors import Gnss, Imu


@pytest.fixture(scope="session")
def boat():
    diagram = Diagram("boat")
    vessel = diagram.add("vessel", Vessel3DOF.diagonal(m=(100, 150, 50), d=(20, 60, 30)))
    imu = diagram.add("imu", Imu(period=0.1, gyro_noise_density=0.02))
    gnss = diagram.add("gnss", Gnss(0.9, 0.08, period=0.2, horizontal_noise=0.5))
    battery = diagram.add("battery", Battery(capacity="10 A*h", open_circuit_voltage=12.0))
    diagram.inputs(force=vessel.force, power=battery.power)
    for sensor in (imu, gnss):
        diagram.connect(vessel.eta, sensor.eta)
        diagram.connect(vessel.nu, sensor.nu)
    diagram.connect(vessel.acceleration, imu.acceleration)
    return diagram


@pytest.fixture(scope="session")
def steered(boat):
    """A run whose inputs changed every other step, of a length that no decimal number has."""
    random = np.random.default_rng(4)
    with Simulator(boat, step=1.0 / 3.0, inputs={"force": [10.0, 0, 0, 0, 0, 1], "power": [24.0]}) as simulator:
        while simulator.time < 20.0:
            simulator["force"] = random.normal(size=6) * [10, 2, 0, 0, 0, 5]
            simulator.advance(2.0 / 3.0)
        return simulator.result()
