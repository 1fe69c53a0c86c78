"""A loop whose poles, margins and root locus can be worked out by hand."""

from blocks import Diagram
from blocks.basic import Gain, Integrator, StateSpace, Sum


def position_loop(gain: float = 6.0) -> Diagram:
    """gain/(s (s + 1) (s + 2)) with unit feedback."""
    loop = Diagram("loop")
    loop.add("error", Sum("+-"))
    loop.add("gain", Gain(gain))
    for name, pole in (("first", -1.0), ("second", -2.0)):
        loop.add(name, StateSpace([[pole]], [[1.0]], [[1.0]], [[0.0]]))
    loop.add("position", Integrator())
    loop.connect("error.y", "gain.u")
    loop.connect("gain.y", "first.u")
    loop.connect("first.y", "second.u")
    loop.connect("second.y", "position.u")
    loop.connect("position.y", "error.in2")
    loop.inputs(reference="error.in1")
    loop.outputs(y="position.y")
    return loop
