"""Blocks in Python."""

from blocks import Input, Output, Parameter, PythonBlock
from blocks.signal import Force, Signal, Speed


class Silent(PythonBlock):
    """A damper that says nothing about its coefficient.

    Definition: a linear damper.
    """

    speed = Input(Speed, "at which it is stretched")
    force = Output(Force, "of the damper")
    damping = Parameter(2.0, unit="N*s/m")

    def outputs(self, t, states, inputs):
        return {"force": self.damping * inputs["speed"]}


class Sourceless(Silent):
    """A damper from nowhere."""

    damping = Parameter(2.0, unit="N*s/m", doc="coefficient")


class OddUnit(Sourceless):
    """A damper with a unit of its own.

    Definition: a linear damper.
    """

    force = Output(Signal("Force", unit="Newtn"), "of the damper")


class BrokenExample(Sourceless):
    """A damper whose example is refused.

    Definition: a linear damper.
    """

    examples = ({"damping": -1.0},)
    damping = Parameter(2.0, unit="N*s/m", at_least=0.0, doc="coefficient")


class Unexemplified(Sourceless):
    """A damper that has to be told its coefficient.

    Definition: a linear damper.
    """

    damping = Parameter(unit="N*s/m", doc="coefficient")


class Failing(Sourceless):
    """A damper that fails in Python.

    Definition: a linear damper.
    """

    def outputs(self, t, states, inputs):
        return {"force": self.dampin * inputs["speed"]}


class Unheld(Sourceless):
    """A damper whose force is limited in words only.

    Definition: a linear damper.
    """

    force = Output(Force, "of the damper", within=("-most", "most"))
    damping = Parameter(2.0, unit="N*s/m", doc="coefficient")
    most = Parameter(50.0, unit="N", doc="limit of the force, either way")


class Endless(Sourceless):
    """A damper that never comes to an end.

    Definition: a linear damper.
    """

    def outputs(self, t, states, inputs):
        while True:
            pass
