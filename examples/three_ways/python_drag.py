"""The drag of what stands in the wake of a hull, as a block in Python."""

from blocks import Input, Output, Parameter, PythonBlock
from blocks.signal import Force, Speed


class PythonWakeDrag(PythonBlock):
    """The drag of an appendage in the wake of a hull: F = k V_A |V_A|, V_A = (1 - w) u."""

    uses_time = False

    u = Input(Speed, "speed of the hull")
    force = Output(Force, "F against the motion")
    k = Parameter(60.0, unit="N*s^2/m^2", doc="½ ρ C_D A")
    w = Parameter(0.2, doc="wake fraction")

    def outputs(self, t, states, inputs):
        """Quadratic in the speed past the appendage."""
        u_a = (1.0 - self.w) * inputs["u"]
        return {"force": self.k * u_a * abs(u_a)}


drag = PythonWakeDrag()
