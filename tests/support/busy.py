"""A diagram in which everything happens that a run has to get right wherever it is interrupted."""

from __future__ import annotations

from blocks import Diagram
from blocks.basic import (
    Compare,
    FirstOrderLag,
    Gain,
    GaussianNoise,
    Integrator,
    LimitedIntegrator,
    RateLimiter,
    Sine,
    Step,
    Sum,
    Switch,
    UnitDelay,
    ZeroOrderHold,
)


def busy(gain: float = 3.0) -> Diagram:
    """States, samples at two rates, noise, modes and events, and an input."""
    diagram = Diagram()
    for name, block in {
        "reference": Step(time=0.4),
        "error": Sum("+-"),
        "gain": Gain(gain),
        "hold": ZeroOrderHold(period=0.03),
        "slope": RateLimiter(4.0, 4.0),
        "plant": FirstOrderLag(0.3),
        "stock": LimitedIntegrator(upper=0.5),
        "noise": GaussianNoise(period=0.07, standard_deviation=0.05),
        "sum": Sum("++++"),
        "sine": Sine(0.2, 9.0),
        "sign": Compare(">="),
        "gate": Switch(0.5),
        "work": Integrator(),
        "memory": UnitDelay(period=0.07, offset=0.01),
        "external": Gain(1.0),
    }.items():
        diagram.add(name, block)
    for source, *sinks in (
        ("reference.y", "error.in1"),
        ("plant.y", "error.in2", "stock.u", "memory.u"),
        ("error.y", "gain.u"),
        ("gain.y", "hold.u"),
        ("hold.y", "slope.u"),
        ("slope.y", "sum.in1"),
        ("noise.y", "sum.in2"),
        ("sine.y", "sum.in3", "sign.u1", "gate.u1"),
        ("external.y", "sum.in4"),
        ("sum.y", "plant.u"),
        ("sign.y", "gate.control"),
        ("memory.y", "gate.u2"),
        ("gate.y", "work.u"),
    ):
        diagram.connect(source, *sinks)
    diagram.inputs(u="external.u")
    return diagram
