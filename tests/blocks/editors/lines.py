"""Right and wrong lines for type checkers; a wrong one says at its end what the checker has to name. Never run."""

import numpy as np

from blocks import Diagram, Input, Output, Parameter, PythonBlock, State
from blocks.basic import Demux, Sum, UnitDelay
from blocks.control import PID
from blocks.dynamics import Vessel6DOF
from blocks.environment import JonswapSea
from blocks.guidance import LineOfSight
from blocks.signal import Angle
from fmu import FmuBlock


class Own(PythonBlock):
    """A block of somebody else, which has no stub."""

    u = Input(Angle)
    y = Output(Angle)
    gain = Parameter(1.0)
    angle = State(Angle)
    initial_angle: float

    def __init__(self, **given: float) -> None:
        super().__init__(**given)
        self.table = [1.0]


vessel = Vessel6DOF.from_vehicle("minerva")
p = PID(1.0, kd="3 s", lower=[-1, -2.0], upper=np.ones(2), derivative="measurement", initial_integral=0.0)
los = LineOfSight(waypoints=[[0, 0, 0], ["1 km", 0.0, 2]], acceptance_radius=5, cruise_speed="2 kn")
delay = UnitDelay(period="0.1 s", offset=0.0)
sea = JonswapSea(2.0, 8.0, seed=3)
total = Sum("++")
own = Own(gain=2.0)
boat = Diagram("boat")
boat.connect(vessel.eta["psi"], boat.add("p", p).measurement, los.eta, own.u)
boat.connect(total.y, total.in1, Demux([1, 2]).out2, FmuBlock("pump.fmu").speed, boat.p.kp)
p.kp = "3 N"
p._mine = 3.0  # wrong: _mine
delay.period = 0.2
own.table = []
values = (p.ki + 1.0, delay.period, vessel.mass_matrix[0, 0], p.initial_integral, p.copy().kp, own.initial_angle)

PID(kdd=3.0)  # wrong: kdd
PID(derivative="rates")  # wrong: derivative
PID(filter_coefficient=[1.0, 2.0])  # wrong: filter_coefficient
PID(1.0, 2.0, 3.0, 4.0)  # wrong: positional
LineOfSight(wayponts=[[0.0, 0.0]])  # wrong: wayponts
LineOfSight()  # wrong: waypoints
UnitDelay()  # wrong: period
Sum(signs=2)  # wrong: signs
Vessel6DOF(np.eye(6), coriolis="no")  # wrong: positional
print(vessel.etaa)  # wrong: etaa
print(sea.peak)  # wrong: peak
print(own.gian)  # wrong: gian
p.kpp = 3.0  # wrong: kpp
p.kp = None  # wrong: None
