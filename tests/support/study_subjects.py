"""Small studies whose results are known, in a module that worker processes can import."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from blocks import Diagram, Output, PythonBlock, Result
from blocks.basic import Constant, FirstOrderLag, Function, Gain, Integrator, UniformNoise
from blocks.model.declare import Parameter
from blocks.study import Metric, Study


def lag() -> Diagram:
    """y' = (k u - y)/T with an input u; y(t) = k u (1 - exp(-t/T))."""
    diagram = Diagram("lag")
    diagram.add("gain", Gain(2.0))
    diagram.add("lag", FirstOrderLag(1.0))
    diagram.connect("gain.y", "lag.u")
    diagram.inputs(u="gain.u")
    return diagram


def response(time: float, k: float = 2.0, u: float = 1.0, constant: float = 1.0) -> float:
    """What `lag` is at a time."""
    return k * u * (1.0 - float(np.exp(-time / constant)))


def blow_up() -> Diagram:
    """x' = x², x(0) = c: infinite at t = 1/c."""
    diagram = Diagram("blow_up")
    diagram.add("x", Integrator(initial_x=0.1))
    diagram.add("square", Function("square"))
    diagram.connect("x.y", "square.u")
    diagram.connect("square.y", "x.u")
    return diagram


def noise() -> Diagram:
    """A lag that noise drives."""
    diagram = Diagram("noise")
    diagram.add("noise", UniformNoise(period=0.1))
    diagram.add("lag", FirstOrderLag(0.5))
    diagram.add("bias", Constant(1.0))
    diagram.connect("noise.y", "lag.u")
    return diagram


class Doubling(PythonBlock, abstract=True):
    """A source written in Python; abstract, for it is not to be in the library."""

    y = Output()
    start = Parameter(1.0, doc="half of what comes out")

    def outputs(self, t: float, states: Any, inputs: Any) -> dict[str, float]:
        if self.start > 100.0:
            raise ValueError("too much")
        return {"y": float(self.start) * 2.0}


def doubling() -> Diagram:
    """The integral of a source written in Python."""
    diagram = Diagram("doubling")
    diagram.add("double", Doubling())
    diagram.add("x", Integrator())
    diagram.connect("double.y", "x.u")
    return diagram


def swing(result: Result) -> float:
    """The greatest less the least value of the lag."""
    return float(np.ptp(result.values("lag.y")))


def last(result: Result) -> float:
    """The last value of the lag; there is none where it is below 1."""
    value = float(result.values("lag.y")[-1])
    if value < 1.0:
        raise ValueError(f"only {value:.3f}")
    return value


def deadly(result: Result) -> float:
    """Ends the process that works on it."""
    os._exit(3)


def noisy_study(members: int = 24, **how: Any) -> Study:
    """Two factors, replicates with seeds, and metrics of both kinds: everything that could tell executors apart."""
    return Study(
        noise(),
        {"lag.time_constant": [0.2, 0.5, 1.0], "noise.upper": [1.0, 2.0]},
        {"rms": "rms(lag.y)", "swing": Metric(swing, "lag.y"), "end": "final(lag.y)"},
        end=2.0, replicates=members // 6, seeds="noise.seed", seed=7, **how,
    )  # fmt: skip
