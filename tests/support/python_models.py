"""Blocks written in Python, and diagrams of them, that the tests of FMUs export."""

from __future__ import annotations

import numpy as np

from blocks import Diagram, Input, Output, Parameter, PythonBlock, State
from blocks.basic import Constant, FirstOrderLag, Sine, Sum, UnitDelay
from blocks.control import ComposeWrench
from blocks.dynamics import DiagonalVessel3DOF
from blocks.errors import ParameterError
from blocks.signal import Angle, AngularRate, Length, Number, Pose, Wrench


class TurnCounter(PythonBlock, abstract=True):
    """Counts full turns of a heading: dψ/dt = g r, turns = ψ/2π."""

    uses_time = False
    rate = Input(AngularRate, "yaw rate r")
    turns = Output(Number, "full turns so far", feedthrough=False)
    warning = Output(Number, "1 while there are more than allowed", feedthrough=False)
    most = Parameter(2.0, above=0.0, at_most=50.0, doc="how many turns are allowed")
    gain = Parameter(1.0, tunable=False, doc="g")
    psi = State(Angle, "heading, not wrapped")

    def outputs(self, t, states, inputs):
        """Turns and warning."""
        turns = states["psi"] / (2.0 * np.pi)
        return {"turns": turns, "warning": abs(turns) > self.most}

    def derivatives(self, t, states, inputs):
        """The scaled rate."""
        return {"psi": self.gain * inputs["rate"]}


class Tether(PythonBlock, abstract=True):
    """A spring from an anchor to the vessel: F = -k max(0, |p - a| - L) (p - a)/|p - a|, in body axes."""

    uses_time = False
    eta = Input(Pose, "position and attitude")
    force = Output(Wrench, "pull on the vessel")
    stretch = Output(Length, "longer than at rest by")
    anchor = Parameter((0.0, 0.0, 0.0), shape=(3,), unit="m", frame="ned", doc="where it is fixed")
    length = Parameter(unit="m", above=0.0, doc="length at rest")
    stiffness = Parameter(100.0, unit="N/m", above=0.0, doc="pull per stretch")
    law = Parameter("linear", choices=("linear", "quadratic"), doc="pull over stretch")
    slack = Parameter(False, doc="not fixed to anything")

    def outputs(self, t, states, inputs):
        """Pull and stretch."""
        away = inputs["eta"][:3] - self.anchor
        distance = float(np.sqrt(away[0] ** 2 + away[1] ** 2 + away[2] ** 2))  # the norm's last bit depends on BLAS
        stretch = 0.0 if self.slack else max(0.0, distance - self.length)
        pull = self.stiffness * (stretch if self.law == "linear" else stretch**2)
        north, east, down = -pull * away / distance if stretch > 0.0 else np.zeros(3)
        psi = inputs["eta"][5]
        cosine, sine = np.cos(psi), np.sin(psi)
        force = [north * cosine + east * sine, east * cosine - north * sine, down, 0.0, 0.0, 0.0]
        return {"force": force, "stretch": stretch}


class Tally(PythonBlock, abstract=True):
    """Counts its samples and sums its input: z' = z + 1, s' = s + u. Sampled."""

    sampled = True
    u = Input(Length, "what is summed")
    count = Output(Number, "samples so far", feedthrough=False)
    total = Output(Length, "sum so far", feedthrough=False)
    z = State(Number, "count", discrete=True)
    s = State(Length, "sum", discrete=True)

    def outputs(self, t, states, inputs):
        """Count and sum before this sample."""
        return {"count": states["z"], "total": states["s"]}

    def update(self, t, states, inputs):
        """One more."""
        return {"z": states["z"] + 1.0, "s": states["s"] + inputs["u"]}


class Moody(PythonBlock, abstract=True):
    """y = u until u exceeds a limit, at which it raises. Keeps a count of its calls, which no block should."""

    uses_time = False
    u = Input(Number, "anything")
    y = Output(Number, "the same")
    limit = Parameter(1.0, doc="it raises above")
    floor = Parameter(0.0, doc="below the limit")

    def __init__(self, **given):
        super().__init__(**given)
        self.calls = 0

    def validate(self):
        """The floor is below the limit."""
        if self.floor >= self.limit:
            raise ParameterError(f"Moody.floor must be below the limit: {self.floor:g} is not below {self.limit:g}")

    def outputs(self, t, states, inputs):
        """The input, or a ValueError."""
        self.calls += 1
        if inputs["u"] > self.limit:
            raise ValueError(f"100 % too much: {inputs['u']:.2f} at #{self.calls}")
        return {"y": inputs["u"]}


def tethered() -> Diagram:
    """A vessel of the library on a tether written in Python, with an input, samples at two rates and a native delay."""
    diagram = Diagram("tethered", title="A vessel on a tether")
    vessel = DiagonalVessel3DOF(
        inertia=(9.75, 10.364, 1.158), linear_damping=(16.296, 10.193, 4.63), initial_eta=(0, 1, 0, 0, 0, 0.4)
    )
    for name, block in {
        "drift": Sine([3.0], [0.7]), "push": Sum("++"), "wrench": ComposeWrench(), "vessel": vessel,
        "tether": Tether(length="1.05 m", stiffness=40.0), "tally": Tally(period=0.06), "delay": UnitDelay(period=0.1),
        "lag": FirstOrderLag(0.4),
    }.items():  # fmt: skip
        diagram.add(name, block)
    for source, *sinks in (
        ("drift.y", "push.in1"), ("push.y", "wrench.X"), ("wrench.force", "vessel.force"),
        ("vessel.eta", "tether.eta"), ("tether.force", "vessel.disturbance"), ("tether.stretch", "tally.u", "delay.u"),
        ("delay.y", "lag.u"),
    ):  # fmt: skip
        diagram.connect(source, *sinks)
    diagram.inputs(thrust="push.in2")
    diagram.outputs(
        eta="vessel.eta", stretch="tether.stretch", count="tally.count", total="tally.total", lagged="lag.y"
    )
    return diagram


def turning(**values: float) -> Diagram:
    """A turn counter alone."""
    diagram = Diagram("turning")
    diagram.add("counter", TurnCounter(**values))
    diagram.inputs(rate="counter.rate")
    diagram.outputs(turns="counter.turns", warning="counter.warning")
    return diagram


def moody() -> Diagram:
    """A block that raises, beside one that does not."""
    diagram = Diagram("moody")
    diagram.add("block", Moody())
    diagram.add("one", Constant(1.0))
    diagram.add("sum", Sum("++"))
    diagram.connect("block.y", "sum.in1")
    diagram.connect("one.y", "sum.in2")
    diagram.inputs(u="block.u")
    diagram.outputs(y="sum.y")
    return diagram
